import {expect, test} from 'vitest';
import {openCallFixture} from './call-fixture.ts';

test('a call waits for no disk when the tool is read-only, and for it with any other', async () => {
	const {journal} = openCallFixture();
	const disk = Promise.withResolvers<void>();
	const ends: string[] = [];
	const hanging = {...journal, startCall: () => disk.promise, finishCall: (id: string) => void ends.push(id)};
	const {call, requests, answer, clock} = openCallFixture({journal: hanging});
	const writing = call('write');
	await answer({kind: 'approve', scope: 'once'});
	expect(await call('read')).toMatchObject({kind: 'result'});
	await clock.settle();
	expect([requests.length, ends.length]).toEqual([1, 0]);
	disk.resolve();
	expect(await writing).toMatchObject({kind: 'result'});
	await clock.settle();
	expect([requests.length, ends.length]).toEqual([2, 2]);
});
