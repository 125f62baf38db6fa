import {type CallToolResult, isCallToolResult} from '@modelcontextprotocol/server';
import {type CallContent} from '../../mcp/connection.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {toolErrorJson, type ToolOutcome} from '../tool-outcome.ts';
import {mostResultCharacters} from '../tool-result.ts';

/** What became of a call, and the answer its server gave, if it came so far. */
export type EndedCall = {readonly outcome: ToolOutcome; readonly answer: CallContent | undefined};

/**
The result of a call for a client of the endpoint: what the server answered, block by block, so that pictures and structured content
arrive; else its text form. Our own errors are data too (docs/tool-servers.md, Results): the text is their JSON.
*/
export function callAnswer({outcome, answer}: EndedCall, redact: (text: string) => string): CallToolResult {
	const isOwnError = outcome.kind === 'error' && outcome.error.code !== 'tool_error';
	if (isOwnError) {
		const error = toolErrorJson({...outcome.error, message: redact(outcome.error.message)});
		return textResult(JSON.stringify({error}), {isError: true});
	}

	if (answer && isPassedOn(answer)) {
		const {content, structuredContent, isError} = answer;
		const whole: unknown = {content, ...(structuredContent && {structuredContent}), ...(isError && {isError})};
		if (isCallToolResult(whole)) {
			return whole;
		}
	}

	return outcome.kind === 'error'
		? textResult(redact(outcome.error.message), {isError: true})
		: textResult(outcome.result, outcome.structuredContent && {structuredContent: {...outcome.structuredContent}});
}

/** Text beyond the cap is cut (docs/tool-servers.md, Results), and a link is of no use to a client that cannot read resources here: both have a text form. */
function isPassedOn({content, structuredContent}: CallContent): boolean {
	const texts = content.reduce((sum, block) => sum + textLength(block), 0);
	const structure = structuredContent ? JSON.stringify(structuredContent).length : 0;
	return Math.max(texts, structure) <= mostResultCharacters && content.every(({type}) => type !== 'resource_link');
}

function textLength({text}: JsonObject): number {
	return typeof text === 'string' ? text.length : 0;
}

function textResult(text: string, more: Partial<CallToolResult> = {}): CallToolResult {
	return {content: [{type: 'text', text}], ...more};
}
