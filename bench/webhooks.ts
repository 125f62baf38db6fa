import {spawn} from 'node:child_process';
import {createHmac} from 'node:crypto';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {postgresPrograms, type PostgresServer, startPostgres} from '../test/helpers/postgres-server.ts';
import {processorSeconds} from './process-usage.ts';
import {makePayload, payloadBytes, type PayloadSize} from './webhook-payload.ts';
import {type Receiver, secret, startBare, startDebianWebhook, startSluice} from './webhook-receivers.ts';
import {type SenderResult, type SenderWork} from './sender-work.ts';
import {measureStages} from './webhook-stages.ts';

/*
The built gateway with everything on, its window drawing, against a bare fastify that keeps nothing, in one run: rounds take turns, medians
count. A fastify whose answers go together, and one that keeps one row of each event, show what batches gain and what the disk alone takes.
Then a calm 1,000 events a second; the same gateway with its journal in PostgreSQL, which has no limit and comes alone, as what its server still
writes after a round would count against the others; and where the time of a request goes. Options: `--quick` (short rounds), `--size "1 KB"`, `--no-calm`.
*/

const isQuick = process.argv.includes('--quick');
const onlySize = process.argv[process.argv.indexOf('--size') + 1];
const sizes = (Object.keys(payloadBytes) as PayloadSize[]).filter(
	size => !process.argv.includes('--size') || size === onlySize,
);
const rounds = isQuick ? 3 : 5;
const warmUpSeconds = isQuick ? 1 : 2;
const seconds = isQuick ? 4 : 5;
const leastRatio: Readonly<Record<PayloadSize, number>> = {'1 KB': 0.55, '21 KB': 0.5, '1 MB': 0.55};
const connectionsFor: Readonly<Record<PayloadSize, number>> = {'1 KB': 64, '21 KB': 64, '1 MB': 8};
const calmSizes = ['1 KB', '21 KB'] as const;
/** The largest ratio of the 99th percentile of a calm load to that of the bare receiver. */
const maxCalmRatio = 5;
const misses: string[] = [];
let senders = 0;

