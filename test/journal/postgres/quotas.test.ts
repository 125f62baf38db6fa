import {describe, expect, onTestFinished, test} from 'vitest';
import {type Journal} from '../../../source/journal/journal.ts';
import {openJournalAnywhere} from '../../../source/journal/open-journal.ts';
import {createSharedRateLimit} from '../../../source/webhooks/http/shared-rate-limit.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {type Problem} from '../../../source/util/problem.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {journalLimits} from '../../helpers/journal-records.ts';
import {administer, hasPostgres} from '../../helpers/postgres-server.ts';

const minute = 60_000;

/** The limiters of several gateways on one journal; `questions` counts what they asked of it. */
async function openGateways(count: number, {milliseconds = minute, setting = ''} = {}) {
	const place = await newPostgresPlace();
	const options = setting && `?options=${encodeURIComponent(`-c ${setting}`)}`;
	const database = {...place.database, url: `${place.database.url}${options}`};
	const writes: Array<string | undefined> = [];
	const onWrite = (problem: Problem | undefined) => writes.push(problem?.code);
	const journals = await Promise.all(
		Array.from({length: count}, async () =>
			openJournalAnywhere({path: '', database, clock: systemClock, limits: journalLimits({}), onWrite}),
		),
	);
	onTestFinished(async () => void (await Promise.all(journals.map(journal => journal.close()))));
	let questions = 0;
	const reported: unknown[] = [];
	const limiters = journals.map(journal =>
		createSharedRateLimit({
			clock: systemClock,
			journal: {
				takeQuotaBlock(...query) {
					questions++;
					return journal.takeQuotaBlock(...query);
				},
			},
			report: caught => reported.push(caught),
			milliseconds,
		}),
	);
	const [journal] = journals as [Journal, ...Journal[]];
	const sql = (text: string) => administer(database.url, `SET search_path = ${database.schema}`, text);
	return {
		journal,
		journals,
		limiters,
		reported,
		writes,
		/** So many requests at once, by turns at each gateway. */
		burst: (requests: number, limit: number) =>
			Promise.all(
				Array.from({length: requests}, async (_, index) => limiters[index % limiters.length]?.takeQuota('one', limit)),
			),
		questions: () => questions,
		sql,
		/** So much later, for the database: a window that began now began then. */
		age: (milliseconds: number) => sql(`UPDATE quotas SET window_started_at = window_started_at - ${milliseconds}`),
		take: async (route: string, wanted = 1, limit = 30) =>
			(await journal.takeQuotaBlock(route, {limit, wanted, windowMilliseconds: minute})).granted,
	};
}

type Outcomes = ReadonlyArray<{readonly kind: string} | undefined>;
const kindsOf = (outcomes: Outcomes) => new Set(outcomes.map(outcome => outcome?.kind ?? 'passed'));
const passed = (outcomes: Outcomes) => outcomes.filter(outcome => outcome === undefined).length;

