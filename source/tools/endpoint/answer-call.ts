import {
	type CallToolResult,
	isCallToolResult,
	type ProgressNotificationParams,
	ProtocolError,
	ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import {type CallContent} from '../../mcp/connection.ts';
import {isDeeperThan, isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {maskTokens} from '../../util/redact.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {safeText} from '../../util/safe-text.ts';
import {toolErrorJson, type ToolOutcome} from '../tool-outcome.ts';
import {resultCharacterLimit} from '../tool-result.ts';
import {openProgressReport} from './call-progress.ts';
import {type CallOptions} from '../validate-call.ts';
import {type EndpointTools} from './endpoint-tools.ts';
import {servedBlock, servedEntry, servedMeta} from './served-content.ts';
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
};

export type AnswerCallOptions = {
	/** Aborts when the call is cancelled, and when the client can no longer receive its response. */
	readonly signal: AbortSignal;
	readonly notifyProgress: (params: ProgressNotificationParams) => void;
	/** Called with `true` while the call waits for a person, and with `false` when that is over. */
	readonly onWait?: (isWaiting: boolean) => void;
};

/** The parts of the endpoint that a call needs. */
export type CallTools = Pick<EndpointTools, 'find' | 'ready' | 'callTool' | 'redact' | 'clock' | 'caller'>;

/**
Calls a tool for a client of the endpoint, whichever way its request came. Rejects with a `ProtocolError` for an unknown tool, and where the
server refused the call with one; every other error is data.
*/
export async function answerCall(
	tools: CallTools,
	call: ClientCall,
	options: AnswerCallOptions,
): Promise<CallToolResult> {
	const ended = await callForClient(tools, call, options);
	const {outcome, server} = ended;
	if (outcome.kind === 'error' && outcome.error.code === 'unknown_tool') {
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, outcome.error.message);
	}

	throwServerError(outcome, {redact: tools.redact, server});
	return callResult(ended, tools.redact);
}

/** Calls a tool with the name of the client and its progress. Never rejects: errors are data. */
export async function callForClient(
	tools: CallTools,
	{name, arguments: args = {}, client = '', flaw, progressToken}: ClientCall,
	{signal, notifyProgress, onWait}: AnswerCallOptions,
): Promise<EndedCall> {
	// A tool that is already registered does not wait for the servers.
	if (!tools.find(name)) {
		await tools.ready();
	}

	const progress =
		progressToken === undefined
			? undefined
			: openProgressReport(progressToken, {clock: tools.clock, notify: notifyProgress});
	let answer: CallContent | undefined;
	const server = tools.find(name)?.server;
	const outcome = await tools.callTool(
		{
			name,
			arguments: isJsonObject(args) && flaw === undefined ? args : null,
			...(flaw !== undefined && {flaw}),
			origin: {kind: 'endpoint', client: safeText(client, {maximumCharacters: 100}) || unnamedClient, ...tools.caller},
		},
		{
			signal,
			...progress?.watch,
			...(onWait && noteWaits(onWait, progress?.watch)),
			onAnswer: given => void (answer = given),
		},
	);
	progress?.close();
	return {outcome, answer, server};
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
	if (error) {
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
