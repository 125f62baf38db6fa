import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {startServer} from './call-sides.ts';
import {checkLimit, median} from './figures.ts';
import {startToolService} from './gateway-parts.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (kind: {readonly type: 'minor'}) => void;

type Servers = Readonly<Record<string, object>>;

/** Milliseconds from `apply` until every server named `good…` is connected. */
async function readyTime(servers: Servers): Promise<number> {
	const {service, eventBus, close} = await startToolService(servers);
	const waiting = new Set(Object.keys(servers).filter(name => name.startsWith('good')));
	const ready = Promise.withResolvers<number>();
	eventBus.listen(event => {
		if (event.type === 'server.state' && event.state === 'connected') {
			waiting.delete(event.server);
			if (waiting.size === 0) {
				ready.resolve(performance.now());
			}
		}
	});
	// The garbage of earlier rounds is not collected at the cost of this one.
	collectGarbage({type: 'minor'});
	const began = performance.now();
	service.apply();
	const time = (await ready.promise) - began;
	await close();
	return time;
}

/** The number of starts of each: a short time needs more of them. */
const roundsOf = new Map([
	[1, 120],
	[10, 80],
	[50, 30],
]);

/**
How long 1, 10 and 50 servers take until they are ready beside one that refuses, and by how much one that hangs moves that. One more entry
costs its share of the start whatever becomes of it, so the hanging one stands where a second one that refuses stood.
*/
export async function benchStart(share: number): Promise<void> {
	const server = await startServer();
	// In the process of the good ones: what it does itself must not count as ours.
	const hanging = {url: new URL('/hang', server.url).href};
	const refusing = {url: 'http://127.0.0.1:9/mcp'};
	for (const [count, rounds] of roundsOf) {
		const names = Array.from({length: count}, (_, index) => `good${index}`);
		const good = Object.fromEntries(names.map(name => [name, {url: server.url}]));
		const kinds = [
			{...good, refuses: refusing},
			{first: hanging, ...good, refuses: refusing},
			{first: refusing, ...good, refuses: refusing},
		].map(servers => ({servers, times: [] as number[]}));
		for (let round = -1; round < rounds * share; round++) {
			// Each finds the machine as the one before left it, so they take turns with that as well; the first round is for warming up.
			for (let turn = 0; turn < kinds.length; turn++) {
				const kind = kinds[(round + 1 + turn) % kinds.length];
				const time = await readyTime(kind?.servers ?? {});
				kind?.times.push(...(round < 0 ? [] : [time]));
			}
		}

		const [alone = Number.NaN, beside = Number.NaN, third = Number.NaN] = kinds.map(({times}) => median(times));
		const others = `beside one that hangs in ${beside.toFixed(1)} ms, beside a second that refuses in ${third.toFixed(1)} ms`;
		console.log(`${count} servers ready in ${alone.toFixed(1)} ms, ${others}`);
		checkLimit(`${count} servers, moved by the hanging one`, (beside / third - 1) * 100, {limit: 10, unit: '%'});
	}

	server.stop();
}
