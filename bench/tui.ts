import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {rolldown} from 'rolldown';
import options from '../build/rolldown.config.js';
import {freePort} from '../test/helpers/free-port.ts';
import {processorPercent, residentMegabytes} from './process-usage.ts';
import {openPseudoTerminal, type PseudoTerminal} from './pseudo-terminal.ts';

/*
Measures the built program in a pseudo terminal at 120x40 and prints each figure beside its limit (docs/performance.md, Dashboard).
`--quick` warms up for 10 seconds instead of 60.
*/

const warmUpSeconds = process.argv.includes('--quick') ? 10 : 60;
/** Of a hundred keys the 99th percentile would be one key. */
const keysPressed = 400;
const program = new URL('../dist/bin.js', import.meta.url).pathname;
const directory = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const results: Array<{figure: string; measured: number; limit: number; unit: string}> = [];
const wait = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

function note(figure: string, measured: number, [limit, unit]: readonly [limit: number, unit: string]): void {
	results.push({figure, measured, limit, unit});
	const verdict = measured <= limit ? 'within' : 'OVER';
	console.log(
		`${figure.padEnd(52)} ${measured.toFixed(1).padStart(8)} ${unit.padEnd(3)} ${(measured / limit).toFixed(2).padStart(6)} of ${limit} ${unit} ${verdict}`,
	);
}

/** The smallest value that is not below `share` of all values. */
function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((first, second) => first - second);
	return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Tries until the webhook listener takes a connection; milliseconds since `startedAt`. */
async function untilListening(port: number, startedAt: number): Promise<number> {
	for (let attempt = 0; attempt < 2000; attempt++) {
		const isOpen = await new Promise<boolean>(resolve => {
			const socket = connect(port, '127.0.0.1', () => {
				socket.destroy();
				resolve(true);
			});
			socket.on('error', () => resolve(false));
		});
		if (isOpen) {
			return performance.now() - startedAt;
		}

		await wait(2);
	}

	throw new Error('The webhook listener never came up');
}

async function measureStart(): Promise<void> {
	const frames: number[] = [];
	const listening: number[] = [];
	const floor: number[] = [];
	// The first run fills the compile cache and does not count.
	for (let run = 0; run < 8; run++) {
		const home = mkdtempSync(join(directory, 'home-'));
		const port = await freePort();
		writeFileSync(
			join(home, 'config.yaml'),
			`platforms:\n  webhook:\n    enabled: true\n    port: ${port}\n    secret: bench\n    routes:\n      bench: {}\n`,
		);
		const bare = openPseudoTerminal(['-e', 'console.log("floor")'], {HOME: home});
		const bareMilliseconds = await bare.firstBytesWith('floor');
		await bare.end();
		const startedAt = performance.now();
		const terminal = openPseudoTerminal([program], {HOME: home, SLUICE_HOME: home});
		const [frame, up] = await Promise.all([terminal.firstBytesWith('sluice'), untilListening(port, startedAt)]);
		await terminal.end();
		if (run > 0) {
			floor.push(bareMilliseconds);
			frames.push(frame);
			listening.push(up);
		}
	}

	const bare = quantile(floor, 0.5);
	const [frame, up] = [quantile(frames, 0.5), quantile(listening, 0.5)];
	console.log(
		`medians of 7: a bare \`node -e console.log\` in the same terminal ${bare.toFixed(1)} ms, first frame ${frame.toFixed(1)} ms, listening ${up.toFixed(1)} ms`,
	);
	note('first frame, times a bare node', frame / bare, [5, 'x']);
	note('core listening, times a bare node', up / bare, [9, 'x']);
}

async function measureIdle(): Promise<void> {
	const home = mkdtempSync(join(directory, 'home-'));
	const terminal = openPseudoTerminal([program], {HOME: home, SLUICE_HOME: home});
	await terminal.firstBytesWith('sluice');
	await wait(warmUpSeconds * 1000);
	note('idle, share of a core', await processorPercent(terminal.pid, 10), [1, '%']);
	await terminal.end();
}

