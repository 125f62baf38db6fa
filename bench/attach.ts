import {type ChildProcess, fork, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {connectControl, type ControlClient} from '../source/control/client.ts';
import {systemClock} from '../source/util/clock.ts';
import {checkLimit, median, quantile} from './figures.ts';
import {openPseudoTerminal, type PseudoTerminal} from './pseudo-terminal.ts';

/*
Measures what a window costs that is attached to a running gateway, beside one with the gateway in its own process, with the built program in pseudo
terminals at 120x40 (docs/performance.md, Attached windows). `--quick` measures less often and for shorter.
*/

const isQuick = process.argv.includes('--quick');
const [starts, decisions, seconds] = isQuick ? [5, 6, 2] : [15, 30, 10];
const program = new URL('../dist/bin.js', import.meta.url).pathname;
const garden = new URL('../dist/demo-stdio-server.js', import.meta.url).pathname;
const directory = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const wait = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));
const gateways = new Set<ChildProcess>();

/** A state directory with one tool server, whose calls wait for a person. */
function stateDirectory(): string {
	const home = mkdtempSync(join(directory, 'home-'));
	const servers = {garden: {command: process.execPath, args: [garden], trust: 'untrusted'}};
	writeFileSync(
		join(home, 'config.yaml'),
		JSON.stringify({gateway: {endpoint: {port: 0}}, mcp_servers: servers, approvals: {unattended: 'hold'}}),
	);
	return home;
}

function openWindow(home: string): PseudoTerminal {
	return openPseudoTerminal([program], {HOME: home, SLUICE_HOME: home});
}

async function connect(home: string): Promise<ControlClient> {
	for (let attempt = 0; attempt < 200; attempt++) {
		const client = await connectControl({path: join(home, 'control.sock'), clock: systemClock});
		if (client) {
			return client;
		}

		await wait(25);
	}

	throw new Error('The gateway never came up');
}

/** A gateway without a window, on a state directory of its own. */
async function startGateway(): Promise<string> {
	const home = stateDirectory();
	const gateway = spawn(process.execPath, [program, 'gateway', 'run'], {
		env: {PATH: process.env['PATH'], HOME: home, SLUICE_HOME: home},
		stdio: 'ignore',
	});
	gateways.add(gateway);
	const client = await connect(home);
	client.close();
	return home;
}

/** Both kinds of window, one after the other, so that each finds the machine as the other does. */
async function measureStart(gatewayHome: string): Promise<void> {
	const own: number[] = [];
	const attached: number[] = [];
	const attachedTimes: number[] = [];
	// The first run fills the compile cache and does not count.
	for (let run = 0; run <= starts; run++) {
		const window = openWindow(stateDirectory());
		const ownFrame = await window.firstBytesWith('sluice');
		await window.end();
		const other = openWindow(gatewayHome);
		const attachedFrame = await other.firstBytesWith('sluice');
		const attachedAt = await other.firstBytesWith('attached');
		await other.end();
		if (run > 0) {
			own.push(ownFrame);
			attached.push(attachedFrame);
			attachedTimes.push(attachedAt);
		}
	}

	const [one, two, state] = [median(own), median(attached), median(attachedTimes)];
	console.log(
		`medians of ${starts}: first frame with a gateway of its own ${one.toFixed(0)} ms, attached ${two.toFixed(0)} ms, with the gateway's state ${state.toFixed(0)} ms`,
	);
	checkLimit('first frame, times that of one process', two / one, {limit: 1.25, unit: 'x'});
}

/** Milliseconds from the key that allows a call to its answer, tool included. */
async function decisionTime(window: PseudoTerminal, client: ControlClient): Promise<number> {
	const asked = window.press('', 'approval waiting');
	const params = {name: 'mcp__garden__add_task', arguments: {title: 'Mow the lawn'}, approve: false};
	const answered = client
		.call('mcp.call', params, {signal: new AbortController().signal})
		.then(() => performance.now());
	await asked;
	await window.press('A', 'ready');
	const pressedAt = performance.now();
	window.type('a');
	return (await answered) - pressedAt;
}

