import {describe, expect, test} from 'vitest';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines} from '../helpers/journal-engines.ts';
import {sampleEvent, sampleRun} from '../helpers/journal-records.ts';
import {to} from '../helpers/destinations.ts';

const start = 1_700_000_000_000;
/** U+0000, what may stand for it, half of a character, what JSON writes for them, a quote, a line separator, and more than one byte. */
const hostile = 'a\u0000\u001A0\u001Ab\uD800c\\u0000\\uD800"\'%_\u2028é😀';
/** The same text in a column: UTF-8 has no half characters. JSON keeps its escapes. */
const inColumn = hostile.toWellFormed();
const values = {
	text: hostile,
	[hostile]: [hostile, {__proto__x: null}],
	numbers: [1e21, 1e-7, 0.1, Number.MAX_VALUE, -5],
};
const origin = {kind: 'endpoint', client: hostile} as const;
const about = {time: start, profile: 'default', server: 'files', tool: hostile} as const;
const message = {
	id: 'm',
	eventId: 'e',
	target: hostile,
	text: hostile,
	extra: values,
	deliveryId: hostile,
	route: 'github',
};

describe.each(journalEngines)('what outsiders wrote, on $engine', ({open}) => {
	const openNow = () => open({clock: createFakeClock(start)});

	test('comes back as it was in arguments and answers of calls, and finds its profile and its server', async () => {
		const journal = await openNow();
		const call = {...about, id: 'c', arguments: values, origin};
		const end = {outcome: 'ok', ms: 1, result: {text: hostile, structuredContent: values}} as const;
		journal.recordCall(call, end);
		expect(await journal.findCall('c')).toEqual({...call, end});
		expect(await journal.listCalls({profile: 'default', server: 'files', limit: 9})).toEqual([
			{...call, end: {...end, result: undefined}},
		]);
		expect((await journal.listCallPage({profile: 'default'})).calls).toEqual([call]);
		expect(await journal.listRates({since: start, before: start + 1})).toMatchObject([{of: 'server', name: 'files'}]);
	});

	test('comes back as it was in decisions', async () => {
		const journal = await openNow();
		const said = {argumentsHash: 'h', outcome: 'denied', by: hostile, message: hostile} as const;
		const decision = {...about, ...said, id: 'd', requestedAt: start - 1, origin, arguments: values};
		journal.recordDecision(decision);
		expect(await journal.listDecisions({limit: 1})).toEqual([decision]);
	});

	test('does not lose an event, nor let it in twice', async () => {
		const journal = await openNow();
		const body = new TextEncoder().encode(hostile);
		const content = {headers: {'x-hostile': hostile}, trace: {text: hostile}, body: Uint8Array.of(...body, 0, 255)};
		const event = sampleEvent({id: 'e', event: hostile, deliveryId: hostile, reason: hostile, ...content});
		const accept = () =>
			journal.acceptEvent({event, run: sampleRun({id: 'r', eventId: 'e'}), deduplicateUntil: start + 9});
		expect([await accept(), await accept()]).toEqual(['accepted', 'duplicate']);
		const columns = {event: inColumn, deliveryId: inColumn, reason: inColumn};
		expect(await journal.findEvent('e')).toEqual({...event, ...columns});
		expect(await journal.listEvents({limit: 9})).toMatchObject([columns]);
	});

	test('comes back as it was in runs, and in the prompt of a window', async () => {
		const journal = await openNow();
		const run = sampleRun({id: 'r', eventId: '', prompt: hostile, deliver: to('log', values), deliveryId: hostile});
		await journal.queueRun(run);
		await journal.moveQueuedRuns(['r'], {state: 'running'});
		await journal.finishRun('r', {state: 'failed', reason: hostile, result: {answer: hostile}});
		const changed = {state: 'failed', reason: inColumn, changedAt: start};
		expect(await journal.findRun('r')).toEqual({...run, ...changed, result: {answer: hostile}});
		const waiting = sampleRun({id: 'w', eventId: 'e', prompt: hostile});
		await journal.acceptEvent({event: sampleEvent({id: 'e', route: 'github'}), run: waiting, windowKey: hostile});
		expect(await journal.listWindows()).toMatchObject([{route: 'github', key: inColumn}]);
		expect(await journal.takeWindow({route: 'github', key: hostile})).toEqual(waiting);
	});

	test('comes back as it was in messages, and says where they fail', async () => {
		const journal = await openNow();
		await journal.persistMessages([message], 'sending');
		await journal.finishMessage('m', 'failed', hostile);
		const row = {...message, state: 'failed', detail: inColumn, changedAt: start};
		expect(await journal.listMessages({limit: 9})).toEqual([row]);
		const columns = {target: inColumn, reason: inColumn};
		expect(await journal.listFailedDeliveries({limit: 9})).toMatchObject([columns]);
		await journal.beginMessage('m', 'failed');
		await journal.finishMessage('m', 'sent');
		expect(await journal.listFailedDeliveries({limit: 9})).toEqual([]);
	});

	test('is nothing that a search fails at', async () => {
		const journal = await openNow();
		expect([
			await journal.findEvent(hostile),
			await journal.findRun(hostile),
			await journal.findCall(hostile),
			await journal.findCallDecision(hostile),
			await journal.findTrace({subject: {kind: 'job', id: hostile}, profile: hostile}),
			await journal.listCalls({profile: hostile, server: hostile, limit: 9}),
			await journal.listEvents({route: hostile, limit: 9}),
			(await journal.findIds({of: 'run', part: hostile, before: hostile})).ids,
		]).toEqual([undefined, undefined, undefined, undefined, undefined, [], [], []]);
	});
});
