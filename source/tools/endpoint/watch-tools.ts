import {type Timer} from '../../util/clock.ts';
import {type EndpointTools} from './endpoint-tools.ts';

/** Servers that connect together, or a server that changes all the time, are told of once. */
const gatherMilliseconds = 100;

/** Calls `changed` when the list of tools is another one than before; the returned function ends that. Servers that come back with what they had change nothing. */
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
