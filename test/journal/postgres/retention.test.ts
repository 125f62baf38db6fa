import {randomBytes} from 'node:crypto';
import {Client} from 'pg';
import {describe, expect, test} from 'vitest';
import {openJournalAnywhere} from '../../../source/journal/open-journal.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {sampleEvent} from '../../helpers/journal-records.ts';
import {onTestFinished} from '../../helpers/on-test-finished.ts';
import {hasPostgres} from '../../helpers/postgres-server.ts';

const start = 1_700_000_000_000;
const day = 24 * 60 * 60 * 1000;

/** Two gateways on one journal, and a connection to its tables. */
async function openTwo(limits: {readonly maxAgeDays: number; readonly maxBytes: number}) {
	const clock = createFakeClock(start);
	const place = await newPostgresPlace();
	const problems: unknown[] = [];
	const open = () =>
		openJournalAnywhere({...place, clock, limits: () => limits, onWrite: problem => problem && problems.push(problem)});
	const [journal, other] = [await open(), await open()];
	const client = new Client({connectionString: place.database.url});
	await client.connect();
	await client.query(`SET search_path = ${place.database.schema}`);
	onTestFinished(() => Promise.all([journal.close(), other.close(), client.end()]));
	const idsLeft = async () => (await journal.listEvents({limit: 10_000})).map(({id}) => id);
	return {clock, journal, other, client, idsLeft, problems};
}

describe.runIf(hasPostgres)('old rows of a journal on PostgreSQL', () => {
	test('without limits, are delivery ids once their hour is over, and nothing else', async () => {
		const unlimited = Number.POSITIVE_INFINITY;
		const {clock, journal, client, idsLeft, problems} = await openTwo({maxAgeDays: unlimited, maxBytes: unlimited});
		const accept = (deliveryId: string, deduplicateUntil: number) =>
			journal.acceptEvent({event: sampleEvent({deliveryId}), deduplicateUntil});
		await Promise.all(Array.from({length: 600}, (_, index) => accept(`${index}`, start + 1)));
		await accept('later', start + 2);
		await clock.advance(1);
		journal.prune();
		const left = async () => (await client.query('SELECT delivery_id AS id FROM deliveries')).rows as unknown;
		await expect.poll(left).toEqual([{id: 'later'}]);
		expect(await idsLeft()).toHaveLength(601);
		expect(problems).toEqual([]);
	});

	test('that another transaction holds are left to it, and the others go', async () => {
		const {journal, client, idsLeft} = await openTwo({maxAgeDays: 1, maxBytes: 2 ** 30});
		await Promise.all(
			['held', 'free'].map(id => journal.acceptEvent({event: sampleEvent({id, time: start - 5 * day})})),
		);
		await client.query(`BEGIN; SELECT 1 FROM events WHERE id = 'held' FOR UPDATE`);
		journal.prune();
		await expect.poll(idsLeft).toEqual(['held']);
		await client.query('ROLLBACK');
		journal.prune();
		await expect.poll(idsLeft).toEqual([]);
	});

	test('and starts of gateways that name none of the rows go, and those that are alive stay', async () => {
		const {journal, client} = await openTwo({maxAgeDays: 2, maxBytes: 2 ** 30});
		const started = `INSERT INTO nodes (incarnation, name, lease, started_at, seen_at, state)
			SELECT $1 || number, $1, 1, 0, $2::bigint + number, $3 FROM generate_series(1, $4) AS number`;
		await client.query(started, ['old', start - 2 * day - 2, 'left', 1]);
		await client.query(started, ['silent', start - 5 * day, 'alive', 1]);
		await client.query(started, ['failing', start - day, 'dead', 10_050]);
		journal.prune();
		const left = async () =>
			(await client.query('SELECT name, count(*)::integer AS count FROM nodes GROUP BY name ORDER BY name'))
				.rows as unknown;
		await expect.poll(left).toEqual([
			{name: 'failing', count: 10_000},
			{name: 'silent', count: 1},
		]);
	});

	test('are removed by two gateways at once: the oldest half of the content, by neither more', async () => {
		const {journal, other, client, idsLeft, problems} = await openTwo({maxAgeDays: 30, maxBytes: 2 ** 21});
		const accept = (index: number) =>
			journal.acceptEvent({event: sampleEvent({id: `${index}`, time: start + index, body: randomBytes(4096)})});
		await Promise.all(Array.from({length: 1024}, (_, index) => accept(index)));
		journal.prune();
		other.prune();
		const bytes = async () => Number((await client.query('SELECT sum(bytes) AS sum FROM events')).rows[0].sum);
		await expect.poll(bytes).toBeLessThanOrEqual(2 ** 21);
		expect(await bytes()).toBeGreaterThan(2 ** 21 - 5000);
		const left = await idsLeft();
		expect(left).toEqual(left.map((_, index) => `${1023 - index}`));
		expect(problems).toEqual([]);
	});
});
