import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {buildFlushLibrary} from '../test/helpers/flush-library.ts';
import {freePort} from '../test/helpers/free-port.ts';
import {createSteadySender, deliveryIdOf} from '../test/helpers/steady-sender.ts';
import {openScriptedModel} from '../test/simulators/scripted-model.ts';
import {secret, untilListening} from './webhook-receivers.ts';

/*
Posts events at a steady pace while the gateway is ended at random, by SIGKILL and by SIGTERM in turn, and started again. A sender tries an event
again until it is answered, as providers do. Most events wait for a person, every twentieth asks a model, some of those after they waited in a
coalescing window. In the end every event must have led to exactly one run, and no model may have been asked twice for one. After a SIGTERM no run is
under way, and only runs are interrupted whose model was asked. In every other pair of rounds a flush takes 200 ms longer, where the library for that
can be built. Every 20 s the file cannot be written for 3 s, because another writer holds it: no run may fail for that. Prints the counts; exit code 1 when anything of that does not hold.
Options: `--seconds 300`, `--rate 500`, `--between 4` (mean seconds between the ends).
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
const preload = buildFlushLibrary(home);
const delay = join(home, 'delay');
if (typeof preload === 'string') {
	console.log(`No round has slow flushes, the library for that cannot be built: ${preload}`);
}

/** The number of requests to the model about each event. */
const asked = new Map<string, number>();
/** Some answers take longer than a stop waits. */
const model = await openScriptedModel(async ({prompt}) => {
	const number = /Event <payload-\w+>(\d+)</.exec(prompt)?.[1] ?? '';
	const id = deliveryIdOf(Number(number));
	asked.set(id, (asked.get(id) ?? 0) + 1);
	await wait(Number(number) % 400 === 0 ? 15_000 : Math.random() * 200);
	return 'Done.';
});
mkdirSync(join(home, 'profiles', 'plain'), {recursive: true});
writeFileSync(join(home, 'profiles', 'plain', 'config.yaml'), JSON.stringify({model: {provider: 'none'}}));
const coalesce = {key: 'number', window_seconds: 2, max_wait_seconds: 4};
writeFileSync(
	join(home, 'config.yaml'),
	JSON.stringify({
		agent: {max_queued_runs: 10_000_000, max_concurrent_runs: 16},
		gateway: {multiplex_profiles: true, endpoint: {enabled: false}},
		model: {provider: 'openai-compatible', base_url: model.baseUrl, name: 'scripted'},
		platforms: {
			webhook: {
				enabled: true,
				host: '127.0.0.1',
				port,
				secret,
				rate_limit: 100_000_000,
				routes: {
					soak: {prompt: 'Event {number}', profile: 'plain'},
					asked: {prompt: 'Event {number}'},
					group: {prompt: 'Event {number}', coalesce},
				},
			},
		},
	}),
);

const counts = {kills: 0, stops: 0, slowRounds: 0, outages: 0};
/** The effects of stops on runs: put back into the queue, interrupted; and those that must not occur. */
const stops = {putBack: 0, interrupted: 0, interruptedUnasked: 0, leftRunning: 0};
/** Runs that are interrupted for a reason that was looked at. */
const known = new Set<string>();
const ending = new AbortController();
let gateway: ChildProcess | undefined;

/** Both signals end rounds with slow flushes and rounds without. */
function setDelay(round: number): void {
	if (typeof preload !== 'string' && round % 4 >= 2) {
		writeFileSync(delay, '');
		counts.slowRounds++;
	} else {
		rmSync(delay, {force: true});
	}
}

function start(): ChildProcess {
	const flags = ['--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'];
	return spawn(process.execPath, [...flags, program, 'gateway', 'run'], {
		env: {
			...(typeof preload !== 'string' && preload),
			PATH: process.env['PATH'],
			HOME: home,
			SLUICE_HOME: home,
			SLUICE_FLUSH_DELAY: delay,
			LANG: 'C.UTF-8',
		},
		stdio: 'ignore',
	});
}

/** Where an event is posted to; those of the profile without a model wait for a person. */
const pathOf = (number: number) =>
	number % 20 > 0 ? '/p/plain/webhooks/soak' : `/webhooks/${number % 40 > 0 ? 'group' : 'asked'}`;

const sender = createSteadySender({port, secret, pathOf});

/** The runs of a state by the names of their events. */
function runsIn(database: DatabaseSync, state: string, reason = ''): readonly string[] {
	const rows = database.prepare(`
		SELECT e.delivery_id AS id FROM runs r JOIN events e ON e.id = r.event_id
		WHERE r.state = ? AND coalesce(r.reason, '') LIKE ?
	`);
	return rows.all(state, `${reason}%`).map(row => String(row['id']));
}

