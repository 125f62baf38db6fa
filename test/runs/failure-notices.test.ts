import {describe, expect, test} from 'vitest';
import {type Delivery, type DeliveryResult} from '../../source/delivery/deliver.ts';
import {type Journal} from '../../source/journal/journal.ts';
import {createNoteFailure, type Failure, noteFailedRun} from '../../source/runs/failure-notices.ts';
import {createOutbox} from '../../source/runs/outbox.ts';
import {createPublishEnd} from '../../source/runs/run-answers.ts';
import {Problem} from '../../source/util/problem.ts';
import {to} from '../helpers/destinations.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines} from '../helpers/journal-engines.ts';
import {sampleMessage, sampleRun} from '../helpers/journal-records.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {done, failed, uncertain} from './outbox-fixture.ts';

const minute = 60_000;
const failure: Failure = {
	profile: 'default',
	route: 'github',
	reason: 'The model refused',
	runId: 'run-1',
	eventId: 'event-1',
	deliveryId: 'd-1',
};

/** A gateway that notes failures, by default with `agent.on_failure` to Slack. */
function openNotices(
	journal: Journal,
	{
		clock = createFakeClock(),
		deliver = async () => done,
		agent = to('slack', {chat_id: 'C1'}),
	}: {
		readonly clock?: ReturnType<typeof createFakeClock>;
		readonly deliver?: (delivery: Delivery) => Promise<DeliveryResult>;
		readonly agent?: ReturnType<typeof to>;
	} = {},
) {
	const {publish, ofType} = recordEvents();
	const sent: Delivery[] = [];
	const publishOf = () => publish;
	const outbox = createOutbox({
		journal,
		clock,
		publishOf,
		redact: text => text,
		async deliver(delivery) {
			sent.push(delivery);
			return deliver(delivery);
		},
	});
	const note = createNoteFailure({clock, outbox, publishOf, onFailureOf: () => agent});
	const noted: Array<Promise<void>> = [];
	const publishEnd = createPublishEnd({
		journal,
		publishOf,
		noteFailure(found) {
			const end = note(found);
			noted.push(end);
			return end;
		},
	});
	return {
		outbox,
		sent,
		ofType,
		note: (changes: Partial<Failure> = {}) => note({...failure, ...changes}),
		/** Ends a message as `settled` of the outbox does. */
		settle: async (...end: Parameters<typeof publishEnd>) => {
			await publishEnd(...end);
			await Promise.all(noted);
			return sent.map(({text}) => text.split('\n')[0]);
		},
	};
}

