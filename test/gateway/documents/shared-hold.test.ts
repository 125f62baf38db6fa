import {describe, expect, onTestFinished, test} from 'vitest';
import {createHold} from '../../../source/approvals/hold.ts';
import {openHoldStore} from '../../../source/gateway/stores/hold-store.ts';
import {createDatabaseDocuments} from '../../../source/gateway/documents/database-documents.ts';
import {type JournalDatabase} from '../../../source/journal/postgres/connection.ts';
import {openJournalAnywhere} from '../../../source/journal/open-journal.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {journalLimits} from '../../helpers/journal-records.ts';
import {hasPostgres} from '../../helpers/postgres-server.ts';
import {recordEvents} from '../../helpers/record-events.ts';

/** The hold of a gateway on a database, which looks at it only when it is told to, or changes something. */
async function openGateway(
	database: JournalDatabase,
	{state = 'there', node}: {readonly state?: 'there' | 'away'; readonly node?: string} = {},
) {
	const clock = createFakeClock();
	const journal = await openJournalAnywhere({path: '', database, clock, limits: journalLimits({})});
	onTestFinished(() => journal.close());
	let isAway = state === 'away';
	const {of, refresh} = createDatabaseDocuments({
		withJournal: async work => {
			if (isAway) {
				throw new Error('the database is away');
			}

			return work(journal);
		},
		by: () => 'a test',
		onWritten: () => undefined,
	});
	await refresh().catch(() => undefined);
	const recorded = recordEvents();
	const documents = of('default');
	const hold = createHold({clock, publish: recorded.publish, stores: [openHoldStore(documents)], node: () => node});
	documents.onChange('hold', hold.refresh);
	return {hold, look: refresh, comeBack: () => (isAway = false), ...recorded};
}

const isFree = (hold: Awaited<ReturnType<typeof openGateway>>['hold']) => hold.current() === undefined;

describe.skipIf(!hasPostgres)('a hold that was confirmed holds, when', () => {
	test('another gateway held and released before, and nobody here looked', async () => {
		const {database} = await newPostgresPlace();
		const [one, other] = [await openGateway(database), await openGateway(database)];
		const before = await other.hold.hold({by: 'cli', reason: 'before'});
		expect(await other.hold.release({by: 'cli', hash: before.held.hash})).toBe('released');
		const {answer, held} = await one.hold.hold({by: 'cli', reason: 'now'});
		expect([answer, one.hold.current()]).toEqual(['held', held]);
		expect(one.ofType('hold.state')).toEqual([{type: 'hold.state', held, waiting: 0}]);
		await other.look();
		expect(other.hold.current()).toEqual(held);
	});

	test('the one that is shown here was released at another gateway, and nobody here looked', async () => {
		const {database} = await newPostgresPlace();
		const [one, other] = [await openGateway(database), await openGateway(database)];
		const before = await other.hold.hold({by: 'cli', reason: 'before'});
		await one.look();
		expect(one.hold.current()).toEqual(before.held);
		await other.hold.release({by: 'cli', hash: before.held.hash});
		const {answer, held} = await one.hold.hold({by: 'console:1', reason: 'now'});
		expect([answer, held.by]).toEqual(['held', 'console:1']);
		await Promise.all([one.look(), other.look()]);
		expect([one.hold.current(), other.hold.current()]).toEqual([held, held]);
		expect(one.ofType('hold.state').every(event => event.held !== undefined)).toBe(true);
		expect(await other.hold.hold({by: 'cli', reason: 'again'})).toEqual({answer: 'already-held', held});
		expect(await other.hold.release({by: 'cli', hash: held.hash})).toBe('released');
		await one.look();
		expect(isFree(one.hold)).toBe(true);
	});

	test('the database was away, and everything was held because of that', async () => {
		const {database} = await newPostgresPlace();
		const {hold, look, comeBack} = await openGateway(database, {state: 'away'});
		expect(hold.current()).toMatchObject({by: 'gateway'});
		await expect(hold.hold({by: 'cli', reason: 'odd'})).rejects.toThrow('away');
		comeBack();
		await look();
		expect(hold.current()).toMatchObject({by: 'cli', reason: 'odd'});
		const {answer, held} = await hold.hold({by: 'console:1', reason: 'again'});
		expect([answer, held.by]).toEqual(['already-held', 'cli']);
		const other = await openGateway(database);
		expect(other.hold.current()).toEqual(held);
		expect(await hold.release({by: 'cli', hash: held.hash})).toBe('released');
		expect(isFree(hold)).toBe(true);
	});
});

test.skipIf(!hasPostgres)(
	'a gateway says at which other one everything was held, and names itself nowhere',
	async () => {
		const {database} = await newPostgresPlace();
		const [one, other] = [await openGateway(database, {node: 'web-1'}), await openGateway(database, {node: 'web-2'})];
		const {held} = await one.hold.hold({by: 'cli', reason: 'odd'});
		expect([held.by, one.hold.current()?.by]).toEqual(['cli', 'cli']);
		await other.look();
		expect(other.hold.current()).toEqual({...held, by: 'cli on web-1'});
		expect(other.ofType('log').map(({text}) => text)).toEqual([expect.stringMatching(/ by cli on web-1: odd$/u)]);
		expect(() => other.hold.assertFree()).toThrow(/ by cli on web-1: odd$/u);
		expect(await other.hold.hold({by: 'console:1', reason: 'too'})).toMatchObject({
			answer: 'already-held',
			held: {by: 'cli on web-1'},
		});
		// The release has to name this one.
		expect(await other.hold.release({by: 'cli', hash: held.hash})).toBe('released');
		await one.look();
		expect(isFree(one.hold)).toBe(true);
	},
);
