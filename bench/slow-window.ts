import {spawn} from 'node:child_process';
import {createHmac} from 'node:crypto';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {freePort} from '../test/helpers/free-port.ts';
import {checkLimit} from './figures.ts';
import {openPseudoTerminal} from './pseudo-terminal.ts';
import {type SenderResult, type SenderWork} from './sender-work.ts';
import {configuration, secret, untilListening} from './webhook-receivers.ts';
import {makePayload} from './webhook-payload.ts';

/*
Whether a window that does not read slows the gateway down: two built gateways take 200 signed webhooks a second each, at the same time, so that both
find the machine as the other does. One has an attached window whose process is stopped, the other has none (docs/performance.md, Attached windows).
`--quick` takes seconds instead of a minute.
*/

const [warmUpSeconds, stoppedSeconds] = process.argv.includes('--quick') ? [2, 6] : [5, 60];
const webhooksPerSecond = 200;
const program = new URL('../dist/bin.js', import.meta.url).pathname;
const flags = ['--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'];
let senders = 0;

/** Posts at that rate for so long, from a process of its own. */
async function send(port: number, seconds: number): Promise<SenderResult> {
	const body = makePayload('1 KB');
	const digest = createHmac('sha256', secret).update(body).digest('hex');
	const head = [
		'POST /webhooks/bench HTTP/1.1',
		`host: 127.0.0.1:${port}`,
		'content-type: application/json',
		'x-github-event: pull_request',
		'x-github-delivery: {id}',
		`x-hub-signature-256: sha256=${digest}`,
		`content-length: ${Buffer.byteLength(body)}`,
	].join('\r\n');
	const run = String(senders++).padStart(3, '0');
	const work: SenderWork = {port, head, body, connections: 16, rate: webhooksPerSecond, warmUpSeconds: 1, seconds, run};
	const sender = spawn(process.execPath, [new URL('webhook-sender.ts', import.meta.url).pathname], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	sender.stdin.end(JSON.stringify(work));
	return JSON.parse(await text(sender.stdout)) as SenderResult;
}

function report(name: string, {p50, p99, maximum, perSecond, refused, firstRefusal}: SenderResult): void {
	const times = `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, longest ${maximum.toFixed(1)} ms`;
	console.log(`${name.padEnd(24)} ${perSecond.toFixed(0)} a second, ${times}`);
	if (refused > 0) {
		throw new Error(`${refused} webhooks were refused, the first with ${firstRefusal}`);
	}
}

type BenchGateway = {readonly home: string; readonly port: number; readonly end: () => Promise<void>};

async function startGateway(): Promise<BenchGateway> {
	const home = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
	const port = await freePort();
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({gateway: {endpoint: {port: 0}}, ...configuration(port)}));
	const gateway = spawn(process.execPath, [...flags, program, 'gateway', 'run'], {
		env: {PATH: process.env['PATH'], HOME: home, SLUICE_HOME: home},
		stdio: 'ignore',
	});
	const ended = new Promise(resolve => gateway.once('close', resolve));
	await untilListening(port);
	return {
		home,
		port,
		async end() {
			gateway.kill('SIGTERM');
			await ended;
			rmSync(home, {recursive: true, force: true});
		},
	};
}

async function measure(watched: BenchGateway, alone: BenchGateway): Promise<void> {
	const sendToBoth = (seconds: number) => Promise.all([send(watched.port, seconds), send(alone.port, seconds)]);
	const window = openPseudoTerminal([program], {HOME: watched.home, SLUICE_HOME: watched.home});
	try {
		await window.firstBytesWith('attached');
		// Code that runs for the first time is slower.
		await sendToBoth(warmUpSeconds);
		process.kill(window.pid, 'SIGSTOP');
		const [beside, without] = await sendToBoth(stoppedSeconds);
		process.kill(window.pid, 'SIGCONT');
		report(`window stopped for ${stoppedSeconds} s`, beside);
		report('no window', without);
		checkLimit('p99 beside a stopped window, times without', beside.p99 / without.p99, {limit: 1.25, unit: 'x'});
		checkLimit('p50 beside a stopped window, times without', beside.p50 / without.p50, {limit: 1.25, unit: 'x'});
		// It has caught up: a key is drawn.
		checkLimit('key to its bytes after that', await window.press('W', 'W Log ·'), {limit: 1000, unit: 'ms'});
	} finally {
		process.kill(window.pid, 'SIGCONT');
		await window.end();
	}
}

const [watched, alone] = [await startGateway(), await startGateway()];
try {
	await measure(watched, alone);
} finally {
	await Promise.all([watched.end(), alone.end()]);
}
