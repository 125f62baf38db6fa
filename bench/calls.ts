/*
`npm run bench:calls`: what a call through Sluice costs beside the bare client of the SDK on the same server in the same run (policy, lane and
journal on; interleaved rounds), and how long a gateway with 1, 10 and 50 servers takes until all that can be ready are, with and without one
that hangs and one that refuses. `--quick` makes fewer rounds.
*/
import {spawn} from 'node:child_process';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {openWing} from './gateway-parts.ts';

const isQuick = process.argv.includes('--quick');
const rounds = isQuick ? 5 : 20;
const callsPerRound = 320;
let missed = 0;

function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((first, second) => first - second);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function median(values: readonly number[]): number {
	return quantile(values, 0.5);
}

function judge(figure: string, measured: number, target: {readonly limit: number; readonly unit: string}): void {
	const isWithin = measured <= target.limit;
	missed += isWithin ? 0 : 1;
	const verdict = isWithin ? 'within' : 'OVER';
	console.log(`${figure.padEnd(46)} ${measured.toFixed(2).padStart(8)} ${target.unit} of ${target.limit} ${verdict}`);
}

/** One process with the server both clients talk to. */
async function startServer() {
	const program = join(import.meta.dirname, '..', 'test', 'fixtures', 'mcp-both-eras.ts');
	const child = spawn(process.execPath, [program, 'http'], {stdio: ['ignore', 'pipe', 'inherit']});
	for await (const line of createInterface({input: child.stdout})) {
		return {url: line, stop: () => child.kill('SIGKILL')};
	}

	throw new Error('the server said nothing');
}

type Call = (text: string) => Promise<unknown>;

/** `callers` at a time until `callsPerRound` calls are made; the time of each, in milliseconds. */
async function measure(call: Call, callers: number): Promise<number[]> {
	const times: number[] = [];
	let left = callsPerRound;
	const work = async () => {
		while (left-- > 0) {
			const began = performance.now();
			await call(`call ${left}`);
			times.push(performance.now() - began);
		}
	};

	await Promise.all(Array.from({length: callers}, work));
	return times;
}

async function benchCalls(): Promise<void> {
	const server = await startServer();
	const client = new Client({name: 'bare', version: '0.0.0'});
	await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
	const {wing, journal, close} = await openWing({
		peer: {url: server.url, supports_parallel_tool_calls: true, trust: 'untrusted'},
	});
	wing.apply();
	await wing.connections.settled(new AbortController().signal);
	const {signal} = new AbortController();
	const bare: Call = text => client.callTool({name: 'echo', arguments: {text}});
	const through: Call = async text => {
		const origin = {kind: 'command-line'} as const;
		const outcome = await wing.callTool({name: 'mcp__peer__echo', arguments: {text}, origin}, {signal});
		if (outcome.kind !== 'result') {
			throw new Error(outcome.error.message);
		}
	};

	const writes: number[] = [];
	for (let count = 0; count < 300; count++) {
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

	// Every call waits for one such write: its start is on the disk before it is sent.
	const durable = [quantile(writes, 0.5), quantile(writes, 0.99)].map(time => time.toFixed(2));
	console.log(`one durable write on this disk: p50 ${durable[0]} ms, p99 ${durable[1]} ms`);
	for (const callers of [1, 32]) {
		await measure(bare, callers);
		await measure(through, callers);
		const pairs: Array<{readonly bare: readonly number[]; readonly through: readonly number[]}> = [];
		for (let round = 0; round < rounds; round++) {
			pairs.push({bare: await measure(bare, callers), through: await measure(through, callers)});
		}

		// Neighbours in time are compared, and the median of the rounds counts: other work on the machine must not decide.
		const added = (share: number) =>
			median(pairs.map(pair => quantile(pair.through, share) - quantile(pair.bare, share)));
		for (const [name, share] of [
			['p50', 0.5],
			['p95', 0.95],
			['p99', 0.99],
		] as const) {
			const of = (kind: 'bare' | 'through') => median(pairs.map(pair => quantile(pair[kind], share))).toFixed(2);
			console.log(`${callers} callers, ${name}: bare ${of('bare')} ms, through Sluice ${of('through')} ms`);
		}

		if (callers === 1) {
			judge('1 caller, added p50', added(0.5), {limit: 0.3, unit: 'ms'});
			judge('1 caller, added p99', added(0.99), {limit: 2, unit: 'ms'});
		} else {
			judge(`${callers} callers, added p99`, added(0.99), {limit: 5, unit: 'ms'});
		}
	}

	await client.close();
	await close();
	server.stop();
}

/** Milliseconds from `apply` until every server named `good…` is connected. */
async function readyTime(servers: Readonly<Record<string, object>>): Promise<number> {
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

async function benchStart(): Promise<void> {
	const server = await startServer();
	const silent = createServer(() => undefined);
	await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
	const address = silent.address();
	const port = typeof address === 'object' ? address?.port : 0;
	const hanging = {hangs: {url: `http://127.0.0.1:${port}/mcp`}};
	const refusing = {refuses: {url: 'http://127.0.0.1:9/mcp'}};
	for (const count of [1, 10, 50]) {
		const good = Object.fromEntries(
			Array.from({length: count}, (_, index) => [`good${index}`, {url: server.url}] as const),
		);
		const alone: number[] = [];
		const beside: number[] = [];
		await readyTime(good);
		for (let round = 0; round < (isQuick ? 5 : 15); round++) {
			alone.push(await readyTime({...good, ...refusing}));
			beside.push(await readyTime({...hanging, ...good, ...refusing}));
		}

		console.log(
			`${count} servers ready in ${median(alone).toFixed(1)} ms, beside one that hangs in ${median(beside).toFixed(1)} ms`,
		);
		judge(`${count} servers, moved by the hanging one`, (median(beside) / median(alone) - 1) * 100, {
			limit: 10,
			unit: '%',
		});
	}

	silent.close();
	server.stop();
}

await benchCalls();
await benchStart();
process.exitCode = missed > 0 ? 1 : 0;
