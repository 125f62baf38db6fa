import {type Clock, type Timer} from '../../util/clock.ts';
import {type CallTool} from '../call-tool.ts';
import {type Catalogue} from '../catalogue.ts';

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
