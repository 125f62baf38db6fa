import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {startServer} from './call-sides.ts';
import {judge, median} from './figures.ts';
import {openWing} from './gateway-parts.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

type Servers = Readonly<Record<string, object>>;

/** Milliseconds from `apply` until every server named `good…` is connected. */
async function readyTime(servers: Servers): Promise<number> {
	const {wing, hall, close} = await openWing(servers);
	const waiting = new Set(Object.keys(servers).filter(name => name.startsWith('good')));
	const ready = Promise.withResolvers<number>();
	hall.listen(event => {
		if (event.type === 'server.state' && event.state === 'connected') {
			waiting.delete(event.server);
			if (waiting.size === 0) {
				ready.resolve(performance.now());
			}
		}
	});
	// What the rounds before left behind is not collected at the cost of this one.
	collectGarbage();
	const began = performance.now();
	wing.apply();
	const time = (await ready.promise) - began;
	await close();
	return time;
}

/** How often each is started: a short time needs more of them. */
const roundsOf = new Map([
	[1, 60],
	[10, 30],
	[50, 20],
]);

/** How long 1, 10 and 50 servers take until they are ready, one that refuses among them, and by how much one that hangs moves that. */
export async function benchStart(share: number): Promise<void> {
	const server = await startServer();
	// In the process of the good ones: what it does itself must not count as ours.
	const hanging = {hangs: {url: new URL('/hang', server.url).href}};
	const refusing = {refuses: {url: 'http://127.0.0.1:9/mcp'}};
	for (const [count, rounds] of roundsOf) {
		const names = Array.from({length: count}, (_, index) => `good${index}`);
		const good = Object.fromEntries(names.map(name => [name, {url: server.url}]));
		const kinds = {alone: {...good, ...refusing}, beside: {...hanging, ...good, ...refusing}};
		const times = {alone: [] as number[], beside: [] as number[]};
		await readyTime(kinds.alone);
		await readyTime(kinds.beside);
		for (let round = 0; round < rounds * share; round++) {
			// Who comes second finds the machine as the first left it, so they take turns with that as well.
			for (const kind of round % 2 === 0 ? (['alone', 'beside'] as const) : (['beside', 'alone'] as const)) {
				times[kind].push(await readyTime(kinds[kind]));
			}
		}

		const [alone, beside] = [median(times.alone), median(times.beside)];
		console.log(`${count} servers ready in ${alone.toFixed(1)} ms, beside one that hangs in ${beside.toFixed(1)} ms`);
		judge(`${count} servers, moved by the hanging one`, (beside / alone - 1) * 100, {limit: 10, unit: '%'});
	}

	server.stop();
}