describe.skipIf(!hasPostgres)('the quota of a route in PostgreSQL', () => {
	test.each([
		{gateways: 2, limit: 30, most: 20},
		{gateways: 3, limit: 7, most: 12},
		{gateways: 3, limit: 400, most: 50},
	])('lets through exactly $limit at $gateways gateways together, and asks nothing for what is refused', async load => {
		const {limiters, burst, questions, sql} = await openGateways(load.gateways);
		const outcomes = (await Promise.all([burst(2 * load.limit, load.limit), burst(load.limit, load.limit)])).flat();
		expect(passed(outcomes)).toBe(load.limit);
		expect(kindsOf(outcomes)).toEqual(new Set(['passed', 'rate-limited']));
		// One that has used up its last block has not asked yet whether there is another.
		await burst(limiters.length, load.limit);
		const before = questions();
		expect(before).toBeLessThan(load.most);
		const refused = await burst(limiters.length, load.limit);
		expect(kindsOf(refused)).toEqual(new Set(['rate-limited']));
		const seconds = refused.map(outcome => (outcome?.kind === 'rate-limited' ? outcome.retryAfterSeconds : 0));
		expect(Math.min(...seconds)).toBeGreaterThan(30);
		expect(Math.max(...seconds)).toBeLessThanOrEqual(60);
		expect(questions()).toBe(before);
		expect(await sql('SELECT route, taken::int FROM quotas')).toEqual([{route: 'one', taken: load.limit}]);
	});

	test('is shared in the same way where the database sets another isolation of transactions', async () => {
		const {burst} = await openGateways(3, {setting: 'default_transaction_isolation=repeatable\\ read'});
		const outcomes = await burst(60, 20);
		expect([passed(outcomes), kindsOf(outcomes)]).toEqual([20, new Set(['passed', 'rate-limited'])]);
	});

	test('is there again for all gateways together when its window is over', async () => {
		const {burst} = await openGateways(2, {milliseconds: 3000});
		const outcomes = await burst(24, 6);
		expect(passed(outcomes)).toBe(6);
		expect(outcomes.at(-1)).toMatchObject({kind: 'rate-limited'});
		let again = 0;
		await expect.poll(async () => (again += passed(await burst(24, 6))), {interval: 100, timeout: 10_000}).toBe(6);
	});

	test('is whole again in a new window, whose row takes the place of the old one', async () => {
		const {take, age, sql} = await openGateways(1);
		expect([await take('one', 30), await take('one'), await take('other', 2)]).toEqual([30, 0, 3]);
		await age(minute - 5000);
		expect(await take('one')).toBe(0);
		await age(5000);
		expect([await take('one', 29), await take('one', 2), await take('one')]).toEqual([29, 1, 0]);
		expect(await sql('SELECT count(*)::int FROM quotas')).toEqual([{count: 2}]);
	});

	test('comes in blocks of a tenth, which are smaller towards its end and never less than what waits', async () => {
		const {take} = await openGateways(1);
		const blocks = [];
		for (let sum = 0, granted = await take('one', 1, 100); granted > 0; granted = await take('one', 1, 100)) {
			blocks.push(granted);
			sum += granted;
			expect(sum).toBeLessThanOrEqual(100);
		}

		expect(blocks.slice(0, 6)).toEqual([10, 10, 10, 10, 10, 10]);
		expect(blocks.slice(-3)).toEqual([1, 1, 1]);
		expect(blocks.reduce((sum, granted) => sum + granted)).toBe(100);
		expect(blocks.length).toBeLessThan(25);
		expect([await take('two', 50, 100), await take('two', 90, 100), await take('two', 1, 100)]).toEqual([50, 50, 0]);
	});

	test('of a limit that was lowered or raised counts what was taken under the other', async () => {
		const {take} = await openGateways(1);
		expect([await take('one', 20), await take('one', 1, 10), await take('one', 9, 25)]).toEqual([20, 0, 5]);
		expect(await take('huge', 1, 1e30)).toBeGreaterThan(1e14);
	});

	test('does not wait for the end of a window that a wrong clock began in the future', async () => {
		const {take, age} = await openGateways(1);
		expect([await take('one', 30), await take('one')]).toEqual([30, 0]);
		await age(-60 * minute);
		expect(await take('one')).toBe(3);
	});

	test('is removed a day after its last window, and no sooner', async () => {
		const {journal, take, age, sql} = await openGateways(1);
		await take('old');
		await age(25 * 60 * minute);
		await take('new');
		journal.prune();
		await expect.poll(() => sql('SELECT route FROM quotas')).toEqual([{route: 'new'}]);
	});

	test('that cannot be asked for lets nothing through', async () => {
		const {limiters, journals, reported} = await openGateways(1);
		await journals[0]?.close();
		expect(await limiters[0]?.takeQuota('one', 30)).toEqual({kind: 'storage-unavailable'});
		expect(reported).toMatchObject([{code: 'storage_unavailable'}]);
	});

	test('that cannot be taken alone is a write that failed, which is said where the journal is', async () => {
		const {limiters, sql, writes} = await openGateways(1);
		await sql('ALTER TABLE quotas RENAME TO elsewhere');
		expect(await limiters[0]?.takeQuota('one', 30)).toEqual({kind: 'storage-unavailable'});
		expect(writes.at(-1)).toBe('storage_unavailable');
		await sql('ALTER TABLE elsewhere RENAME TO quotas');
		expect(await limiters[0]?.takeQuota('one', 30)).toBeUndefined();
		expect(writes.at(-1)).toBeUndefined();
	});
});
