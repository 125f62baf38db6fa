/*
`npm run bench:endpoint`: the whole way of a call, client → endpoint → server. `echo` of one stdio server through the built gateway, with policy,
journal and window on, and through other gateways; beside them the server alone over HTTP and over stdio, and a floor. Every client is a process
of its own, warmed up with 1,000 calls; turns are interleaved, and medians over the turns count. `--quick` makes fewer; `--only Sluice,floor`
leaves the others out; `--profile <folder>` writes a profile of Sluice's processor time there; `--beside <folder>` measures another build of this
repository, a copy of `dist` beside it, in the same run.
*/
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type CallSide, startCaller} from './call-sides.ts';
import {bareStdio, type Era, installPeers, type Peer, startHttp, startPeer, startSluice} from './endpoint-peers.ts';
import {checkLimit, median, quantile} from './figures.ts';
import {processorSeconds} from './process-usage.ts';

type Turn = {readonly p50: number; readonly p99: number; readonly perSecond: number; readonly processor: number};
type Row = {
	readonly peer: Peer;
	readonly era: Era;
	readonly side: CallSide;
	readonly turns: {readonly alone: Turn[]; readonly together: Turn[]};
};

const isQuick = process.argv.includes('--quick');
const turns = isQuick ? 3 : 5;
const calls = isQuick ? {alone: 100, together: 400} : {alone: 500, together: 2000};
const callers = {alone: 1, together: 32} as const;
const warmUpCalls = 1000;

function option(name: string): string | undefined {
	return process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined;
}

const only = option('--only')?.split(',');
const isWanted = (name: string) => only === undefined || only.some(wanted => name.startsWith(wanted));

async function startAll(directory: string, started: Peer[]): Promise<void> {
	const profile = option('--profile');
	const flags = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
	started.push(await startSluice(directory, {name: 'Sluice', dist: 'dist', flags}));
	const beside = option('--beside');
	if (beside) {
		started.push(await startSluice(directory, {name: `Sluice in ${beside}`, dist: beside, flags: []}));
	}

	const others = (['mcp-hub', 'supergateway', 'mcp-proxy'] as const).filter(isWanted);
	if (others.length > 0 && !installPeers()) {
		console.log('SKIPPED: mcp-hub, supergateway and mcp-proxy cannot be had from the registry; nothing is judged.\n');
		others.length = 0;
	}

	for (const name of others) {
		started.push(await startPeer(name, directory));
	}

	started.push(await startHttp('sdk'), await startHttp('floor'), bareStdio);
}

/** A warm client of each peer in each era that it speaks. */
async function connectAll(peers: readonly Peer[], rows: Row[]): Promise<void> {
	for (const peer of peers.filter(({name}) => isWanted(name))) {
		for (const {era, caller, address} of peer.ways) {
			const side = await startCaller('endpoint-caller.ts', [caller, address, peer.token ?? 'none']);
			rows.push({peer, era, side, turns: {alone: [], together: []}});
			const {milliseconds} = await side.measure({callers: callers.together, calls: warmUpCalls});
			console.log(`${peer.name}, ${era}: warm after ${(milliseconds / 1000).toFixed(1)} s`);
		}
	}
}

async function takeTurn({peer: {pid}, side, turns: taken}: Row): Promise<void> {
	for (const load of ['alone', 'together'] as const) {
		const before = pid === undefined ? Number.NaN : processorSeconds(pid);
		const {times, milliseconds} = await side.measure({callers: callers[load], calls: calls[load]});
		const used = pid === undefined ? Number.NaN : processorSeconds(pid) - before;
		taken[load].push({
			p50: quantile(times, 0.5),
			p99: quantile(times, 0.99),
			perSecond: (times.length / milliseconds) * 1000,
			processor: (used / times.length) * 1000,
		});
	}
}

function figureOf(row: Row, load: keyof Row['turns'], figure: keyof Turn): number {
	return median(row.turns[load].map(turn => turn[figure]));
}

function tell(rows: readonly Row[]): void {
	const ours = rows.find(({peer}) => peer.role === 'sluice');
	console.log(`${'1 caller'.padStart(37)}${'32 callers'.padStart(26)}${'processor'.padStart(34)}`);
	for (const row of rows) {
		const [p50, p99] = [figureOf(row, 'alone', 'p50'), figureOf(row, 'alone', 'p99')];
		const [rate, slow] = [figureOf(row, 'together', 'perSecond'), figureOf(row, 'together', 'p99')];
		const times = ours ? (p50 / figureOf(ours, 'alone', 'p50')).toFixed(2) : '';
		const share = ours ? (rate / figureOf(ours, 'together', 'perSecond')).toFixed(2) : '';
		const processor = figureOf(row, 'together', 'processor');
		console.log(
			[
				row.peer.name.padEnd(20),
				`p50 ${p50.toFixed(2).padStart(5)} ms (${times.padStart(4)}×)  p99 ${p99.toFixed(1).padStart(5)} ms`,
				`${rate.toFixed(0).padStart(6)}/s (${share.padStart(5)}×)  p99 ${slow.toFixed(0).padStart(4)} ms`,
				Number.isNaN(processor) ? '' : `${processor.toFixed(2)} ms a call`,
			].join('  '),
		);
	}
}

/** At most the median time, and at least the rate, of whichever peer is fastest in this run. */
function compareWithPeers(rows: readonly Row[], era: Era): void {
	const ours = rows.find(({peer}) => peer.role === 'sluice');
	const peers = rows.filter(({peer}) => peer.role === 'peer');
	if (!ours || peers.length === 0) {
		return;
	}

	const leastTime = Math.min(...peers.map(row => figureOf(row, 'alone', 'p50')));
	const maxCalls = Math.max(...peers.map(row => figureOf(row, 'together', 'perSecond')));
	const unit = 'times';
	checkLimit(`${era}, p50 beside the fastest peer's`, figureOf(ours, 'alone', 'p50') / leastTime, {limit: 1, unit});
	checkLimit(`${era}, fastest peer's rate beside ours`, maxCalls / figureOf(ours, 'together', 'perSecond'), {
		limit: 1,
		unit,
	});
}

const directory = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const peers: Peer[] = [];
const rows: Row[] = [];
let ending: Promise<void> | undefined;
const end = () =>
	(ending ??= (async () => {
		await Promise.allSettled(rows.map(({side}) => side.stop()));
		await Promise.allSettled(peers.map(peer => peer.end()));
		rmSync(directory, {recursive: true, force: true});
	})());

// It ends what it started, also when it is stopped itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => void end().then(() => process.exit(1)));
}

try {
	await startAll(directory, peers);
	await connectAll(peers, rows);
	for (let turn = 0; turn < turns; turn++) {
		// The first one changes, too.
		for (const row of [...rows.slice(turn), ...rows.slice(0, turn)]) {
			await takeTurn(row);
		}
	}

	for (const era of ['older era', '2026 era'] as const) {
		const inEra = rows.filter(row => row.era === era);
		console.log(`\n${era}`);
		tell(inEra);
		compareWithPeers(inEra, era);
	}
} finally {
	await end();
}
