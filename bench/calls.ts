/*
`npm run bench:calls`: what a call through Sluice costs beside the bare client of the SDK on the same server in the same run, with 1 caller and
with 32, what 200 rules add to it, and how long a gateway with 1, 10 and 50 servers takes until all that can be ready are, with and without one that hangs.
Both clients run in processes of their own under the same flags and take turns in blocks. A percentile is that of a block; printed are the
medians over the blocks, and what is added is the median of the differences between neighbouring blocks. `--quick` makes fewer.
*/
import {type CallOrder, type CallSide, type CallTimes, startServer, startSide} from './call-sides.ts';
import {checkLimit, median, quantile} from './figures.ts';
import {startToolService} from './gateway-parts.ts';
import {processorSeconds} from './process-usage.ts';
import {benchStart} from './start-up.ts';

const isQuick = process.argv.includes('--quick');
const rounds = isQuick ? 5 : 20;
const callsPerBlock = 1000;
const warmUpCalls = 3000;
const percentiles = {p50: 0.5, p95: 0.95, p99: 0.99};

type Sides = {readonly bare: CallSide; readonly sluice: CallSide};
type Pair = Readonly<Record<keyof Sides, CallTimes>>;

/** One durable write of the start of a call: every call through Sluice waits for one, or shares one with its neighbours. */
async function tellDiskTime(): Promise<void> {
	const {journal, close} = await startToolService({});
	const writes: number[] = [];
	for (let count = 0; count < 1000; count++) {
		const began = performance.now();
		await journal.startCall({
			id: `write-${count}`,
			time: Date.now(),
			profile: 'default',
			server: 'peer',
			tool: 'echo',
			arguments: {text: `call ${count}`},
			origin: {kind: 'command-line'},
		});
		writes.push(performance.now() - began);
	}

	await close();
	const [p50, p99] = [quantile(writes, 0.5), quantile(writes, 0.99)].map(time => time.toFixed(2));
	console.log(`one durable write on this disk: p50 ${p50} ms, p99 ${p99} ms`);
}

async function measurePairs({bare, sluice}: Sides, order: CallOrder): Promise<Pair[]> {
	const pairs: Pair[] = [];
	for (let round = 0; round < rounds; round++) {
		// The first one changes, too.
		if (round % 2 === 0) {
			pairs.push({bare: await bare.measure(order), sluice: await sluice.measure(order)});
		} else {
			const times = await sluice.measure(order);
			pairs.push({bare: await bare.measure(order), sluice: times});
		}
	}

	return pairs;
}

/** Prints the percentiles of all rounds and answers what Sluice adds to each. */
function tellPercentiles(pairs: readonly Pair[], callers: number): Record<keyof typeof percentiles, number> {
	const added = {p50: Number.NaN, p95: Number.NaN, p99: Number.NaN};
	for (const name of ['p50', 'p95', 'p99'] as const) {
		const share = percentiles[name];
		const of = (kind: keyof Sides) => median(pairs.map(pair => quantile(pair[kind].times, share)));
		added[name] = median(pairs.map(pair => quantile(pair.sluice.times, share) - quantile(pair.bare.times, share)));
		const figures = `bare ${of('bare').toFixed(2)} ms, through Sluice ${of('sluice').toFixed(2)} ms`;
		console.log(`${callers} callers, ${name}: ${figures}, added ${added[name].toFixed(2)} ms`);
	}

	return added;
}

/** The side that the callers wait for: a process that uses a full core is the bottleneck, and the cost of others hides behind it. */
function tellBottleneck(pairs: readonly Pair[], serverShare: number): void {
	const share = (kind: keyof Sides) =>
		median(pairs.map(pair => (pair[kind].processorMilliseconds / pair[kind].milliseconds) * 100)).toFixed(0);
	const sides = `the bare client ${share('bare')} %, Sluice ${share('sluice')} %`;
	console.log(
		`  of one core were used by the server ${(serverShare * 100).toFixed(0)} % in all, by ${sides} in its turn`,
	);
}

async function benchCalls(): Promise<void> {
	const server = await startServer();
	const sides = {bare: await startSide('bare', server.url), sluice: await startSide('sluice', server.url)};
	for (const callers of [1, 32]) {
		for (const side of [sides.bare, sides.sluice]) {
			await side.measure({callers, calls: warmUpCalls});
		}

		const before = {seconds: processorSeconds(server.pid), at: performance.now()};
		const pairs = await measurePairs(sides, {callers, calls: callsPerBlock});
		const seconds = (performance.now() - before.at) / 1000;
		const added = tellPercentiles(pairs, callers);
		tellBottleneck(pairs, (processorSeconds(server.pid) - before.seconds) / seconds);
		if (callers === 1) {
			checkLimit('1 caller, added p50', added.p50, {limit: 0.3, unit: 'ms'});
			checkLimit('1 caller, added p99', added.p99, {limit: 2, unit: 'ms'});
		} else {
			checkLimit(`${callers} callers, added p99`, added.p99, {limit: 5, unit: 'ms'});
		}
	}

	await Promise.all([sides.bare.stop(), sides.sluice.stop()]);
	server.stop();
}

/** The median of a call with 200 rules beside that with none, one caller each; the three take turns. */
async function benchRules(): Promise<void> {
	const server = await startServer();
	const kinds = ['sluice', 'sluice-rules-of-many', 'sluice-rules-of-one'] as const;
	const sides = await Promise.all(kinds.map(kind => startSide(kind, server.url)));
	for (const side of sides) {
		await side.measure({callers: 1, calls: warmUpCalls});
	}

	const medians: number[][] = sides.map(() => []);
	for (let round = 0; round < rounds; round++) {
		for (const index of [0, 1, 2].map(place => (place + round) % 3)) {
			const measured = await sides[index]?.measure({callers: 1, calls: callsPerBlock});
			medians[index]?.push(median(measured?.times ?? []));
		}
	}

	const [none = [], ...others] = medians;
	for (const [index, name] of ['for many tools', 'for this tool'].entries()) {
		const times = none.map((time, round) => (others[index]?.[round] ?? Number.NaN) / time);
		checkLimit(`200 rules ${name}, p50 beside none`, median(times), {limit: 1.1, unit: 'times'});
	}

	await Promise.all(sides.map(side => side.stop()));
	server.stop();
}

await tellDiskTime();
await benchCalls();
await benchRules();
await benchStart(isQuick ? 1 / 3 : 1);
