import {type AskCaller} from '../approvals/ask-caller.ts';
import {
	type CallContent,
	type CallProgress,
	type Connection,
	type OnQuestion,
	type ServerRequest,
} from '../mcp/connection.ts';
import {type Rule} from '../approvals/rule.ts';
import {type Origin} from '../state/origin.ts';
import {hashJson} from '../util/json-hash.ts';
import {isJsonObject, type JsonObject, isDeeperThan, type JsonValue, lossInValue} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';
import {quoted, safeText} from '../util/safe-text.ts';
import {type Authorization} from './authorization.ts';
import {type RegisteredTool} from './registered-tool.ts';
import {type UntrustedTexts} from './untrusted-texts.ts';

/** A call of a tool by its registered name. */
export type ToolCall = {
	readonly name: string;
	readonly arguments: JsonValue;
	readonly origin: Origin;
	/** The reason that the arguments differ from those that the caller wrote: then it is refused. */
	readonly flaw?: string;
	/** Ask a person whatever trust and remembered approvals allow: this very call may have taken effect before. */
	readonly approval?: 'fresh';
	/** Outsiders' text in the caller's prompt: arguments that occur in it are marked when a person is asked. */
	readonly untrusted?: string;
};

/** Options of a call. The callbacks get texts as the server sent them: not safe to show. */
export type CallOptions = {
	readonly signal: AbortSignal;
	/** Called each time the server reports progress. */
	readonly onProgress?: (progress: CallProgress) => void;
	/** Called with the response before it becomes text, also for a failed call. */
	readonly onAnswer?: (answer: CallContent) => void;
	/** Called with `true` and the id of the approval when a person is asked, and with `false` when that is over. */
	readonly onAsking?: (asking: boolean, id?: string) => void;
	/** Called with `true` when the call waits because everything is held, and with `false` when that is over. */
	readonly onHeld?: (held: boolean) => void;
	readonly onQuestion?: OnQuestion;
	/** Asked by servers in place of a person at a console. */
	readonly askCaller?: AskCaller | undefined;
	/** Asked before a call goes on that waited for a person; resolves once it may. Rejects with the reason of the signal. */
	readonly resume?: (signal: AbortSignal) => Promise<void>;
	/** The task that may become the caller of this call; absent: its connection stays the caller. */
	readonly task?: CallTask;
	/** The texts that the caller has read and outsiders may have written; absent if unknown. */
	readonly untrustedTexts?: Pick<UntrustedTexts, 'holds'>;
};

/** A task that becomes the caller of a call once a person has taken long (docs/endpoint.md, Tasks). */
export type CallTask = {
	readonly id: string;
	/** The milliseconds that a request to a person has now, outside of holds. */
	readonly leftMilliseconds: () => number;
	/** `possible`: the connection is the caller; `handed-over`: the task is; `left`: it waits on, but not here. */
	readonly caller: () => 'possible' | 'handed-over' | 'left';
	/** The request that waited at an earlier gateway. */
	readonly approvalId?: string | undefined;
	/** The decision of an earlier gateway about the same call, as far as it still counts. */
	readonly earlier: (rules: readonly Rule[]) => Authorization | undefined;
	/** Called with each decision about the call. */
	readonly decided: (verdict: Authorization) => void;
	/** Awaited before the call may be sent. Rejects with `cancelled` when the task has ended, or another gateway has it. */
	readonly begin: (callId: string, signal: AbortSignal) => Promise<void>;
};

/** The origin of a call whose caller is a task. */
export function originOfTask(origin: Origin, task: Pick<CallTask, 'id'> | undefined): Origin {
	return task && origin.kind === 'endpoint' ? {...origin, task: task.id} : origin;
}

/** The wait of a call that may become a task: as long as that. Once it is one, it waits whoever is there. */
export function waitOfTask(task: CallTask | undefined) {
	return (
		task && {
			limit: {kind: 'for', milliseconds: task.leftMilliseconds()} as const,
			...(task.caller() === 'handed-over' && {unattended: 'waits' as const}),
			id: task.approvalId,
			outlives: () => task.caller() === 'left',
		}
	);
}

