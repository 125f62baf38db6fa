import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {timeShares} from '../../../source/gateway/pages/time-shares.ts';
import {storedTrace} from '../../../source/gateway/pages/trace.ts';
import {type TraceLine, timeUses} from '../../../source/state/trace.ts';
import {createRedactor} from '../../../source/util/redact.ts';
import {orderedId, timeOfId} from '../../../source/util/random-id.ts';
import {createFakeClock, type FakeClock} from '../../helpers/fake-clock.ts';
import {openTestJournal, sampleEvent, sampleRun} from '../../helpers/journal-records.ts';
import {approval} from '../../tui/sample-events.ts';
import {about, began, openHistory, traceFrom} from './traced-history.ts';

const text = ({at, status, subject, facts}: TraceLine) =>
	[`+${at - began}`, status.is, subject, ...facts].filter(Boolean).join(' | ');

const fullTrace = [
	'+0 | received | POST /webhooks/pulls | 14 B | X-Hub-Signature-256 | claimed event "pull_request"',
	'+2 | accepted | 202 | claimed delivery "6be08384"',
	'+11 | running | openai-compatible/scripted | 321 tokens in, 22 out',
	'+400 | asked | hostile/post | from outside: channel | {"channel":"#ops","token":"‹redacted 4 chars›"}',
	'+5000 | approved | hostile/post | once | by console:1 | after 4.6 s',
	'+5000 | ok | hostile/post | 5 ms',
	'+5100 | failed | status 403: not_in_channel | All is well',
	'+5100 | failed | slack | status 403: not_in_channel | All is well',
];

/** A request to a journal, which answers while the clock settles. */
async function settled<Result>(asked: Promise<Result>, clock: FakeClock): Promise<Result> {
	const answers: Result[] = [];
	void asked.then(answer => answers.push(answer));
	while (answers.length === 0) {
		await clock.settle();
	}

	return asked;
}

