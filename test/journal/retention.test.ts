import {randomBytes} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {type Journal} from '../../source/journal/journal.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines} from '../helpers/journal-engines.ts';
import {sampleEvent, sampleRun} from '../helpers/journal-records.ts';

const start = 1_700_000_000_000;
const day = 24 * 60 * 60 * 1000;

describe.each(journalEngines)('on $engine', ({open}) => {
	const openAt = async (limits: {readonly maxAgeDays?: number | (() => number); readonly maxBytes?: number}) => {
		const clock = createFakeClock(start);
		return {clock, journal: await open({clock, ...limits})};
	};

	test('events older than the age are removed, younger ones stay', async () => {
		const {journal} = await openAt({maxAgeDays: 2});
		await journal.acceptEvent({event: sampleEvent({id: 'old', time: start - 2 * day - 1})});
		await journal.acceptEvent({event: sampleEvent({id: 'young', time: start - 2 * day})});
		journal.prune();
		await expect.poll(() => eventIds(journal)).toEqual(['young']);
	});

	test('an age that changes is felt by the next prune', async () => {
		let maxAgeDays = 7;
		const {journal} = await openAt({maxAgeDays: () => maxAgeDays});
		await journal.acceptEvent({event: sampleEvent({id: 'old', time: start - 5 * day})});
		await pruneBeside(journal, start - 8 * day);
		expect(await eventIds(journal)).toEqual(['old']);
		maxAgeDays = 2;
		journal.prune();
		await expect.poll(() => eventIds(journal)).toEqual([]);
	});

	test('more than one slice is removed', async () => {
		const {journal} = await openAt({maxAgeDays: 1});
		await Promise.all(
			Array.from({length: 1100}, () => journal.acceptEvent({event: sampleEvent({time: start - 5 * day})})),
		);
		journal.prune();
		await expect.poll(() => eventIds(journal)).toEqual([]);
	});

	test.each(['queued', 'running', 'inbox'] as const)('an old run that is %s stays, with its event', async state => {
		const {clock, journal} = await openAt({maxAgeDays: 1});
		const event = sampleEvent({time: start - 5 * day});
		await journal.acceptEvent({event, run: sampleRun({id: 'run', eventId: event.id, createdAt: event.time})});
		await journal.setRunState('run', state);
		await clock.advance(5 * day);
		await pruneBeside(journal, start);
		expect([(await journal.findRun('run'))?.state, (await journal.findEvent(event.id))?.id]).toEqual([state, event.id]);
	});

	test('the old event of a window that is open stays', async () => {
		const {journal} = await openAt({maxAgeDays: 1});
		const event = sampleEvent({id: 'old', time: start - 5 * day});
		await journal.acceptEvent({event, run: sampleRun({eventId: event.id}), windowKey: 'k'});
		await pruneBeside(journal, start - 5 * day);
		expect(await eventIds(journal)).toEqual(['old']);
	});

	test.each(['finished', 'failed', 'cancelled', 'interrupted'] as const)('an old run that is %s goes', async state => {
		const {clock, journal} = await openAt({maxAgeDays: 1});
		const event = sampleEvent();
		await journal.acceptEvent({event, run: sampleRun({id: 'run', eventId: event.id})});
		await journal.setRunState('run', state);
		await clock.advance(5 * day);
		journal.prune();
		await expect.poll(() => journal.findRun('run')).toBeUndefined();
		await expect.poll(() => journal.findEvent(event.id)).toBeUndefined();
	});

	test('old calls and decisions go', async () => {
		const {journal} = await openAt({maxAgeDays: 1});
		const row = {id: 'a', time: start - 5 * day, profile: 'default', server: 's', tool: 't'};
		await journal.startCall({...row, arguments: {}, origin: {kind: 'dashboard'}});
		journal.recordDecision({...row, argumentsHash: 'h', outcome: 'denied'});
		journal.prune();
		await expect.poll(() => journal.listCalls({limit: 1})).toEqual([]);
		await expect.poll(() => journal.listDecisions({limit: 1})).toEqual([]);
	});

	test('a delivery id that still holds survives the row of its event', async () => {
		const {journal} = await openAt({maxAgeDays: 1});
		const request = () => ({
			event: sampleEvent({deliveryId: 'one', time: start - 5 * day}),
			deduplicateUntil: start + 1,
		});
		await journal.acceptEvent(request());
		journal.prune();
		await expect.poll(() => eventIds(journal)).toEqual([]);
		expect(await journal.acceptEvent(request())).toBe('duplicate');
	});

	test('the oldest events go until the size is kept, and no more', async () => {
		const {journal} = await openAt({maxBytes: 2 ** 21});
		const accept = (index: number) =>
			journal.acceptEvent({event: sampleEvent({id: `${index}`, time: start + index, body: randomBytes(4096)})});
		await Promise.all(Array.from({length: 1000}, (_, index) => accept(index)));
		journal.prune();
		// Half of what was written fits; each engine counts more or less of what it writes beside a body.
		const isHalf = async () => (await eventIds(journal)).length < 520;
		await expect.poll(isHalf).toBe(true);
		await pruneBeside(journal, start - 99 * day);
		const left = await eventIds(journal);
		expect(left.length).toBeGreaterThan(350);
		expect(left).toEqual(left.map((_, index) => `${999 - index}`));
	});

	test('refused requests go before what was accepted earlier', async () => {
		const {journal} = await openAt({maxBytes: 2 ** 21});
		const accepted = Array.from({length: 20}, (_, index) => `accepted-${index}`);
		await Promise.all(
			accepted.map((id, index) => journal.acceptEvent({event: sampleEvent({id, time: start + index})})),
		);
		for (let index = 0; index < 600; index++) {
			const headers = {junk: randomBytes(7000).toString('hex')};
			const refused = {status: 401, outcome: 'rejected', headers, body: undefined} as const;
			journal.recordEvent(sampleEvent({time: start + 100 + index, ...refused}));
		}

		journal.prune();
		const refusedLeft = async () => (await eventIds(journal)).filter(id => !id.startsWith('accepted-')).length;
		await expect.poll(refusedLeft).toBeLessThan(160);
		await pruneBeside(journal, start - 99 * day);
		expect((await eventIds(journal)).filter(id => id.startsWith('accepted-'))).toEqual(accepted.toReversed());
	});

	test('a journal too large with open runs alone stops pruning', async () => {
		const {journal} = await openAt({maxBytes: 1});
		const event = sampleEvent();
		await journal.acceptEvent({event, run: sampleRun({id: 'run', eventId: event.id})});
		await pruneBeside(journal, start);
		expect(await eventIds(journal)).toEqual([event.id]);
	});

	test('closing in the middle of pruning is quiet', async () => {
		const problems: unknown[] = [];
		const clock = createFakeClock(start);
		const journal = await open({clock, maxAgeDays: 1, report: problem => problems.push(problem)});
		await Promise.all(
			Array.from({length: 500}, () => journal.acceptEvent({event: sampleEvent({time: start - 5 * day})})),
		);
		journal.prune();
		await journal.close();
		await clock.settle();
		expect(problems).toEqual([]);
	});
});

async function eventIds(journal: Journal): Promise<readonly string[]> {
	return (await journal.listEvents({limit: 10_000})).map(({id}) => id);
}

/** Prunes until a row of that time, which is too old, is gone: what is as old and still there then stays. */
async function pruneBeside(journal: Journal, time: number): Promise<void> {
	const about = {profile: 'default', server: 's', tool: 't', argumentsHash: 'h', outcome: 'denied'} as const;
	journal.recordDecision({...about, id: 'beside', time});
	journal.prune();
	await expect.poll(() => journal.listDecisions({limit: 1})).toEqual([]);
}
