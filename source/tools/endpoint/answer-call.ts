import {
	type CallToolResult,
	isCallToolResult,
	type ProgressNotificationParams,
	ProtocolError,
	ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import {type AskCaller} from '../../approvals/ask-caller.ts';
import {type CallContent} from '../../mcp/connection.ts';
import {isDeeperThan, isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {maskTokens} from '../../util/redact.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ToolCall} from '../call-tool.ts';
import {toolErrorJson, type ToolOutcome} from '../tool-outcome.ts';
import {resultCharacterLimit} from '../tool-result.ts';
import {openProgressReport} from './call-progress.ts';
import {type CallOptions} from '../validate-call.ts';
import {type EndpointTools} from './endpoint-tools.ts';
import {servedBlock, servedEntry, servedMeta} from './served-content.ts';
import {createTaskResult, type CreatedTask} from './task-methods.ts';
import {type CallWatch} from './task-run.ts';
import {unnamedClient} from '../../state/origin.ts';

/** A call as its client sent it. */
export type ClientCall = {
	readonly name: string;
	readonly arguments: unknown;
	/** The client's own name, a claim; it is shown in approval requests. */
	readonly client: string | undefined;
	/** The reason that it must not be sent on. */
	readonly flaw: string | undefined;
	/** Present when the client asked for progress. */
	readonly progressToken: ProgressNotificationParams['progressToken'] | undefined;
	/** `taken`: the client takes a task in place of the result. */
	readonly asTask?: 'taken' | 'refused';
};

export type AnswerCallOptions = {
	/** Aborts when the call is cancelled, and when the client can no longer receive its response. */
	readonly signal: AbortSignal;
	readonly notifyProgress: (params: ProgressNotificationParams) => void;
	/** Called with `true` while the call waits for a person, and with `false` when that is over. */
	readonly onWait?: (isWaiting: boolean) => void;
	/** The client, where servers may ask it. */
	readonly askCaller?: AskCaller | undefined;
};

/** The parts of the endpoint that a call needs. */
export type CallTools = Pick<EndpointTools, 'find' | 'ready' | 'callTool' | 'redact' | 'clock' | 'caller'>;

/**
Calls a tool for a client of the endpoint, whichever way its request came. Rejects with a `ProtocolError` for an unknown tool, and where the
server refused the call with one; every other error is data. A call that waits long for a person is answered with a task where its client takes one.
*/
export async function answerCall(
	tools: CallTools & Pick<EndpointTools, 'tasks'>,
	call: ClientCall,
	options: AnswerCallOptions,
): Promise<CallAnswer> {
	const prepared = await prepareCall(tools, call, options);
	const ended = await callOrTask(tools, call.asTask, prepared);
	prepared.close();
	if (ended.kind === 'task') {
		return createTaskResult(ended);
	}

	const {outcome, server} = ended;
	if (outcome.kind === 'error' && outcome.error.code === 'unknown_tool') {
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, outcome.error.message);
	}

	throwServerError(outcome, {redact: tools.redact, server});
	return callResult(ended, tools.redact);
}

/** The result of a call, or its task. */
export type CallAnswer = CallToolResult | CreatedTask;

/** Calls a tool with the name of the client and its progress. Never rejects: errors are data. */
export async function callForClient(
	tools: CallTools,
	call: ClientCall,
	options: AnswerCallOptions,
): Promise<EndedCall> {
	const prepared = await prepareCall(tools, call, options);
	const ended = await callOnConnection(tools, prepared);
	prepared.close();
	return ended;
}

/** A call as it is made, and its callbacks. */
type PreparedCall = {
	readonly call: ToolCall;
	readonly watch: CallWatch & {readonly signal: AbortSignal};
	readonly server: string | undefined;
	/** The call is over for its client. */
	readonly close: () => void;
};

async function prepareCall(
	tools: CallTools,
	{name, arguments: args = {}, client = '', flaw, progressToken}: ClientCall,
	{signal, notifyProgress, onWait, askCaller}: AnswerCallOptions,
): Promise<PreparedCall> {
	// A tool that is already registered does not wait for the servers.
	if (!tools.find(name)) {
		await tools.ready();
	}

	const progress =
		progressToken === undefined
			? undefined
			: openProgressReport(progressToken, {clock: tools.clock, notify: notifyProgress});
	return {
		call: {
			name,
			arguments: isJsonObject(args) && flaw === undefined ? args : null,
			...(flaw !== undefined && {flaw}),
			origin: {kind: 'endpoint', client: safeText(client, {maximumCharacters: 100}) || unnamedClient, ...tools.caller},
		},
		watch: {signal, askCaller, ...progress?.watch, ...(onWait && noteWaits(onWait, progress?.watch))},
		server: tools.find(name)?.server,
		close: () => progress?.close(),
	};
}

async function callOnConnection(
	{callTool}: Pick<CallTools, 'callTool'>,
	{call, watch, server}: PreparedCall,
): Promise<EndedCall> {
	let answer: CallContent | undefined;
	const outcome = await callTool(call, {...watch, onAnswer: given => void (answer = given)});
	return {outcome, answer, server};
}

/** Makes a call on its connection, or as one that may become a task. */
async function callOrTask(
	tools: CallTools & Pick<EndpointTools, 'tasks'>,
	asTask: ClientCall['asTask'],
	prepared: PreparedCall,
) {
	const {call, watch} = prepared;
	const {arguments: args} = call;
	const tool = tools.find(call.name);
	return asTask === 'taken' && tools.tasks && tool && isJsonObject(args)
		? tools.tasks.call(tools.callTool, {...call, arguments: args, tool}, watch)
		: ({kind: 'ended', ...(await callOnConnection(tools, prepared))} as const);
}

type Waits = Pick<CallOptions, 'onAsking' | 'onHeld' | 'onQuestion'>;

function noteWaits(onWait: (isWaiting: boolean) => void, watch: Waits = {}): Waits {
	return {
		onAsking(isWaiting, id) {
			watch.onAsking?.(isWaiting, id);
			onWait(isWaiting);
		},
		onHeld(isWaiting) {
			watch.onHeld?.(isWaiting);
			onWait(isWaiting);
		},
		onQuestion(isWaiting) {
			watch.onQuestion?.(isWaiting);
			onWait(isWaiting);
		},
	};
}

/** Throws the JSON-RPC error with which a server refused a call, its secrets masked; an address of a resource in its data is that of the endpoint. */
export function throwServerError(
	outcome: ToolOutcome,
	{redact, server = ''}: {readonly redact: (text: string) => string; readonly server?: string | undefined},
): void {
	const error = outcome.kind === 'error' ? outcome.error.rpcError : undefined;
	// Pages of servers are opened only as their entry and that of the client allow it.
	if (error && error.code !== pageNeeded) {
		const mask = (text: string) => redact(maskTokens(text));
		const {code, message, data} = error;
		const whole = isJsonObject(data) && !isDeeperThan(data, deepestData) ? servedEntry(data, server) : undefined;
		throw new ProtocolError(code, mask(message), whole ? redactTexts(whole, mask) : plainData(data, mask));
	}
}

/** Data that is no object is passed on if it is one value. */
function plainData(data: unknown, mask: (text: string) => string): unknown {
	return typeof data === 'object' ? undefined : redactTexts(data, mask);
}

const deepestData = 100;

/** The code by which a server of 2025-11-25 refuses a call until a page was opened. */
const pageNeeded = -32_042;

/** The outcome of a call, and its server's response, if any. */
export type EndedCall = {
	readonly outcome: ToolOutcome;
	readonly answer: CallContent | undefined;
	/** Absent for an unknown tool. */
	readonly server?: string | undefined;
};

/**
The result of a call for a client of the endpoint: the server's response, block by block, so that images and structured content
are preserved; else its text form. Our own errors are data too (docs/connections.md, Results): the text is their JSON.
*/
export function callResult(
	{outcome, answer, server = ''}: EndedCall,
	redact: (text: string) => string,
): CallToolResult {
	const isOwnError = outcome.kind === 'error' && outcome.error.code !== 'tool_error';
	if (isOwnError) {
		const error = toolErrorJson({...outcome.error, message: redact(outcome.error.message)});
		return textResult(JSON.stringify({error}), {isError: true});
	}

	if (answer && isPassedOn(answer)) {
		const {content, structuredContent, isError, source} = answer;
		const own = {
			content: content.map(block => servedBlock(block, server)),
			...(structuredContent && {structuredContent}),
			...servedMeta(source?.['_meta'], server),
		};
		const whole: unknown = isError ? {...redactTexts(own, maskTokens), isError} : own;
		if (isCallToolResult(whole)) {
			return whole;
		}
	}

	return outcome.kind === 'error'
		? textResult(redact(outcome.error.message), {isError: true})
		: textResult(outcome.result, outcome.structuredContent && {structuredContent: {...outcome.structuredContent}});
}

/** Text beyond the limit is cut (docs/connections.md, Results): it uses the text form. */
function isPassedOn({content, structuredContent}: CallContent): boolean {
	const texts = content.reduce((sum, block) => sum + textLength(block), 0);
	const structure = structuredContent ? JSON.stringify(structuredContent).length : 0;
	return Math.max(texts, structure) <= resultCharacterLimit;
}

function textLength({text}: JsonObject): number {
	return typeof text === 'string' ? text.length : 0;
}

function textResult(text: string, more: Partial<CallToolResult> = {}): CallToolResult {
	return {content: [{type: 'text', text}], ...more};
}
