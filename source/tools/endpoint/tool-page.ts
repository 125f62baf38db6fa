import {ProtocolError, ProtocolErrorCode} from '@modelcontextprotocol/server';
import {type RegisteredTool} from '../registered-tool.ts';
import {endpointLimits} from './limits.ts';

/** Some of the tools; `nextCursor` leads to the others. */
type ToolPage = {readonly tools: readonly RegisteredTool[]; readonly nextCursor?: string};

/**
The page of a list that a client asks for; without a cursor the first one. A cursor names the last tool before its page, so that a changed list neither
repeats nor skips another one. Throws a `ProtocolError` when that tool is gone: the client lists the tools again.
*/
export function toolPage(tools: readonly RegisteredTool[], cursor: string | undefined): ToolPage {
	const name = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString();
	const begin = name === undefined ? 0 : tools.findIndex(tool => tool.name === name) + 1;
	if (name !== undefined && begin === 0) {
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor: list the tools from the beginning');
	}

	const page = tools.slice(begin, begin + endpointLimits.toolsOnPage);
	const last = page.at(-1);
	const isComplete = last === undefined || begin + page.length >= tools.length;
	return {tools: page, ...(!isComplete && {nextCursor: Buffer.from(last.name).toString('base64url')})};
}
