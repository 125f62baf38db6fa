import {describe, expect, test} from 'vitest';
import {type StorageReply, type StorageRequest} from '../../../source/journal/operations/operations.ts';
import {createRequestBatches} from '../../../source/journal/operations/request-batches.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

type Run = (requests: readonly StorageRequest[]) => Promise<readonly StorageReply[]>;

const echo: Run = async requests => requests.map(({args}) => ({kind: 'value', value: args[0]}));

/** Batches before a storage that answers each request with its first argument. */
function open(run: Run = echo) {
	const sent: string[][] = [];
	const clock = createFakeClock();
	const batches = createRequestBatches(requests => {
		sent.push(requests.map(({name, args}) => `${name} ${String(args[0])}`));
		return run(requests);
	}, clock);
	return {...batches, sent, clock};
}

describe('Requests', () => {
	test('of one turn go together, in their order, and each gets its own answer', async () => {
		const {ask, sent} = open();
		const answers = await Promise.all([ask('findRun', 'a'), ask('setRunState', 'b', 'failed'), ask('findRun', 'c')]);
		expect(answers).toEqual(['a', 'b', 'c']);
		expect(sent).toEqual([['findRun a', 'setRunState b', 'findRun c']]);
	});

	test('that follow from an answer go in a later batch', async () => {
		const {ask, sent} = open();
		await ask('findRun', 'a').then(() => ask('findRun', 'b'));
		expect(sent).toEqual([['findRun a'], ['findRun b']]);
	});

	test('carry the time at which they were made', async () => {
		const times: number[] = [];
		const {ask} = open(async requests => {
			times.push(...requests.map(({now}) => now));
			return echo(requests);
		});
		await ask('countWaitingRuns');
		expect(times).toEqual([1_700_000_000_000]);
	});

	test('that are refused reject with the problem, its reason and whether the file is damaged', async () => {
		const refusal = {kind: 'problem', message: 'No', detail: 'malformed', fault: 'damaged'} as const;
		const {ask} = open(async ([first]) => [{kind: 'value', value: first?.name}, refusal]);
		const [kept, refused] = await Promise.allSettled([ask('findRun', 'a'), ask('findRun', 'b')]);
		expect(kept.status).toBe('fulfilled');
		expect(refused).toMatchObject({
			reason: {code: 'storage_unavailable', message: 'No', detail: 'malformed', fault: 'damaged'},
		});
	});

	test('all reject when nobody knows what became of their batch, and the next batch is sent', async () => {
		let failures = 1;
		const {ask} = open(async requests => {
			if (failures-- > 0) {
				throw new Error('the thread ended');
			}

			return echo(requests);
		});
		const outcomes = await Promise.allSettled([ask('findRun', 'a'), ask('findRun', 'b')]);
		const ended = {reason: {code: 'storage_unavailable', detail: 'the thread ended'}};
		expect(outcomes).toMatchObject([ended, ended]);
		expect(await ask('findRun', 'c')).toBe('c');
	});
});

describe('Writes that nobody waits for', () => {
	test('are gathered for five milliseconds, then go together', async () => {
		const {askBehind, sent, clock} = open();
		const written = [askBehind('setRunState', 'a', 'failed')];
		await clock.advance(4);
		written.push(askBehind('setRunState', 'b', 'failed'));
		expect(sent).toEqual([]);
		await clock.advance(1);
		expect(sent).toEqual([['setRunState a', 'setRunState b']]);
		expect(await Promise.all(written)).toEqual(['a', 'b']);
		expect(clock.open()).toBe(0);
	});

	test('go at once with a request that somebody waits for, in the order in which they were asked', async () => {
		const {ask, askBehind, sent, clock} = open();
		const before = askBehind('setRunState', 'a', 'failed');
		const waited = ask('findRun', 'b');
		const behind = askBehind('setRunState', 'c', 'failed');
		expect(await Promise.all([before, waited, behind])).toEqual(['a', 'b', 'c']);
		expect([sent, clock.open()]).toEqual([[['setRunState a', 'findRun b', 'setRunState c']], 0]);
	});

	test('are refused while 32 MB of them are not on the disk, and what somebody waits for is not', async () => {
		const hanging = Promise.withResolvers<void>();
		const {ask, askBehind, clock} = open(async requests => {
			await hanging.promise;
			return echo(requests);
		});
		const body = new Uint8Array(1024 * 1024);
		const record = () => askBehind('recordEvent', ['an event', 1], body);
		const written = Array.from({length: 32}, record);
		await expect(record()).rejects.toMatchObject({
			code: 'storage_unavailable',
			fault: 'refused',
			detail: 'too much waits for the disk',
		});
		const waited = ask('findRun', 'a');
		await clock.advance(5);
		hanging.resolve();
		expect(await Promise.all(written)).toHaveLength(32);
		expect(await waited).toBe('a');
		const later = record();
		await clock.advance(5);
		await later;
	});

	test('go at once when the journal closes', async () => {
		const {askBehind, close, sent, clock} = open();
		const written = askBehind('setRunState', 'a', 'failed');
		await close();
		expect([await written, sent, clock.open()]).toEqual(['a', [['setRunState a']], 0]);
	});
});

test('closing sends what waits at once, waits for its answer, and refuses what comes later', async () => {
	const answered = Promise.withResolvers<void>();
	const {ask, close, sent} = open(async requests => {
		await answered.promise;
		return echo(requests);
	});
	const asked = ask('findRun', 'a');
	const order: string[] = [];
	const closing = close().then(() => order.push('closed'));
	expect(sent).toEqual([['findRun a']]);
	await expect(ask('findRun', 'b')).rejects.toMatchObject({code: 'storage_unavailable'});
	void asked.then(() => order.push('answered'));
	answered.resolve();
	await closing;
	expect(order).toEqual(['answered', 'closed']);
	expect(sent).toHaveLength(1);
});
