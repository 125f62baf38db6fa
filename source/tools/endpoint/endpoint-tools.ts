import {ProtocolError, ProtocolErrorCode} from '@modelcontextprotocol/server';
import {type Clock, type Timer} from '../../util/clock.ts';
import {type CallTool} from '../call-tool.ts';
import {type Catalogue} from '../catalogue.ts';
import {type RegisteredTool} from '../registered-tool.ts';
import {endpointLimits} from './limits.ts';

/** A client of the endpoint: the name of its token over HTTP; over stdio the name that it claims, if any. */
export type EndpointCaller = {readonly name: string} | {readonly claim: string | undefined};

/** The tools of one profile for a client of the endpoint. */
export type EndpointTools = Pick<Catalogue, 'list' | 'find' | 'watch'> & {
	/** The only path to the tools. */
	readonly callTool: CallTool;
	/** Awaited before tools are listed or called: a client may connect before the servers have. */
	readonly ready: () => Promise<void>;
	/** Masks known secrets in texts of servers. */
	readonly redact: (text: string) => string;
	readonly clock: Clock;
	/** The client that they are for. */
	readonly caller: EndpointCaller;
	/** The version of Sluice. */
	readonly version: string;
};

/** Servers that connect together, or a server that changes constantly, cause one notification. */
const gatherMilliseconds = 100;

/** Calls `changed` when the list of tools has changed; the returned function unsubscribes. Servers that reconnect with the same tools cause no call. */
export function watchTools(tools: Pick<EndpointTools, 'list' | 'watch' | 'clock'>, changed: () => void): () => void {
	let known = listKey(tools);
	let timer: Timer | undefined;
	const compare = () => {
		timer = undefined;
		const now = listKey(tools);
		if (now !== known) {
			known = now;
			changed();
		}
	};

	const endWatch = tools.watch(() => {
		timer ??= tools.clock.after(gatherMilliseconds, compare);
	});
	return () => {
		endWatch();
		timer?.cancel();
	};
}

function listKey({list}: Pick<EndpointTools, 'list'>): string {
	return list()
		.map(({name, fingerprint}) => `${name} ${fingerprint}`)
		.join('\n');
}

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
