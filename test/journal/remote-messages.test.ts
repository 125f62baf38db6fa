import {describe, expect, test, vi} from 'vitest';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines, newPostgresPlace} from '../helpers/journal-engines.ts';
import {openNode} from '../helpers/journal-nodes.ts';
import {hasPostgres} from '../helpers/postgres-server.ts';
import {sampleRemoteMessage} from '../helpers/remote-messages.ts';

const channel = 'telegram:a';
const message = sampleRemoteMessage();
const outcome = {text: 'Denied by telegram:456', foreign: 'not today'};

describe.each(journalEngines)('on $engine', ({open, newPlace}) => {
	test('a message is written, changed and found again until its outcome stands in the chat', async () => {
		const journal = await open({clock: createFakeClock()});
		expect(await journal.claimRemoteChannel(channel)).toEqual({holder: 'this-gateway'});
		expect(await journal.writeRemoteMessage(message)).toBe(true);
		const step = {kind: 'choosing', numbers: [12, 34, 56], right: 1, countsFrom: 5} as const;
		const changed = {...message, state: 'ending', step, expiresAt: null, outcome} as const;
		expect(await journal.writeRemoteMessage(changed)).toBe(true);
		expect(await journal.takeRemoteMessages(channel)).toEqual([changed]);
		expect(await journal.writeRemoteMessage({...changed, state: 'ended'})).toBe(true);
		expect(await journal.takeRemoteMessages(channel)).toEqual([]);
	});

	test('nothing is written or taken in a channel that is not held', async () => {
		const journal = await open({clock: createFakeClock()});
		expect(await journal.writeRemoteMessage(message)).toBe(false);
		await journal.claimRemoteChannel(channel);
		await journal.writeRemoteMessage(message);
		expect(await journal.writeRemoteMessage({...message, id: 'other', channel: 'slack:b'})).toBe(false);
		journal.releaseRemoteChannel(channel);
		expect(await journal.takeRemoteMessages(channel)).toEqual([]);
		await journal.claimRemoteChannel(channel);
		expect(await journal.takeRemoteMessages(channel)).toEqual([message]);
	});

	test('the gateway that starts after a kill takes the channel and its messages', async () => {
		const place = await newPlace();
		const one = await openNode(place, 'web-1', 100);
		await one.journal.claimRemoteChannel(channel);
		await one.journal.writeRemoteMessage(message);
		await one.journal.close();
		const two = await openNode(place, 'web-1', 100);
		expect(await two.journal.claimRemoteChannel(channel)).toEqual({holder: 'this-gateway'});
		expect(await two.journal.takeRemoteMessages(channel)).toEqual([message]);
	});
});

test.runIf(hasPostgres)('one gateway of a database holds a channel, until others declare it dead', async () => {
	const place = await newPostgresPlace();
	const [one, two] = [await openNode(place, 'web-1', 500), await openNode(place, 'web-2', 60_000)];
	expect(await one.journal.claimRemoteChannel(channel)).toEqual({holder: 'this-gateway'});
	expect(await two.journal.claimRemoteChannel(channel)).toEqual({holder: 'another', node: 'web-1'});
	await one.journal.writeRemoteMessage(message);
	expect(await two.journal.writeRemoteMessage({...message, state: 'ended'})).toBe(false);
	expect(await two.journal.takeRemoteMessages(channel)).toEqual([]);

	// Without a sign for longer than its lease it counts as dead.
	await vi.waitFor(async () => {
		await two.journal.expireNodes();
		expect(await two.journal.claimRemoteChannel(channel)).toEqual({holder: 'this-gateway'});
	});
	expect(await two.journal.takeRemoteMessages(channel)).toEqual([message]);
	expect(await two.journal.writeRemoteMessage({...message, state: 'ending', outcome})).toBe(true);
	expect(await one.journal.claimRemoteChannel(channel)).toEqual({holder: 'another', node: 'web-2'});
	expect(await one.journal.writeRemoteMessage({...message, state: 'ended'})).toBe(false);
});
