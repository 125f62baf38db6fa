import {
	type CallToolResult,
	isCallToolResult,
	type ProgressNotificationParams,
	ProtocolError,
	ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import {type CallContent} from '../../mcp/connection.ts';
import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {maskTokens} from '../../util/redact.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {safeText} from '../../util/safe-text.ts';
import {toolErrorJson, type ToolOutcome} from '../tool-outcome.ts';
import {resultCharacterLimit} from '../tool-result.ts';
import {openProgressReport} from './call-progress.ts';
import {type EndpointTools} from './endpoint-tools.ts';
import {unnamedClient} from '../../state/origin.ts';

/** A call as its client sent it. */
type ClientCall = {
	readonly name: string;
	readonly arguments: unknown;
	/** The client's own name, a claim; it is shown in approval requests. */
	readonly client: string | undefined;
	/** The reason that it must not be sent on. */
	readonly flaw: string | undefined;
	/** Present when the client asked for progress. */
	readonly progressToken: ProgressNotificationParams['progressToken'] | undefined;
};

type AnswerCallOptions = {
	/** Aborts when the call is cancelled, and when the client can no longer receive its response. */
	readonly signal: AbortSignal;
	readonly notifyProgress: (params: ProgressNotificationParams) => void;
};

/**
Calls a tool for a client of the endpoint, whichever way its request came. Rejects with a `ProtocolError` for an unknown tool; every other error
is data.
*/
export async function answerCall(
	tools: Pick<EndpointTools, 'find' | 'ready' | 'callTool' | 'redact' | 'clock' | 'caller'>,
	{name, arguments: args = {}, client = '', flaw, progressToken}: ClientCall,
	{signal, notifyProgress}: AnswerCallOptions,
): Promise<CallToolResult> {
	// A tool that is already registered does not wait for the servers.
	if (!tools.find(name)) {
		await tools.ready();
	}

	const progress =
		progressToken === undefined
			? undefined
			: openProgressReport(progressToken, {clock: tools.clock, notify: notifyProgress});
	let answer: CallContent | undefined;
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
			onAnswer: given => void (answer = given),
		},
	);
	progress?.close();
	if (outcome.kind === 'error' && outcome.error.code === 'unknown_tool') {
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, outcome.error.message);
	}

	return callResult({outcome, answer}, tools.redact);
}

/** The outcome of a call, and its server's response, if any. */
type EndedCall = {readonly outcome: ToolOutcome; readonly answer: CallContent | undefined};

/**
The result of a call for a client of the endpoint: the server's response, block by block, so that images and structured content
are preserved; else its text form. Our own errors are data too (docs/connections.md, Results): the text is their JSON.
*/
export function callResult({outcome, answer}: EndedCall, redact: (text: string) => string): CallToolResult {
	const isOwnError = outcome.kind === 'error' && outcome.error.code !== 'tool_error';
	if (isOwnError) {
		const error = toolErrorJson({...outcome.error, message: redact(outcome.error.message)});
		return textResult(JSON.stringify({error}), {isError: true});
	}

	if (answer && isPassedOn(answer)) {
		const {content, structuredContent, isError} = answer;
		const own = {content, ...(structuredContent && {structuredContent})};
		const whole: unknown = isError ? {...redactTexts(own, maskTokens), isError} : own;
		if (isCallToolResult(whole)) {
			return whole;
		}
	}

	return outcome.kind === 'error'
		? textResult(redact(outcome.error.message), {isError: true})
		: textResult(outcome.result, outcome.structuredContent && {structuredContent: {...outcome.structuredContent}});
}

/** Text beyond the limit is cut (docs/connections.md, Results), and a client that cannot read resources here cannot use a link: both use the text form. */
function isPassedOn({content, structuredContent}: CallContent): boolean {
	const texts = content.reduce((sum, block) => sum + textLength(block), 0);
	const structure = structuredContent ? JSON.stringify(structuredContent).length : 0;
	return Math.max(texts, structure) <= resultCharacterLimit && content.every(({type}) => type !== 'resource_link');
}

function textLength({text}: JsonObject): number {
	return typeof text === 'string' ? text.length : 0;
}

function textResult(text: string, more: Partial<CallToolResult> = {}): CallToolResult {
	return {content: [{type: 'text', text}], ...more};
}
