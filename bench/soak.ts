import {type ChildProcess, spawn} from 'node:child_process';
import {createHmac} from 'node:crypto';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {Agent, request} from 'node:http';
import {DatabaseSync} from 'node:sqlite';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {freePort, secret, untilListening} from './webhook-receivers.ts';

/*
Posts events at a steady pace while the gateway is killed at random and started again. A sender tries an event again until it is answered, as
providers do. In the end every event must have led to exactly one run. Prints the counts; exit code 1 when one was lost or ran twice.
Options: `--seconds 300`, `--rate 500`, `--between 4` (mean seconds between kills).
*/

const {values} = parseArgs({
	options: {
		seconds: {type: 'string', default: '300'},
		rate: {type: 'string', default: '500'},
		between: {type: 'string', default: '4'},
	},
});
const [seconds, rate, between] = [Number(values.seconds), Number(values.rate), Number(values.between)];
const program = new URL('../dist/bin.js', import.meta.url).pathname;
const home = mkdtempSync(join(tmpdir(), 'sluice-soak-'));
const port = await freePort();
writeFileSync(
	join(home, 'config.yaml'),
	JSON.stringify({
		agent: {max_queued_runs: 10_000_000},
		platforms: {
			webhook: {
				enabled: true,
				host: '127.0.0.1',
				port,
				secret,
				rate_limit: 100_000_000,
				routes: {soak: {prompt: 'Event {number}'}},
			},
		},
	}),
);

const agent = new Agent({keepAlive: true, maxSockets: 256});
const counts = {posted: 0, tries: 0, accepted: 0, duplicates: 0, unanswered: 0, refused: 0, kills: 0};
/** Events whose acceptance was told, by the gateway that took them or by a later one that knew them already. */
const answered = new Set<string>();
const open = new Set<Promise<void>>();
const ending = new AbortController();
let gateway: ChildProcess | undefined;

function start(): ChildProcess {
	const flags = ['--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'];
	return spawn(process.execPath, [...flags, program, 'gateway', 'run'], {
		env: {PATH: process.env['PATH'], HOME: home, SLUICE_HOME: home, LANG: 'C.UTF-8'},
		stdio: 'ignore',
	});
}

/** One try; the word of the answer, or undefined when there was none. */
function post(id: string, body: string): Promise<string | undefined> {
	counts.tries++;
	return new Promise(resolve => {
		const digest = createHmac('sha256', secret).update(body).digest('hex');
		const sent = request(
			{
				port,
				host: '127.0.0.1',
				agent,
				method: 'POST',
				path: '/webhooks/soak',
				timeout: 5000,
				headers: {
					'content-type': 'application/json',
					'content-length': Buffer.byteLength(body),
					'x-request-id': id,
					'x-hub-signature-256': `sha256=${digest}`,
				},
			},
			response => {
				let text = '';
				response.on('data', (chunk: Buffer) => void (text += chunk.toString()));
				response.once('error', () => resolve(undefined));
				response.once('close', () => resolve(/"(accepted|duplicate)"/.exec(text)?.[1] ?? String(response.statusCode)));
			},
		);
		sent.once('timeout', () => sent.destroy());
		sent.once('error', () => resolve(undefined));
		sent.end(body);
	});
}

/** Tries until the gateway says that it has the event. */
async function deliver(number: number): Promise<void> {
	const id = `soak-${number}`;
	const body = JSON.stringify({number, note: 'x'.repeat(number % 300)});
	for (;;) {
		const word = await post(id, body);
		if (word === 'accepted' || word === 'duplicate') {
			counts[word === 'accepted' ? 'accepted' : 'duplicates']++;
			answered.add(id);
			return;
		}

		counts[word === undefined ? 'unanswered' : 'refused']++;
		await wait(200 + Math.random() * 300);
	}
}

async function postSteadily(): Promise<void> {
	const startedAt = performance.now();
	while (performance.now() - startedAt < seconds * 1000) {
		const due = Math.floor(((performance.now() - startedAt) / 1000) * rate);
		for (; counts.posted < due; counts.posted++) {
			const delivery: Promise<void> = deliver(counts.posted).finally(() => open.delete(delivery));
			open.add(delivery);
		}

		await wait(10);
	}
}

async function killAtRandom(): Promise<void> {
	while (!ending.signal.aborted) {
		await wait(between * 500 + Math.random() * between * 1000);
		if (!ending.signal.aborted && gateway) {
			const killed = once(gateway, 'exit');
			gateway.kill('SIGKILL');
			await killed;
			counts.kills++;
			gateway = start();
		}
	}
}

/** Waits until no run is queued any more. */
async function untilTaken(database: DatabaseSync): Promise<void> {
	for (;;) {
		const [row] = database.prepare(`SELECT count(*) AS count FROM runs WHERE state IN ('queued', 'running')`).all();
		if (row?.['count'] === 0) {
			return;
		}

		await wait(200);
	}
}

const wall = setTimeout(
	() => {
		console.error('The soak did not end in time.');
		gateway?.kill('SIGKILL');
		process.exit(1);
	},
	(seconds * 3 + 120) * 1000,
);
try {
	gateway = start();
	await untilListening(port);
	const killing = killAtRandom();
	await postSteadily();
	await wait(1000);
	ending.abort();
	await killing;
	await Promise.all(open);
	const database = new DatabaseSync(join(home, 'journal.db'), {readOnly: true});
	await untilTaken(database);
	const runs = new Map(
		database
			.prepare(
				'SELECT e.delivery_id AS id, count(*) AS count FROM runs r JOIN events e ON e.sequence = coalesce(r.event, r.sequence) GROUP BY 1',
			)
			.all()
			.map(row => [String(row['id']), Number(row['count'])]),
	);
	database.close();
	const ids = Array.from({length: counts.posted}, (_, number) => `soak-${number}`);
	const lost = ids.filter(id => answered.has(id) && !runs.has(id));
	const twice = [...runs].filter(([, count]) => count > 1);
	const verdict = {...counts, runs: runs.size, lost: lost.length, twice: twice.length};
	console.log(
		Object.entries(verdict)
			.map(([name, count]) => `${name} ${count}`)
			.join(' · '),
	);
	process.exitCode = lost.length === 0 && twice.length === 0 && runs.size === counts.posted && counts.kills > 0 ? 0 : 1;
	console.log(process.exitCode === 0 ? 'No accepted event was lost, and none ran twice.' : 'The soak FAILED.');
} finally {
	clearTimeout(wall);
	agent.destroy();
	gateway?.kill('SIGTERM');
	if (gateway?.exitCode === null) {
		await once(gateway, 'exit');
	}

	rmSync(home, {recursive: true, force: true});
}