describe('a trace', () => {
	test('of a stored row has the same lines in a document', async () => {
		const {clock, journal} = await openHistory();
		const options = {journal, now: clock.now(), pending: [], redactor: createRedactor()};
		const {lines, shares} = await settled(storedTrace({kind: 'event', id: 'e1'}, 'default', options), clock);
		const page = await traceFrom({clock, journal}, {kind: 'event', id: 'e1'});
		expect({lines, shares}).toEqual({lines: page.lines, shares: page.shares});
	});

	test.each([
		{kind: 'event', id: 'e1', picked: 'request'},
		{kind: 'run', id: 'r1', picked: 'delivery m1'},
		{kind: 'call', id: 'c1', picked: 'call c1'},
		{kind: 'decision', id: 'a1', picked: 'decision a1'},
		{kind: 'delivery', id: 'm1', picked: 'delivery m1'},
	] as const)('opened by $kind $id shows everything, and picks $picked', async ({kind, id, picked}) => {
		const trace = await traceFrom(await openHistory(), {kind, id});
		expect(trace.lines.map(text)).toEqual(fullTrace);
		expect(trace).toMatchObject({picked, event: {id: 'e1', route: 'pulls'}, runId: 'r1', startedAt: began});
		expect(trace.title).toEqual(['e1', 'pulls', '"pull_request"', 'failed', '5.1 s', '343 tokens']);
	});

	test('names the gateways where several share the journal', async () => {
		const {clock, journal} = await openHistory();
		const shared: Pick<typeof journal, 'findTrace'> = {
			async findTrace(query) {
				const rows = await journal.findTrace(query);
				return (
					rows && {
						...rows,
						event: rows.event && {...rows.event, node: 'web-1'},
						runs: rows.runs.map(run => ({...run, node: 'web-2'})),
						messages: rows.messages.map(message => ({...message, node: 'web-3'})),
					}
				);
			},
		};
		const options = {journal: shared, now: clock.now(), pending: [], redactor: createRedactor()};
		const {lines} = await settled(storedTrace({kind: 'event', id: 'e1'}, 'default', options), clock);
		const named = lines.flatMap(({id, facts}) =>
			facts.filter(fact => fact.startsWith('node ')).map(fact => [id, fact]),
		);
		expect(named).toEqual([
			['request', 'node web-1'],
			['run r1', 'node web-2'],
			['delivery m1', 'node web-3'],
		]);
	});

	test('says what the time was spent on', async () => {
		const {shares} = await traceFrom(await openHistory(), {kind: 'run', id: 'r1'});
		expect(shares).toEqual([
			{use: 'person', ms: 4600},
			{use: 'calls', ms: 5},
			{use: 'checks', ms: 2},
			{use: 'queue', ms: 9},
			{use: 'model', ms: 484},
		]);
	});

	test('has the command for each line', async () => {
		const {lines} = await traceFrom(await openHistory(), {kind: 'run', id: 'r1'});
		expect(lines.map(({command}) => command)).toEqual([
			'sluice events show e1',
			'sluice events show e1',
			'sluice runs show r1',
			'sluice calls show c1',
			'sluice calls show c1',
			'sluice calls show c1',
			'sluice runs show r1',
			'sluice events replay e1 --deliver',
		]);
	});

	test('of what the journal does not have is empty', async () => {
		const trace = await traceFrom(await openHistory(), {kind: 'call', id: 'gone'});
		expect(trace).toMatchObject({lines: [], shares: []});
	});

	test('of a request that was refused names the filter', async () => {
		const clock = createFakeClock(began);
		const journal = openTestJournal({clock});
		const trace = {filter: 'filters.0: state in open'};
		journal.recordEvent({...sampleEvent({id: 'e2', outcome: 'ignored', status: 200, reason: 'filter'}), trace});
		const {lines} = await traceFrom({clock, journal}, {kind: 'event', id: 'e2'});
		expect(lines.map(text).at(-1)).toContain('ignored | 200 | refused by filter filters.0: state in open | filter');
	});

	test('of a call without a run is the call, who made it, and what was decided', async () => {
		const clock = createFakeClock(began);
		const journal = openTestJournal({clock});
		const call = {
			...about,
			id: 'c2',
			time: began,
			arguments: {},
			origin: {kind: 'endpoint', client: 'editor'},
		} as const;
		journal.recordCall(call, {outcome: 'denied', code: 'denied', ms: 3});
		journal.recordDecision({...call, id: 'c2', callId: 'c2', argumentsHash: 'h', outcome: 'denied', message: 'rule r'});
		const trace = await traceFrom({clock, journal}, {kind: 'call', id: 'c2'});
		expect(trace.lines.map(text)).toEqual(['+0 | denied | hostile/post | rule r']);
		expect(trace.picked).toBe('decision c2');
		journal.recordCall({...call, id: 'c3'}, {outcome: 'ok', ms: 7});
		const {lines} = await traceFrom({clock, journal}, {kind: 'call', id: 'c3'});
		expect(lines.map(text)).toEqual(['+0 | ok | hostile/post | 7 ms | from endpoint · claimed client "editor"']);
	});

	test('of a run that is under way shows what waits for a person, and leads to it', async () => {
		const clock = createFakeClock(began);
		const journal = openTestJournal({clock});
		const run = sampleRun({id: 'r1', eventId: '', createdAt: began});
		void journal.queueRun(run);
		void journal.setRunState('r1', 'running');
		await clock.advance(3000);
		const request = approval('a9', {origin: about.origin, requestedAt: began + 1000});
		const pending = request.type === 'approval.requested' ? [request] : [];
		const trace = await traceFrom({clock, journal}, {kind: 'run', id: 'r1'}, {pending});
		expect(trace.lines.map(text)).toEqual([
			'+0 | running',
			'+1000 | asked | github/create_issue | waits for you since 2.0 s | {"repo":"acme/app","title":"Broken"}',
		]);
		expect(trace).toMatchObject({
			picked: 'asked a9',
			shares: [
				{use: 'person', ms: 2000},
				{use: 'model', ms: 1000},
			],
		});
		const others = await traceFrom(
			{clock, journal},
			{kind: 'run', id: 'r1'},
			{pending: pending.map(one => ({...one, origin: {...about.origin, runId: 'r2'}}))},
		);
		expect(others.lines).toHaveLength(1);
	});

	test('of a job is that of its newest run', async () => {
		const clock = createFakeClock(began);
		const journal = openTestJournal({clock});
		for (const [id, job] of [
			['r1', 'nightly'],
			['r2', 'nightly'],
			['r3', 'weekly'],
		] as const) {
			void journal.queueRun(sampleRun({id, eventId: '', route: '', job, createdAt: began}));
		}

		await clock.settle();
		expect(await traceFrom({clock, journal}, {kind: 'job', id: 'nightly'})).toMatchObject({
			runId: 'r2',
			picked: 'run r2',
		});
		expect(await traceFrom({clock, journal}, {kind: 'job', id: 'never'})).toMatchObject({lines: []});
	});
});