async function buildLoadProgram(): Promise<string> {
	writeFileSync(join(directory, 'package.json'), '{"type": "module"}');
	const bundle = await rolldown({
		...options,
		input: {
			load: new URL('dashboard-under-load.ts', import.meta.url).pathname,
			'ink-without-store': new URL('ink-without-store.tsx', import.meta.url).pathname,
			'line-painter': new URL('line-painter.ts', import.meta.url).pathname,
			'worker-writer-thread': new URL('../source/tui/terminal/worker-writer-thread.ts', import.meta.url).pathname,
		},
		plugins: [],
	});
	await bundle.write({
		dir: directory,
		format: 'esm',
		entryFileNames: '[name].js',
		chunkFileNames: '[name]-[hash].js',
	});
	await bundle.close();
	return join(directory, 'load.js');
}

async function keyLatencies(terminal: PseudoTerminal): Promise<readonly number[]> {
	const latencies: number[] = [];
	for (let key = 0; key < keysPressed; key++) {
		const isLog = key % 2 === 0;
		latencies.push(await terminal.press(isLog ? 'W' : '3', isLog ? 'W Log ·' : '3 Events ·'));
		// Out of step with the flushes, so that keys meet them at every phase.
		await wait(63 + (key % 37));
	}

	return latencies;
}

async function measureKeys(terminal: PseudoTerminal): Promise<void> {
	const latencies = await keyLatencies(terminal);
	note('key to bytes at 1000 events/s, p50', quantile(latencies, 0.5), [10, 'ms']);
	note('key to bytes at 1000 events/s, p99', quantile(latencies, 0.99), [60, 'ms']);
}

/** The same frame from the same events by other means: what the store saves, and the floor. Figures to compare with, no limits. */
async function measurePeers(): Promise<void> {
	for (const [peer, words] of [
		['ink-without-store', 'Ink, state set by every event'],
		['line-painter', 'painted by hand, line by line'],
	] as const) {
		const terminal = openPseudoTerminal([join(directory, `${peer}.js`), '1000'], {NODE_ENV: 'production'});
		await terminal.firstBytesWith('route-');
		await wait(warmUpSeconds * 1000);
		const percent = await processorPercent(terminal.pid, 15);
		const keys = await keyLatencies(terminal);
		const memory = residentMegabytes(terminal.pid);
		await terminal.end();
		console.log(
			`  peer, ${words}: ${percent.toFixed(1)} % of a core at 1000 events/s, key p50 ${quantile(keys, 0.5).toFixed(1)} ms, p99 ${quantile(keys, 0.99).toFixed(1)} ms, ${memory.toFixed(0)} MB`,
		);
	}
}

async function measureLoad(load: string): Promise<void> {
	for (const [rate, limit] of [
		[100, 10],
		[1000, 13],
	] as const) {
		const terminal = openPseudoTerminal([load, String(rate)], {NODE_ENV: 'production'});
		await terminal.firstBytesWith('route-');
		await wait(warmUpSeconds * 1000);
		note(`${rate} events/s, share of a core`, await processorPercent(terminal.pid, 15), [limit, '%']);
		if (rate === 1000) {
			await measureKeys(terminal);
			note('resident memory at the end', residentMegabytes(terminal.pid), [200, 'MB']);
		}

		await terminal.end();
	}
}

async function measureStall(load: string): Promise<void> {
	for (const [writer, limit] of [
		['non-blocking', 200],
		['worker', 300],
	] as const) {
		const gapFile = join(directory, `gap-${writer}`);
		const terminal = openPseudoTerminal([load, '100', writer, gapFile], {NODE_ENV: 'production'});
		await terminal.firstBytesWith('route-');
		await wait(3000);
		process.kill(terminal.pid, 'SIGUSR2');
		terminal.stall();
		await wait(5000);
		process.kill(terminal.pid, 'SIGUSR2');
		await wait(300);
		const gaps = readFileSync(gapFile, 'utf8').trim().split('\n').map(Number);
		note(`stalled terminal, longest gap of the loop (${writer})`, gaps[1] ?? Number.NaN, [limit, 'ms']);
		terminal.read();
		await terminal.end();
	}
}

try {
	await measureStart();
	const load = await buildLoadProgram();
	await measureStall(load);
	await measureLoad(load);
	await measurePeers();
	await measureIdle();
	const over = results.filter(({measured, limit}) => !(measured <= limit));
	console.log(over.length === 0 ? 'All figures hold.' : `${over.length} of ${results.length} figures are over.`);
} finally {
	rmSync(directory, {recursive: true, force: true});
}
