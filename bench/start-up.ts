import {createServer} from 'node:net';
import {startServer} from './call-sides.ts';
import {judge, median} from './figures.ts';
import {openWing} from './gateway-parts.ts';

type Servers = Readonly<Record<string, object>>;

/** Milliseconds from `apply` until every server named `good…` is connected. */
async function readyTime(servers: Servers): Promise<number> {
	const {wing, close} = await openWing(servers);
	const good = Object.keys(servers).filter(name => name.startsWith('good'));
	const began = performance.now();
	wing.apply();
	while (good.some(name => wing.connections.find(name)?.state().kind !== 'connected')) {
		await new Promise(resolve => setTimeout(resolve, 1));
	}

	const time = performance.now() - began;
	await close();
	return time;
}

/** How long 1, 10 and 50 servers take until they are ready, one that refuses among them, and by how much one that hangs moves that. */
export async function benchStart(rounds: number): Promise<void> {
	const server = await startServer();
	const silent = createServer(() => undefined);
	await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
	const address = silent.address();
	const port = typeof address === 'object' ? address?.port : 0;
	const hanging = {hangs: {url: `http://127.0.0.1:${port}/mcp`}};
	const refusing = {refuses: {url: 'http://127.0.0.1:9/mcp'}};
	for (const count of [1, 10, 50]) {
		const names = Array.from({length: count}, (_, index) => `good${index}`);
		const good = Object.fromEntries(names.map(name => [name, {url: server.url}]));
		const kinds = {alone: {...good, ...refusing}, beside: {...hanging, ...good, ...refusing}};
		const times = {alone: [] as number[], beside: [] as number[]};
		await readyTime(kinds.alone);
		await readyTime(kinds.beside);
		for (let round = 0; round < rounds; round++) {
			// Who comes second finds the machine as the first left it, so they take turns with that as well.
			for (const kind of round % 2 === 0 ? (['alone', 'beside'] as const) : (['beside', 'alone'] as const)) {
				times[kind].push(await readyTime(kinds[kind]));
			}
		}

		const [alone, beside] = [median(times.alone), median(times.beside)];
		console.log(`${count} servers ready in ${alone.toFixed(1)} ms, beside one that hangs in ${beside.toFixed(1)} ms`);
		judge(`${count} servers, moved by the hanging one`, (beside / alone - 1) * 100, {limit: 10, unit: '%'});
	}

	silent.close();
	server.stop();
}