/** One round of a sender in a process of its own, and what the receiver's process used meanwhile. */
async function send(
	receiver: Receiver,
	size: PayloadSize,
	changes: Partial<SenderWork> = {},
): Promise<SenderResult & {readonly processorMicroseconds: number}> {
	const body = makePayload(size);
	const digest = createHmac('sha256', secret).update(body).digest('hex');
	const work: SenderWork = {
		port: receiver.port,
		head: [
			'POST /webhooks/bench HTTP/1.1',
			`host: 127.0.0.1:${receiver.port}`,
			'user-agent: GitHub-Hookshot/bench',
			'accept: */*',
			'content-type: application/json',
			'x-github-event: pull_request',
			'x-github-delivery: {id}',
			`x-hub-signature-256: sha256=${digest}`,
			`content-length: ${Buffer.byteLength(body)}`,
		].join('\r\n'),
		body,
		connections: connectionsFor[size],
		rate: 0,
		warmUpSeconds,
		seconds,
		run: (senders++).toString(36).padStart(3, '0'),
		...changes,
	};
	const child = spawn(process.execPath, [new URL('webhook-sender.ts', import.meta.url).pathname], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	child.stdin.end(JSON.stringify(work));
	const usedBefore = processorSeconds(receiver.pid);
	let output = '';
	child.stdout.on('data', (text: Buffer) => void (output += text.toString()));
	await new Promise(resolve => child.once('close', resolve));
	const result = JSON.parse(output) as SenderResult;
	if (result.refused > 0) {
		throw new Error(`${receiver.name} refused ${result.refused} of ${size}: ${result.firstRefusal}`);
	}

	const used = processorSeconds(receiver.pid) - usedBefore;
	return {...result, processorMicroseconds: (used * 1e6) / result.sent};
}

function median(values: readonly number[]): number {
	return values.toSorted((first, second) => first - second)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function verdictOf(what: string, holds: boolean): string {
	if (!holds) {
		misses.push(what);
	}

	return holds ? 'holds' : 'MISSED';
}

type Throughput = {
	readonly name: string;
	readonly perSecond: number;
	readonly p50: number;
	readonly p99: number;
	readonly processor: number;
};

/** Rounds take turns; the medians of each receiver, in their order. */
async function measureThroughput(size: PayloadSize, receivers: readonly Receiver[]): Promise<readonly Throughput[]> {
	const results = new Map(receivers.map(receiver => [receiver, [] as Array<Awaited<ReturnType<typeof send>>>]));
	for (let round = 0; round < rounds; round++) {
		for (const receiver of receivers) {
			results.get(receiver)?.push(await send(receiver, size));
		}
	}

	const figures = [...results].map(([receiver, all]) => ({
		name: receiver.name,
		perSecond: median(all.map(one => one.perSecond)),
		p50: median(all.map(one => one.p50)),
		p99: median(all.map(one => one.p99)),
		processor: median(all.map(one => one.processorMicroseconds)),
	}));
	for (const {name, perSecond, p50, p99, processor} of figures) {
		console.log(
			`${size.padEnd(6)} ${name.padEnd(18)} ${perSecond.toFixed(0).padStart(7)}/s  p50 ${p50.toFixed(1).padStart(6)} ms  p99 ${p99.toFixed(1).padStart(7)} ms  processor ${processor.toFixed(0).padStart(6)} µs each`,
		);
	}

	return figures;
}

/** Compares our throughput with that of the bare receiver; answers the processor time of one of our events, in microseconds. */
function checkThroughput(size: PayloadSize, [ours, bare]: readonly Throughput[]): number {
	const ratio = (ours?.perSecond ?? 0) / (bare?.perSecond ?? 1);
	const verdict = verdictOf(`throughput at ${size}`, ratio >= leastRatio[size]);
	console.log(`${size.padEnd(6)} ratio ${ratio.toFixed(2)}, at least ${leastRatio[size]}: ${verdict}\n`);
	return ours?.processor ?? Number.NaN;
}

async function measureCalm(sluice: Receiver, bare: Receiver): Promise<void> {
	for (const size of calmSizes.filter(one => sizes.includes(one))) {
		const calm = async (receiver: Receiver) => {
			const result = await send(receiver, size, {rate: 1000, seconds: seconds * 2});
			const {p50, p99, maximum, perSecond} = result;
			const figures = `${perSecond.toFixed(0)}/s  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(1)} ms  longest ${maximum.toFixed(0)} ms`;
			console.log(`calm ${size.padEnd(6)} ${receiver.name.padEnd(18)} ${figures}`);
			return result;
		};

		const ratio = (await calm(sluice)).p99 / (await calm(bare)).p99;
		const verdict = verdictOf(`calm load at ${size}`, ratio <= maxCalmRatio);
		console.log(`calm ${size.padEnd(6)} ratio of p99 ${ratio.toFixed(1)}, at most ${maxCalmRatio}: ${verdict}\n`);
	}
}

const directory = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const receivers: Receiver[] = [];
let database: PostgresServer | undefined;
try {
	receivers.push(await startSluice(directory), await startBare());
	receivers.push(await startBare('batches'), await startBare({file: join(directory, 'one-row.db')}));
	const debian = await startDebianWebhook(directory);
	if (debian) {
		receivers.push(debian);
	} else {
		console.log("Debian's webhook is not installed; measured without it.\n");
	}

	const costs = new Map<PayloadSize, number>();
	for (const size of sizes) {
		costs.set(size, checkThroughput(size, await measureThroughput(size, receivers)));
	}

	if (!process.argv.includes('--no-calm')) {
		const [sluice, bare] = receivers;
		await (sluice && bare && measureCalm(sluice, bare));
	}

	await Promise.all(receivers.splice(0).map(receiver => receiver.end()));
	if (postgresPrograms) {
		// On the same disk as the file of the other journal.
		database = await startPostgres(tmpdir());
		receivers.push(await startSluice(directory, database));
		for (const size of sizes) {
			await measureThroughput(size, receivers);
		}

		await Promise.all(receivers.splice(0).map(receiver => receiver.end()));
		console.log();
	} else {
		console.log('PostgreSQL is not installed; measured without it.\n');
	}

	for (const [size, microseconds] of costs) {
		await measureStages(size, {microseconds, directory});
	}

	console.log(misses.length === 0 ? 'All figures hold.' : `Missed: ${misses.join(', ')}.`);
	process.exitCode = misses.length === 0 ? 0 : 1;
} finally {
	await Promise.all(receivers.map(receiver => receiver.end()));
	await database?.remove();
	rmSync(directory, {recursive: true, force: true});
}