/** Looks at the journal while no gateway runs. */
function look(signal: 'SIGKILL' | 'SIGTERM'): void {
	const database = new DatabaseSync(join(home, 'journal.db'));
	const running = runsIn(database, 'running');
	const interrupted = runsIn(database, 'interrupted').filter(id => !known.has(id));
	if (signal === 'SIGTERM') {
		stops.putBack += runsIn(database, 'queued', 'the gateway stopped').length;
		stops.interrupted += interrupted.length;
		stops.interruptedUnasked += interrupted.filter(id => !asked.has(id)).length;
		stops.leftRunning += running.length;
	}

	// The next start interrupts runs that a kill left running.
	[...interrupted, ...running].forEach(id => known.add(id));
	database.close();
}

async function endAtRandom(): Promise<void> {
	for (let round = 0; !ending.signal.aborted; round++) {
		await wait(between * 500 + Math.random() * between * 1000);
		if (!ending.signal.aborted && gateway) {
			const signal = round % 2 === 0 ? 'SIGTERM' : 'SIGKILL';
			const ended = once(gateway, 'exit');
			gateway.kill(signal);
			await ended;
			look(signal);
			counts[signal === 'SIGTERM' ? 'stops' : 'kills']++;
			setDelay(round + 1);
			gateway = start();
		}
	}
}

/** Another writer holds the file for 3 s, again and again. */
async function takeAwayUntilEnd(): Promise<void> {
	while (!ending.signal.aborted) {
		await wait(17_000, undefined, {signal: ending.signal}).catch(() => undefined);
		if (!ending.signal.aborted) {
			const other = new DatabaseSync(join(home, 'journal.db'), {timeout: 5000});
			other.exec('BEGIN IMMEDIATE');
			await wait(3000);
			other.close();
			counts.outages++;
		}
	}
}

/** Waits until no run is queued any more, and no window is open. */
async function untilTaken(database: DatabaseSync): Promise<void> {
	const waiting = database.prepare(`
		SELECT (SELECT count(*) FROM runs WHERE state IN ('queued', 'running')) + (SELECT count(*) FROM windows) AS count
	`);
	while (waiting.get()?.['count'] !== 0) {
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
	const rounds = Promise.all([endAtRandom(), takeAwayUntilEnd()]);
	await sender.post(seconds, rate);
	await wait(1000);
	ending.abort();
	await rounds;
	rmSync(delay, {force: true});
	await sender.settled();
	const database = new DatabaseSync(join(home, 'journal.db'), {readOnly: true});
	await untilTaken(database);
	const runs = new Map(
		database
			.prepare(
				'SELECT e.delivery_id AS id, count(*) AS count FROM runs r JOIN events e ON e.id = r.event_id GROUP BY 1',
			)
			.all()
			.map(row => [String(row['id']), Number(row['count'])]),
	);
	const failedByJournal = ['failed', 'interrupted'].flatMap(state => runsIn(database, state, '%journal'));
	database.close();
	const lost = [...sender.answered].filter(id => !runs.has(id));
	const twice = [...runs].filter(([, count]) => count > 1);
	const askedTwice = [...asked].filter(([, count]) => count > 1);
	const verdict = {
		...sender.counts,
		...counts,
		...stops,
		runs: runs.size,
		asked: asked.size,
		askedTwice: askedTwice.length,
		lost: lost.length,
		twice: twice.length + sender.acceptedAgain.length,
		failedByJournal: failedByJournal.length,
	};
	console.log(
		Object.entries(verdict)
			.map(([name, count]) => `${name} ${count}`)
			.join(' · '),
	);
	const faults =
		verdict.lost +
		verdict.twice +
		verdict.failedByJournal +
		verdict.askedTwice +
		stops.interruptedUnasked +
		stops.leftRunning;
	const isWhole =
		runs.size === sender.counts.posted &&
		counts.kills > 0 &&
		counts.stops > 0 &&
		counts.outages > 0 &&
		(typeof preload === 'string' || counts.slowRounds > 0);
	process.exitCode = faults === 0 && isWhole ? 0 : 1;
	console.log(
		process.exitCode === 0
			? 'No accepted event was lost, none ran twice or failed by the journal, and a stop interrupted only what had asked its model.'
			: 'The soak FAILED.',
	);
} finally {
	clearTimeout(wall);
	sender.close();
	gateway?.kill('SIGTERM');
	if (gateway?.exitCode === null) {
		await once(gateway, 'exit');
	}

	await model.close();
	rmSync(home, {recursive: true, force: true});
}
