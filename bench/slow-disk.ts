import {createHmac} from 'node:crypto';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {buildFlushLibrary, flushDelayMilliseconds} from '../test/helpers/flush-library.ts';
import {freePort} from '../test/helpers/free-port.ts';
import {startServer} from './call-sides.ts';
import {checkLimit, median, quantile} from './figures.ts';
import {openPseudoTerminal, type PseudoTerminal} from './pseudo-terminal.ts';
import {secret, untilListening} from './webhook-receivers.ts';

/*
What else waits while a disk is slow: the built gateway with its dashboard, 20 signed webhooks a second, and flushes that take 200 ms longer in
every second turn. Each figure is printed beside its limit and beside the turns without the delay (docs/performance.md, Slow disk).
*/

const turns = 4;
const turnMilliseconds = 7000;
const webhooksPerSecond = 20;
const program = new URL('../dist/bin.js', import.meta.url).pathname;

/** Milliseconds of each kind of wait. */
type Times = {
	readonly health: number[];
	readonly key: number[];
	readonly call: number[];
	readonly webhook: number[];
};

type Target = {
	readonly base: string;
	readonly terminal: PseudoTerminal;
	readonly client: Client;
};

const noTimes = (): Times => ({health: [], key: [], call: [], webhook: []});

/** Milliseconds until an action is done. */
async function timed(act: () => Promise<unknown>): Promise<number> {
	const startedAt = performance.now();
	await act();
	return performance.now() - startedAt;
}

async function postWebhook(base: string): Promise<void> {
	const body = JSON.stringify({event_type: 'ping', note: 'x'.repeat(900)});
	const digest = createHmac('sha256', secret).update(body).digest('hex');
	const headers = {'content-type': 'application/json', 'x-hub-signature-256': `sha256=${digest}`};
	const response = await fetch(`${base}/webhooks/bench`, {method: 'POST', body, headers});
	await response.text();
	if (response.status !== 202) {
		throw new Error(`A webhook was answered with ${response.status}`);
	}
}

let keys = 0;

/** Goes to the other of two views: a key that changes nothing draws nothing. */
function pressNext(terminal: PseudoTerminal): Promise<number> {
	return keys++ % 2 === 0 ? terminal.press('W', 'W Log ·') : terminal.press('3', '3 Events ·');
}

/** Posts and measures until the turn is over. Nothing that is measured waits for another. */
async function measureTurn({base, terminal, client}: Target, times: Times): Promise<void> {
	const endsAt = performance.now() + turnMilliseconds;
	const again = async (list: number[], pause: number, act: () => Promise<unknown>) => {
		for (let count = 0; performance.now() < endsAt; count++) {
			list.push(await timed(() => act()));
			await wait(pause + (count % 7));
		}
	};

	const posted: Promise<unknown>[] = [];
	const post = async () => {
		while (performance.now() < endsAt) {
			posted.push(timed(() => postWebhook(base)).then(time => times.webhook.push(time)));
			await wait(1000 / webhooksPerSecond);
		}
	};

	await Promise.all([
		post(),
		again(times.health, 20, async () => (await fetch(`${base}/health`)).text()),
		again(times.key, 60, () => pressNext(terminal)),
		again(times.call, 20, () => client.callTool({name: 'mcp__peer__echo', arguments: {text: 'x'}})),
	]);
	await Promise.all(posted);
}

function report(slow: Times, quick: Times): void {
	const row = (name: string, kind: keyof Times, [share, limit]: readonly [share: number, limit: number]) => {
		checkLimit(
			`${name}, p${share * 100}, ${quantile(quick[kind], share).toFixed(1)} ms without delay`,
			quantile(slow[kind], share),
			{limit, unit: 'ms'},
		);
	};

	for (const [name, kind] of [
		['/health', 'health'],
		['key to its bytes', 'key'],
		['read-only tool call', 'call'],
	] as const) {
		row(name, kind, [0.5, 10]);
		row(name, kind, [0.99, 50]);
	}

	checkLimit(`accepted webhook, p50, ${median(quick.webhook).toFixed(1)} ms without delay`, median(slow.webhook), {
		limit: Math.round(2.2 * flushDelayMilliseconds),
		unit: 'ms',
	});
}

async function main(home: string): Promise<void> {
	const preload = buildFlushLibrary(home);
	if (typeof preload === 'string') {
		console.log(`SKIPPED, nothing was measured: the library that makes flushes slow cannot be built: ${preload}`);
		return;
	}

	const [port, endpointPort] = [await freePort(), await freePort()];
	const server = await startServer();
	const config = {
		model: {provider: 'none'},
		gateway: {endpoint: {port: endpointPort}},
		mcp_servers: {peer: {url: server.url, trust: 'full'}},
		platforms: {webhook: {enabled: true, host: '127.0.0.1', port, secret, rate_limit: 100_000, routes: {bench: {}}}},
	};
	writeFileSync(join(home, 'config.yaml'), JSON.stringify(config));
	const delay = join(home, 'delay');
	const terminal = openPseudoTerminal([program], {
		...preload,
		HOME: home,
		SLUICE_HOME: home,
		SLUICE_FLUSH_DELAY: delay,
	});
	try {
		await terminal.firstBytesWith('sluice');
		await untilListening(port);
		await untilListening(endpointPort);
		await wait(1500);
		const token = /^SLUICE_\w*TOKEN=(.+)$/m.exec(readFileSync(join(home, '.env'), 'utf8'))?.[1] ?? '';
		const client = new Client({name: 'bench', version: '0.0.0'});
		const headers = {authorization: `Bearer ${token}`};
		await client.connect(
			new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${endpointPort}/mcp`), {requestInit: {headers}}),
		);
		const target = {base: `http://127.0.0.1:${port}`, terminal, client};
		const times = {slow: noTimes(), quick: noTimes()};
		for (let turn = 0; turn < turns; turn++) {
			const isSlow = turn % 2 === 1;
			if (isSlow) {
				writeFileSync(delay, '');
			}

			await measureTurn(target, isSlow ? times.slow : times.quick);
			rmSync(delay, {force: true});
			await wait(500);
		}

		await client.close();
		report(times.slow, times.quick);
	} finally {
		await terminal.end();
		server.stop();
	}
}

const home = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
try {
	await main(home);
} finally {
	rmSync(home, {recursive: true, force: true});
}