/** A window in which somebody decides, and who asks. */
async function openDecisions(home: string) {
	const window = openWindow(home);
	const client = await connect(home);
	await window.firstBytesWith('connected');
	// Keys of its first moments are not taken.
	await window.pressUntil('W', 'W Log');
	return {
		decide: () => decisionTime(window, client),
		async end() {
			client.close();
			await window.end();
		},
	};
}

/** In both kinds of window in turn, so that each finds the machine as the other does. */
async function measureDecisions(gatewayHome: string): Promise<void> {
	const ownWindow = await openDecisions(stateDirectory());
	const attachedWindow = await openDecisions(gatewayHome);
	const own: number[] = [];
	const attached: number[] = [];
	for (let call = 0; call <= decisions; call++) {
		own.push(await ownWindow.decide());
		attached.push(await attachedWindow.decide());
		// The reviews close by themselves.
		await wait(600);
	}

	await ownWindow.end();
	await attachedWindow.end();
	// The first ones compile the code.
	const [ownTimes, attachedTimes] = [own.slice(1), attached.slice(1)];
	for (const [name, times] of [
		['of one process', ownTimes],
		['attached', attachedTimes],
	] as const) {
		console.log(
			`key to the answer of the call, ${name}: p50 ${median(times).toFixed(1)} ms, p90 ${quantile(times, 0.9).toFixed(1)} ms`,
		);
	}

	const ratio = median(attachedTimes) / median(ownTimes);
	checkLimit('key to decision, times that of one process', ratio, {limit: 1.5, unit: 'x'});
}

/** Share of a core, in per cent, that a process uses over the next seconds, as it counts itself. */
async function share(gateway: ChildProcess): Promise<number> {
	const used = async () => {
		const answer = once(gateway, 'message');
		gateway.send('usage');
		const [microseconds] = (await answer) as [number];
		return microseconds;
	};
	const before = await used();
	const startedAt = performance.now();
	await wait(seconds * 1000);
	return ((await used()) - before) / (performance.now() - startedAt) / 10;
}

/** Limits are for one and for three windows, in per cent of a core beyond what the gateway uses without. */
async function measureLoad(rate: number, limits: readonly [one: number, three: number]): Promise<void> {
	const home = mkdtempSync(join(directory, 'home-'));
	const gateway = fork(
		new URL('gateway-under-load.ts', import.meta.url).pathname,
		[join(home, 'control.sock'), `${rate}`],
		{
			execArgv: ['--disable-warning=ExperimentalWarning'],
		},
	);
	gateways.add(gateway);
	await once(gateway, 'message');
	await wait(2000);
	const none = await share(gateway);
	const windows: PseudoTerminal[] = [];
	for (const [index, count] of [1, 3].entries()) {
		while (windows.length < count) {
			const window = openWindow(home);
			windows.push(window);
			await window.firstBytesWith('attached');
		}

		await wait(1000);
		const used = await share(gateway);
		const ratio = (used / none).toFixed(1);
		console.log(
			`${rate} events/s: ${none.toFixed(2)} % of a core without a window, ${used.toFixed(2)} % with ${count} (${ratio} times)`,
		);
		checkLimit(`added by ${count} at ${rate} events/s`, used - none, {limit: limits[index] ?? 0, unit: '%'});
	}

	await Promise.all(windows.map(window => window.end()));
	gateway.disconnect();
}

try {
	const gatewayHome = await startGateway();
	await measureStart(gatewayHome);
	await measureDecisions(gatewayHome);
	await measureLoad(0, [0.5, 0.5]);
	await measureLoad(100, [1.5, 3]);
	await measureLoad(1000, [3, 6]);
} finally {
	gateways.forEach(gateway => gateway.kill());
	rmSync(directory, {recursive: true, force: true, maxRetries: 5, retryDelay: 200});
}
