import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {text} from 'node:stream/consumers';
import {openJournal} from '../source/journal/open-journal.ts';
import {systemClock} from '../source/util/clock.ts';
import {freePort} from '../test/helpers/free-port.ts';
import {checkLimit, quantile} from './figures.ts';
import {secret, untilListening} from './webhook-receivers.ts';

/*
A rehearsal of 40 rules on 100,000 recorded calls beside the built gateway that has them, while its /health is asked
(docs/performance.md, Rehearsal).
*/

const calls = process.argv.includes('--quick') ? 20_000 : 100_000;
const program = new URL('../dist/bin.js', import.meta.url).pathname;

const rules = Array.from({length: 40}, (_, index) => {
	const [server, tool] = [`server-${index % 5}`, `tool_${index % 8}`];
	return [
		{action: 'allow', server, tool, arguments: {path: {prefix: `/srv/app-${index}`}}, ignore: ['encoding', 'url']},
		{action: 'deny', server: '*', tool: `${tool}*`, arguments: {path: {prefix: `/etc/${index}`}}},
		{action: 'ask', server, arguments: {url: {host: [`host-${index}.example.com`]}}},
	][index % 3];
});

/** Writes the calls into the journal of a state directory. */
async function record(home: string): Promise<void> {
	const limits = () => ({maxAgeDays: 30, maxBytes: 2 ** 40});
	const journal = openJournal({path: join(home, 'journal.db'), clock: systemClock, limits});
	const now = Date.now();
	for (let from = 0; from < calls; from += 5000) {
		const started = Array.from({length: 5000}, (_, offset) => {
			const index = from + offset;
			const path = `${index % 10 === 0 ? '/etc/' : '/srv/app-'}${index % 45}/folder/file-${index}.txt`;
			return journal.startCall({
				id: `call-${String(index).padStart(8, '0')}`,
				time: now - calls + index,
				profile: 'default',
				server: `server-${index % 5}`,
				tool: `tool_${index % 8}`,
				arguments: {path, encoding: 'utf8', url: `https://host-${index % 60}.example.com/a/b`},
				origin: {kind: 'endpoint', client: 'bench'},
				judged: {fingerprint: 'f'.repeat(64), decision: 'asked'},
			});
		});
		await Promise.all(started);
	}

	await journal.close();
}

/** Milliseconds of each answer, until `until` resolves. */
async function askHealth(port: number, until: Promise<unknown>): Promise<readonly number[]> {
	const times: number[] = [];
	const over = new AbortController();
	void until.finally(() => over.abort());
	while (!over.signal.aborted) {
		const startedAt = performance.now();
		await (await fetch(`http://127.0.0.1:${port}/health`)).text();
		times.push(performance.now() - startedAt);
		await wait(10);
	}

	return times;
}

function sluice(home: string, ...words: readonly string[]) {
	const env = {...process.env, HOME: home, SLUICE_HOME: home};
	return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...words], {
		env,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
}

async function main(home: string): Promise<void> {
	const port = await freePort();
	const platforms = {webhook: {enabled: true, host: '127.0.0.1', port, secret, routes: {bench: {}}}};
	const endpoint = {enabled: false};
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({model: {provider: 'none'}, gateway: {endpoint}, platforms}));
	writeFileSync(join(home, 'rules.yaml'), JSON.stringify(rules));
	await record(home);
	const gateway = sluice(home, 'gateway', 'run');
	gateway.stdout.resume();
	const ended = once(gateway, 'exit');
	try {
		await untilListening(port);
		await wait(1000);
		const alone = await askHealth(port, wait(2000));
		const startedAt = performance.now();
		const command = sluice(home, 'rules', 'rehearse', join(home, 'rules.yaml'), '--json');
		const printed = text(command.stdout);
		const times = await askHealth(port, once(command, 'exit'));
		const seconds = (performance.now() - startedAt) / 1000;
		const {changed, ...figures} = JSON.parse(await printed) as {readonly calls: number; readonly changed: unknown[]};
		console.log(`${JSON.stringify(figures)}, ${changed.length} would change`);
		if (figures.calls !== calls) {
			throw new Error(`${figures.calls} of ${calls} calls were rehearsed`);
		}

		for (const [share, limit] of [
			[0.5, 10],
			[0.99, 50],
		] as const) {
			const figure = `/health, p${share * 100}, ${quantile(alone, share).toFixed(1)} ms without a rehearsal`;
			checkLimit(figure, quantile(times, share), {limit, unit: 'ms'});
		}

		checkLimit(`rehearsal of ${calls} calls`, seconds, {limit: 25, unit: 's'});
	} finally {
		gateway.kill('SIGTERM');
		await ended;
	}
}

const home = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
try {
	await main(home);
} finally {
	rmSync(home, {recursive: true, force: true});
}