describe.each(journalEngines)('on $engine, a failed run', ({open, newPlace}) => {
	test('is one message, a row of the journal that belongs to no route and no event', async () => {
		const journal = await open({clock: createFakeClock()});
		const {note, sent} = openNotices(journal);
		await note();
		expect(await journal.listMessages({limit: 9})).toMatchObject([
			{
				target: 'slack',
				extra: {chat_id: 'C1'},
				route: '',
				eventId: '',
				about: 'failure',
				state: 'sent',
				text: 'A run of route `github` failed: `The model refused`\n\n`sluice runs show run-1`',
			},
		]);
		expect(sent).toHaveLength(1);
	});

	test('for an equal reason within five minutes is counted, and the next message says how many', async () => {
		const clock = createFakeClock();
		const journal = await open({clock});
		const {note, sent} = openNotices(journal, {clock});
		await note();
		await clock.advance(minute);
		await note({runId: 'run-2'});
		await note({runId: 'run-3'});
		await clock.advance(4 * minute - 1);
		await note({runId: 'run-4'});
		expect(sent).toHaveLength(1);
		await clock.advance(1);
		await note({runId: 'run-5'});
		await clock.advance(5 * minute);
		await note({runId: 'run-6'});
		expect(sent.map(({text}) => text.split('\n\n').at(-1))).toEqual([
			'`sluice runs show run-1`',
			'3 more failures for this reason since the last message about it.',
			'`sluice runs show run-6`',
		]);
	});

	test.each([
		['another reason', {reason: 'The model was silent'}],
		['another route', {route: 'gitlab'}],
		['a job', {job: 'nightly'}],
		['another profile', {profile: 'work'}],
	])('%s is a message of its own', async (_, changes) => {
		const journal = await open({clock: createFakeClock()});
		const {note, sent} = openNotices(journal);
		await note();
		await note();
		await note(changes);
		expect(sent).toHaveLength(2);
	});

	test('is counted across gateways and restarts', async () => {
		const clock = createFakeClock();
		const place = await newPlace();
		const first = await open({clock, place});
		await openNotices(first, {clock}).note();
		await first.close();
		const second = await open({clock, place});
		const {note, sent} = openNotices(second, {clock});
		await note();
		expect(sent).toEqual([]);
		await clock.advance(5 * minute);
		await note();
		expect(sent).toMatchObject([{text: expect.stringContaining('1 more failure for this reason')}]);
	});

	test('goes to every destination of its route, else of its profile, else nowhere', async () => {
		const journal = await open({clock: createFakeClock()});
		const {note, sent} = openNotices(journal, {agent: []});
		await note();
		expect(sent).toEqual([]);
		await note({onFailure: [...to('telegram', {chat_id: '7'}), ...to('email')]});
		expect(sent).toMatchObject([{target: 'telegram', extra: {chat_id: '7'}}, {target: 'email'}]);
	});

	test('whose message was written while the gateway stopped is sent at the next start, once', async () => {
		const clock = createFakeClock();
		const journal = await open({clock});
		const stopped = openNotices(journal, {clock});
		await stopped.outbox.stop();
		await stopped.note();
		const [row] = await journal.listMessages({limit: 9});
		expect([row?.state, stopped.sent]).toEqual(['pending', []]);
		const {outbox, sent} = openNotices(journal, {clock});
		await outbox.resume(await outbox.leftBehind(), async () => undefined);
		await outbox.resume(await outbox.leftBehind(), async () => undefined);
		expect(sent).toHaveLength(1);
	});

	test('a message that fails, or that may have arrived, leads to no other one', async () => {
		const clock = createFakeClock();
		const journal = await open({clock});
		const {note, sent, settle} = openNotices(journal, {clock, deliver: async () => failed});
		await note();
		const [row] = await journal.listMessages({limit: 9});
		expect(row?.state).toBe('failed');
		await clock.advance(10 * minute);
		for (const result of [failed, uncertain]) {
			await settle(row ?? sampleMessage('none'), result);
		}

		expect(sent).toHaveLength(1);
	});
});

describe('a message that ended later than it was written', () => {
	const message = sampleMessage('m1', {target: 'telegram', eventId: 'event-1', onFailure: to('slack')});
	const cancelled: DeliveryResult = {kind: 'failed', problem: new Problem('cancelled', {message: 'by a person'})};
	test.each<[string, DeliveryResult, readonly string[]]>([
		['failed', failed, ['A delivery of route `github` failed: `Delivery failed`']],
		['is in doubt', uncertain, [expect.stringContaining('A delivery of route `github` failed')]],
		['arrived', done, []],
		['was cancelled by a person', cancelled, []],
	])('and %s', async (_, result, texts) => {
		const [engine] = journalEngines;
		const journal = await engine!.open({clock: createFakeClock()});
		const {settle} = openNotices(journal, {agent: []});
		const states = {failed: 'failed', uncertain: 'outcome_uncertain', delivered: 'sent', retrying: 'retrying'} as const;
		await journal.persistMessages([message], states[result.kind]);
		expect(await settle(message, result)).toEqual(texts);
	});

	test('and waits for the next start, because the gateway stops, is no failure', async () => {
		const [engine] = journalEngines;
		const journal = await engine!.open({clock: createFakeClock()});
		const {settle} = openNotices(journal, {agent: []});
		await journal.persistMessages([message], 'pending');
		expect(await settle(message, failed)).toEqual([]);
	});
});

test.each([
	['failed', 1],
	['cancelled', 0],
	['interrupted', 0],
	['finished', 0],
] as const)('a run that ended as %s is announced %i times', (state, times) => {
	const found: Failure[] = [];
	const run = sampleRun({id: 'a', job: 'nightly', onFailure: to('slack')});
	noteFailedRun(async one => void found.push(one))(run, {state, reason: 'why'});
	expect(found).toMatchObject(
		Array.from({length: times}, () => ({runId: 'a', job: 'nightly', reason: 'why', onFailure: to('slack')})),
	);
});

test('names and reasons from outside are shown as code, without marks that end it', async () => {
	const [engine] = journalEngines;
	const journal = await engine!.open({clock: createFakeClock()});
	const {note, sent} = openNotices(journal);
	await note({route: 'a`b', reason: '`@everyone` [x](https://evil.example)\n\u202E'});
	expect(sent[0]?.text).toBe(
		"A run of route `a'b` failed: `'@everyone' [x](https://evil.example)␊‹U+202E›`\n\n`sluice runs show run-1`",
	);
});
