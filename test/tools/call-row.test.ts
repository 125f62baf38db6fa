import {expect, test} from 'vitest';
import {done, openCallFixture} from './call-fixture.ts';

test('a call waits for no disk when the tool is read-only, and for it with any other', async () => {
	const {journal} = openCallFixture();
	const disk = Promise.withResolvers<void>();
	const ends: string[] = [];
	const hanging = {
		...journal,
		startCall: () => disk.promise,
		finishCall: (id: string) => void ends.push(id),
	};
	const reading = Promise.withResolvers<typeof done>();
	const {call, requests, answer, clock} = openCallFixture({journal: hanging, respond: () => reading.promise});
	const writing = call('write');
	await answer({kind: 'approve', scope: 'once'});
	const read = call('read');
	await clock.advance(1000);
	expect([requests.length, ends.length]).toEqual([1, 0]);
	reading.resolve(done);
	expect(await read).toMatchObject({kind: 'result'});
	expect([requests.length, ends.length]).toEqual([1, 0]);
	disk.resolve();
	expect(await writing).toMatchObject({kind: 'result'});
	await clock.settle();
	expect([requests.length, ends.length]).toEqual([2, 2]);
});

test('a short call of a read-only tool is one row, written when it has ended; a long one has its start before', async () => {
	const reading = Promise.withResolvers<typeof done>();
	const {call, clock, order} = openCallFixture({respond: () => reading.promise});
	const first = call('read');
	await clock.advance(249);
	expect(order).toEqual(['server is asked']);
	await clock.advance(1);
	expect(order).toEqual(['server is asked', 'journal knows']);
	reading.resolve(done);
	await first;
	await call('read');
	await clock.advance(1000);
	expect(order).toEqual([
		'server is asked',
		'journal knows',
		'journal closes',
		'server is asked',
		'journal has the row',
	]);
});

test('a caller that goes away while the journal writes has nothing sent', async () => {
	const caller = new AbortController();
	const {journal, ends} = openCallFixture();
	const {call, requests, answer} = openCallFixture({journal: {...journal, startCall: async () => caller.abort()}});
	const writing = call('write', {}, caller.signal);
	await answer({kind: 'approve', scope: 'once'});
	expect(await writing).toMatchObject({error: {code: 'cancelled'}});
	expect(requests).toEqual([]);
	expect(ends).toMatchObject([[expect.any(String), {outcome: 'cancelled'}]]);
});
