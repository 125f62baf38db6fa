import {randomInt} from 'node:crypto';
import {setTimeout as wait} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {type Cluster, startCluster} from '../test/cluster/cluster.ts';
import {postgresPrograms} from '../test/helpers/postgres-server.ts';

/*
Posts events at a steady pace to several gateways on one PostgreSQL, behind a balancer, while they are killed and frozen at random and the database is
away for 3 s every 20 s. In the end every accepted event must have led to something, none twice, nothing may be under way, and no run may have failed
because the database was away. Prints the counts and the seed that repeats what happens; exit code 1 when anything of that does not hold.
Options: `--minutes 5`, `--rate 100`, `--gateways 3`, `--between 6` (mean seconds between what happens), `--seed N`.
*/

const {values} = parseArgs({
	options: {
		minutes: {type: 'string', default: '5'},
		rate: {type: 'string', default: '100'},
		gateways: {type: 'string', default: '3'},
		between: {type: 'string', default: '6'},
		seed: {type: 'string', default: String(randomInt(2 ** 31))},
	},
});
const [minutes, rate, gateways, between] = [values.minutes, values.rate, values.gateways, values.between].map(Number);
const leaseSeconds = 2;
const counts = {kills: 0, freezes: 0, outages: 0};
const outageMilliseconds = 3000;
const betweenOutagesMilliseconds = 17_000;

/** Numbers from 0 to 1, the same for the same seed (Mulberry32, by Tommy Ettinger). */
function createRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d_2b_79_f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** One thing that happens to the cluster, and is over when this resolves: a gateway is killed or frozen past its lease. */
async function disturb({gateways: members}: Cluster, random: () => number): Promise<void> {
	const [kind, gateway] = [random(), members[Math.floor(random() * members.length)]];
	const pause = random();
	if (kind < 0.55) {
		counts.kills++;
		await gateway?.kill();
		await wait(pause * 4000);
		gateway?.start();
	} else {
		counts.freezes++;
		gateway?.freeze();
		await wait(leaseSeconds * (500 + pause * 2500));
		gateway?.thaw();
	}
}

/** The database is away again and again, in an orderly way and by a crash in turn. */
async function takeAwayUntil({database}: Cluster, signal: AbortSignal): Promise<void> {
	while (!signal.aborted) {
		await wait(betweenOutagesMilliseconds, undefined, {signal}).catch(() => undefined);
		if (!signal.aborted) {
			await database.stop(counts.outages % 2 === 0 ? 'at once' : 'cleanly');
			await wait(outageMilliseconds);
			await database.start();
			counts.outages++;
		}
	}
}

async function disturbUntil(cluster: Cluster, signal: AbortSignal): Promise<void> {
	const random = createRandom(Number(values.seed));
	while (!signal.aborted) {
		await wait((0.5 + random()) * (between ?? 6) * 1000, undefined, {signal}).catch(() => undefined);
		await (!signal.aborted && disturb(cluster, random));
	}
}

async function soak(cluster: Cluster): Promise<void> {
	const {sender, effects} = cluster;
	const ending = new AbortController();
	await cluster.untilReady();
	const disturbed = Promise.all([disturbUntil(cluster, ending.signal), takeAwayUntil(cluster, ending.signal)]);
	await sender.post((minutes ?? 5) * 60, rate ?? 100);
	ending.abort();
	await disturbed;
	await sender.settled();
	const {lost, twice, left, failedByJournal} = await cluster.verdict();
	const verdict = {
		...sender.counts,
		...counts,
		effects: effects.count(),
		lost: lost.length,
		twice: twice.length,
		left: left.length,
		failedByJournal: failedByJournal.length,
	};
	const words = Object.entries(verdict).map(([name, count]) => `${name} ${count}`);
	console.log(words.join(' · '));
	for (const [fault, what] of Object.entries({lost, twice, left, failedByJournal})) {
		what.slice(0, 20).forEach(one => console.log(`${fault}: ${one}`));
	}

	const isWhole = Math.min(counts.kills, counts.freezes, counts.outages) > 0 || (minutes ?? 5) < 2;
	const holds = lost.length + twice.length + left.length + failedByJournal.length === 0 && isWhole;
	console.log(
		holds
			? 'Nothing was lost, nothing had an effect twice, nothing is left, and no run failed by the journal.'
			: 'The soak FAILED.',
	);
	process.exitCode = holds ? 0 : 1;
}

if (postgresPrograms === undefined) {
	console.log('There is no PostgreSQL server that could be started: nothing was tried.');
	process.exitCode = 1;
} else {
	console.log(`seed ${values.seed}`);
	const cluster = await startCluster({gateways: gateways ?? 3, journal: {lease: leaseSeconds}, thinkMilliseconds: 200});
	try {
		await soak(cluster);
	} finally {
		await cluster.close();
	}
}
