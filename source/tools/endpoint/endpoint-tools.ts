import {type Clock, type Timer} from '../../util/clock.ts';
import {type CallTool} from '../call-tool.ts';
import {type Catalogue} from '../catalogue.ts';

/** The tools of one profile as the endpoint offers them. */
export type EndpointTools = Pick<Catalogue, 'list' | 'find' | 'watch'> & {
	/** The only way to the tools. */
	readonly callTool: CallTool;
	/** Awaited before tools are listed or called: a client may come before the servers have connected. */
	readonly ready: () => Promise<void>;
	/** Removes known secrets from texts that servers wrote. */
	readonly redact: (text: string) => string;
	readonly clock: Clock;
	/** Version of the program. */
	readonly version: string;
};

/** Servers that connect together, or a server that changes all the time, cause one notice. */
const gatherMilliseconds = 100;

/** Calls `changed` when the list of tools has changed; the returned function ends that. Servers that come back with what they had change nothing. */
export function watchTools(tools: Pick<EndpointTools, 'list' | 'watch' | 'clock'>, changed: () => void): () => void {
	let known = listKey(tools);
	let timer: Timer | undefined;
	const look = () => {
		timer = undefined;
		const now = listKey(tools);
		if (now !== known) {
			known = now;
			changed();
		}
	};

	const endWatch = tools.watch(() => {
		timer ??= tools.clock.after(gatherMilliseconds, look);
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