/** The part of a connection that a call needs. */
export type CallConnection = Pick<Connection, 'request'> & {
	readonly config: {
		readonly transport:
			| Connection['config']['transport']
			| {readonly kind: 'built-in'}
			/** The program makes the call itself; `address` says in words who asks. */
			| {readonly kind: 'hook'; readonly address: string};
	};
};

/** Looks up tools and connections. Finding a connection does not wake it. */
export type Lookup = {
	readonly findTool: (name: string) => RegisteredTool | undefined;
	readonly findConnection: (server: string) => CallConnection | undefined;
};

/** A valid call: its tool exists and its arguments match the schema. It is not yet authorized. */
export type ValidatedCall = {
	readonly tool: RegisteredTool;
	readonly connection: CallConnection;
	readonly request: ServerRequest;
	readonly arguments: JsonObject;
	/** Computed on demand: most calls need none. */
	readonly argumentsHash: () => string;
	readonly origin: Origin;
	readonly approval: 'fresh' | 'as-needed';
	readonly untrusted: string;
};

/** The maximum nesting of arguments. */
export const deepestArguments = 200;

/** The problem of a call whose tool does not exist, or not for its caller. */
export function unknownTool(name: string): Problem {
	return new Problem('unknown_tool', {
		message: `No tool named ${quoted(name, {maximumCharacters: 200})} is registered`,
	});
}

/** Throws `unknown_tool`, `invalid_arguments` or `server_unavailable`. */
export function validateCall(call: ToolCall, {findTool, findConnection}: Lookup): ValidatedCall {
	const tool = findTool(call.name);
	if (!tool) {
		throw unknownTool(call.name);
	}

	const scope = {kind: 'server', name: tool.server} as const;
	const connection = findConnection(tool.server);
	if (!connection) {
		throw new Problem('server_unavailable', {scope});
	}

	const {arguments: args, flaw = lossInValue(args)} = call;
	if (flaw !== undefined) {
		throw new Problem('invalid_arguments', {message: safeText(flaw, {maximumCharacters: 200}), scope});
	}

	if (!isJsonObject(args)) {
		throw new Problem('invalid_arguments', {scope});
	}

	if (isDeeperThan(args, deepestArguments)) {
		throw new Problem('invalid_arguments', {
			message: `The arguments are nested more than ${deepestArguments} levels deep`,
			scope,
		});
	}

	if (!isWellFormed(args)) {
		throw new Problem('invalid_arguments', {
			message: 'A string or name in the arguments contains half a character (a lone surrogate)',
			scope,
		});
	}

	return {
		tool,
		connection,
		request: tool.toRequest(args),
		arguments: args,
		argumentsHash: () => hashJson(args),
		origin: call.origin,
		approval: call.approval ?? 'as-needed',
		untrusted: call.untrusted ?? '',
	};
}

/** True if no text and no name has a lone surrogate. The value is not nested deeply. */
function isWellFormed(value: JsonValue): boolean {
	if (typeof value === 'string') {
		return value.isWellFormed();
	}

	return (
		typeof value !== 'object' ||
		value === null ||
		Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member))
	);
}

/** True if both are calls of the same tool as it is defined, at the same server. */
export function isSameTool(one: ValidatedCall, other: ValidatedCall): boolean {
	return one.connection === other.connection && one.tool.fingerprint === other.tool.fingerprint;
}

/**
Throws when the tool or its server is no longer the approved one: approvals may take minutes, and a server that had to be woken
lists its tools only then. `unknown_tool` when its server no longer offers the tool, else `cancelled`.
*/
export function assertUnchanged(call: ValidatedCall, {findTool, findConnection}: Lookup): void {
	const {tool, connection} = call;
	const now = findTool(tool.name);
	if (!now && findConnection(tool.server) === connection) {
		const name = quoted(tool.tool, {maximumCharacters: 200});
		const message = `The call was not made, because the server no longer offers the tool ${name}`;
		throw new Problem('unknown_tool', {message, scope: {kind: 'server', name: tool.server}});
	}

	const isSame =
		now?.server === tool.server &&
		now.tool === tool.tool &&
		now.fingerprint === tool.fingerprint &&
		now.trust === tool.trust &&
		findConnection(tool.server) === connection;
	if (!isSame) {
		const message = 'The call was not made, because the tool or its server has changed since it was allowed';
		throw new Problem('cancelled', {message});
	}
}
