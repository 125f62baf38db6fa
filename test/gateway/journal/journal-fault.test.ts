import {expect, test} from 'vitest';
import {createJournalFault} from '../../../source/gateway/journal/journal-fault.ts';
import {diskSilence, StorageProblem} from '../../../source/journal/operations/request-batches.ts';
import {type GatewayEventBody} from '../../../source/state/event.ts';
import {Problem} from '../../../source/util/problem.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

function open(place: 'file' | 'database' = 'file') {
	const clock = createFakeClock();
	const events: GatewayEventBody[] = [];
	const fault = createJournalFault('/state/journal.db', {
		clock,
		place: () => place,
		publish: event => void events.push(event),
	});
	const banners = () => events.flatMap(event => (event.type === 'fault.state' ? [event.reason ?? 'none'] : []));
	const lines = () => events.flatMap(event => (event.type === 'log' ? [event.text] : []));
	return {clock, fault, banners, lines};
}

const full = new StorageProblem('refused', {detail: 'database or disk is full'});
const damaged = new StorageProblem('damaged', {detail: 'file is not a database'});

test('rows that are lost are one banner until one is written, and one line a minute', async () => {
	const {clock, fault, banners, lines} = open();
	for (let row = 0; row < 100; row++) {
		fault.setWrite(full);
		fault.countMissing(full);
	}

	await clock.settle();
	expect(lines()).toEqual([
		'100 rows of events, calls or decisions are missing from the journal: database or disk is full',
	]);
	fault.setWrite(full);
	fault.countMissing(full);
	await clock.advance(59_000);
	expect(lines()).toHaveLength(1);
	await clock.advance(1000);
	expect(lines().slice(1)).toEqual([
		'1 row of an event, call or decision is missing from the journal: database or disk is full',
	]);
	const banner = expect.stringMatching(
		/^The journal cannot be written\. Check .*`df -h \/state` \(database or disk is full\)/u,
	);
	expect(banners()).toEqual([banner]);
	fault.setWrite(undefined);
	expect([banners(), fault.current()]).toEqual([[banner, 'none'], undefined]);
	await clock.advance(60_000);
	expect([lines().length, clock.open()]).toEqual([2, 0]);
});

test('what was lost last is logged at the end', async () => {
	const {clock, fault, lines} = open();
	fault.countMissing(full);
	await clock.settle();
	fault.countMissing(full);
	fault.close();
	expect([lines().length, clock.open()]).toEqual([2, 0]);
});

test.each([
	['damage', damaged],
	['a disk that hangs', diskSilence()],
	['a thread that is lost', new Problem('storage_unavailable')],
])('%s is reported for the file alone', (_, problem) => {
	const {fault, banners} = open();
	fault.setWrite(problem);
	expect(banners()).toEqual([]);
	fault.setUnusable(problem);
	expect(banners()).toEqual([expect.stringMatching(/^The journal cannot be used\./u)]);
});

test('a file that cannot be used says so before a write that was refused, and after it neither is left', () => {
	const {fault, banners} = open();
	fault.setWrite(full);
	fault.setUnusable(diskSilence());
	fault.setWrite(full);
	expect(fault.current()).toEqual({
		message: expect.stringMatching(/^The journal cannot be used \(The disk of the journal does not answer\)\./u),
		remedy: 'Check the disk that holds /state/journal.db; `findmnt -T /state` names it',
	});
	fault.setWrite(undefined);
	fault.setUnusable(undefined);
	expect(banners().map(banner => banner.split('.')[0])).toEqual([
		'The journal cannot be written',
		'The journal cannot be used',
		'none',
	]);
});

test('a fault of a journal in a database blames no file', () => {
	const {fault} = open('database');
	fault.setUnusable(new Problem('storage_unavailable', {detail: 'it went away'}));
	expect(fault.current()?.remedy).toBe(
		'Look at the log of PostgreSQL; `sluice doctor` tries the database of `journal.url`',
	);
	fault.close();
});

test('a table that cannot be used is a fault until it can, whatever becomes of writes, and is logged once', () => {
	const {fault, banners, lines} = open('database');
	const calls = {table: 'calls', why: 'rights', remedy: 'GRANT it'} as const;
	fault.setTables([calls]);
	fault.setTables([calls]);
	fault.setWrite(undefined);
	const banner = expect.stringMatching(/^The journal cannot use a table: calls\. GRANT it \(the role may not/u);
	expect([banners(), lines()]).toEqual([[banner], [banner]]);
	expect([fault.hasRefusingTable(), fault.standing().state, fault.current()?.remedy]).toEqual([
		true,
		'refusing',
		'GRANT it',
	]);
	// The fault that refuses everything comes first, and its end does not end this one.
	fault.setWrite(full);
	fault.setWrite(undefined);
	fault.setTables([calls, {table: 'runs', why: 'missing'}]);
	expect(banners().slice(1)).toEqual([
		expect.stringContaining('cannot be written'),
		banner,
		expect.stringContaining('cannot use 2 tables: calls, runs'),
	]);
	fault.setTables([]);
	expect([banners().at(-1), fault.current(), fault.hasRefusingTable(), fault.standing().state]).toEqual([
		'none',
		undefined,
		false,
		'open',
	]);
});