describe('the trace of a run with 1,000 calls', () => {
	const open = async () => {
		const {clock, journal} = await openHistory();
		for (let count = 0; count < 1000; count++) {
			const call = {...about, id: `n${count}`, time: began + 5000 + count, arguments: {count}};
			journal.recordCall(call, {outcome: 'ok', ms: 1});
		}

		await clock.settle();
		return {clock, journal};
	};

	test('is in parts, which together have every line once', async () => {
		const opened = await open();
		const subject = {kind: 'run', id: 'r1'} as const;
		const last = await traceFrom(opened, subject);
		expect(last.part).toEqual({number: 21, of: 21});
		const parts = await Promise.all(
			Array.from({length: 21}, (_, index) => traceFrom(opened, subject, {part: index + 1})),
		);
		const ids = parts.flatMap(({lines}) => lines.map(({id}) => id));
		expect(ids).toHaveLength(fullTrace.length + 1000);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids.at(0)).toBe('request');
		expect(ids.at(-1)).toBe('delivery m1');
		expect(Math.max(...parts.map(({lines}) => lines.length))).toBeLessThan(60);
		expect(parts[20]?.shares).toEqual(parts[0]?.shares);
	});

	test('is in one document with its first parts and its last one', async () => {
		const {clock, journal} = await open();
		const options = {journal, now: clock.now(), pending: [], redactor: createRedactor()};
		const whole = await settled(storedTrace({kind: 'run', id: 'r1'}, 'default', options), clock);
		const ids = whole.lines.map(({id}) => id);
		expect(ids).toHaveLength(fullTrace.length + 1000 - 17 * 50);
		expect([new Set(ids).size, ids.at(0), ids.at(-1)]).toEqual([ids.length, 'request', 'delivery m1']);
	});

	test('opened by a call is the part that has it', async () => {
		const opened = await open();
		const trace = await traceFrom(opened, {kind: 'call', id: 'n777'});
		expect(trace.lines.map(({id}) => id)).toContain('call n777');
		expect(trace.picked).toBe('call n777');
		expect(await traceFrom(opened, {kind: 'event', id: 'e1'})).toMatchObject({part: {number: 1}, picked: 'request'});
		expect(await traceFrom(opened, {kind: 'run', id: 'r1'}, {part: 99})).toMatchObject({part: {number: 21}});
	});
});

const time = fc.integer({min: began - 10_000, max: began + 100_000});

describe('whatever is in the journal', () => {
	test('shares sum to the whole and none is negative', () => {
		const spans = fc.array(fc.record({use: fc.constantFrom(...timeUses), from: time, to: time}), {maxLength: 40});
		fc.assert(
			fc.property(spans, time, time, (all, start, end) => {
				const shares = timeShares(all, start, end);
				expect(shares.reduce((sum, {ms}) => sum + ms, 0)).toBe(Math.max(0, end - start));
				expect(shares.every(({ms}) => ms > 0)).toBe(true);
				expect(new Set(shares.map(({use}) => use)).size).toBe(shares.length);
			}),
		);
	});

	test('lines are in sequence, none is later than now, and hostile text is in one row and safe', async () => {
		const clock = createFakeClock(began);
		const journal = openTestJournal({clock});
		const hostile = '\u001B[2J\nrm -rf\u202E\u0007'.repeat(200);
		const call = {...about, tool: hostile, id: 'c1', time: began + 999_999, arguments: {[hostile]: hostile}};
		void journal.queueRun(sampleRun({id: 'r1', eventId: '', route: hostile, job: hostile, createdAt: began + 5}));
		journal.recordCall(call, {outcome: 'ok', ms: -5});
		const decision = {
			...call,
			id: 'a1',
			callId: 'c1',
			time: began,
			requestedAt: began + 50,
			by: hostile,
			message: hostile,
		};
		journal.recordDecision({...decision, argumentsHash: 'h', outcome: 'denied'});
		const sent = {id: 'm1', eventId: '', runId: 'r1', target: hostile, text: hostile, extra: {}, deliveryId: hostile};
		void journal.persistMessages([{...sent, route: hostile}], 'failed', hostile);
		await clock.settle();
		const trace = await traceFrom({clock, journal}, {kind: 'run', id: 'r1'});
		const times = trace.lines.map(({at}) => at);
		expect(times).toEqual(times.toSorted((first, second) => first - second));
		expect(Math.max(...times)).toBeLessThanOrEqual(began);
		expect(trace.shares.every(({ms}) => ms > 0)).toBe(true);
		const texts = [...trace.title, ...trace.lines.flatMap(({subject, facts}) => [subject, ...facts])];
		expect(texts.length).toBeGreaterThan(8);
		expect(texts.filter(one => /[\p{Cc}\u202E]/u.test(one) || one.length > 1000)).toEqual([]);
		expect(texts.join('')).toContain('rm -rf');
	});
});

test('an id says when it was made', () => {
	// Ids never go back in time, and others were made before.
	const later = Date.now() + 60_000;
	expect(timeOfId(orderedId(later))).toBe(later);
	expect(timeOfId('m1')).toBeUndefined();
});
