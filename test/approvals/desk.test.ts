import {getEventListeners} from 'node:events';
import {describe, expect, test} from 'vitest';
import {createDesk, type Desk} from '../../source/approvals/desk.ts';
import {type Verdict} from '../../source/state/command.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {approve, askSomething, openDesk, request} from './open-desk.ts';

describe('an answer', () => {
	test('reaches the caller with scope and place', async () => {
		const {desk} = openDesk();
		desk.attachConsole();
		const {outcome, id} = askSomething(desk);
		const verdict: Verdict = {kind: 'approve', scope: 'session'};
		expect(desk.answer({id, argumentsHash: 'hash-of-a', verdict, by: 'dashboard'})).toBe('resolved');
		expect(await outcome).toEqual({kind: 'approved', scope: 'session', by: 'dashboard'});
	});

	test('that denies reaches the caller with its message', async () => {
		const {desk} = openDesk();
		desk.attachConsole();
		const {outcome, id} = askSomething(desk);
		desk.answer({id, argumentsHash: 'hash-of-a', verdict: {kind: 'deny', message: 'not now'}, by: 'dashboard'});
		expect(await outcome).toEqual({kind: 'denied', by: 'dashboard', message: 'not now'});
	});

	test('decides only when it is the first', async () => {
		const {desk, ofType} = openDesk();
		desk.attachConsole();
		const {outcome, id} = askSomething(desk);
		desk.answer({id, argumentsHash: 'hash-of-a', verdict: {kind: 'deny'}, by: 'dashboard'});
		expect(desk.answer({id, argumentsHash: 'hash-of-a', verdict: approve, by: 'command line'})).toBe('already-settled');
		expect(await outcome).toEqual({kind: 'denied', by: 'dashboard'});
		expect(ofType('approval.settled')).toHaveLength(1);
	});

	test('given inside the announcement already decides', async () => {
		const clock = createFakeClock();
		const desk: Desk = createDesk({
			clock,
			settings: {timeoutSeconds: 300, unattended: 'hold'},
			publish(event) {
				if (event.type === 'approval.requested') {
					desk.answer({id: event.id, argumentsHash: event.argumentsHash, verdict: approve, by: 'script'});
				}
			},
		});
		expect(await desk.ask(request, {})).toEqual({kind: 'approved', scope: 'once', by: 'script'});
		expect(clock.open()).toBe(0);
	});

	test('for other arguments decides nothing', () => {
		const {desk} = openDesk();
		desk.attachConsole();
		const {id} = askSomething(desk);
		expect(desk.answer({id, argumentsHash: 'hash-of-b', verdict: approve, by: 'dashboard'})).toBe('changed');
		expect(desk.pending()).toHaveLength(1);
	});

	test('for an unknown id is told that nothing waits', () => {
		const {desk} = openDesk();
		expect(desk.answer({id: 'none', argumentsHash: 'hash-of-a', verdict: approve, by: 'dashboard'})).toBe(
			'already-settled',
		);
	});

	test('settles its own request and leaves its twin waiting', async () => {
		const {desk} = openDesk();
		desk.attachConsole();
		const first = askSomething(desk);
		const second = askSomething(desk);
		desk.answer({id: second.id, argumentsHash: 'hash-of-a', verdict: approve, by: 'dashboard'});
		expect(await second.outcome).toMatchObject({kind: 'approved'});
		expect(desk.pending().map(card => card.id)).toEqual([first.id]);
	});
});

describe('the events', () => {
	test('announce the card as it is listed', () => {
		const {desk, ofType, clock} = openDesk();
		desk.attachConsole();
		const {card, id} = askSomething(desk);
		expect(ofType('approval.requested')).toEqual([
			{type: 'approval.requested', ...request, id, requestedAt: clock.now(), expiresAt: clock.now() + 300_000},
		]);
		expect(card).toEqual({...request, id, requestedAt: clock.now(), expiresAt: clock.now() + 300_000});
	});

	test('tell the end', () => {
		const {desk, ofType} = openDesk();
		desk.attachConsole();
		const {id} = askSomething(desk);
		desk.answer({id, argumentsHash: 'hash-of-a', verdict: {kind: 'approve', scope: 'always'}, by: 'dashboard'});
		expect(ofType('approval.settled')).toEqual([
			{
				type: 'approval.settled',
				id,
				server: 'files',
				tool: 'write_file',
				outcome: 'approved',
				scope: 'always',
				by: 'dashboard',
			},
		]);
	});

	test("hold a person's message in a form that is safe to show", () => {
		const {desk, ofType} = openDesk();
		desk.attachConsole();
		const {id} = askSomething(desk);
		desk.answer({id, argumentsHash: 'hash-of-a', verdict: {kind: 'deny', message: 'no\u{1B}[2J'}, by: 'dashboard'});
		expect(ofType('approval.settled')[0]?.message).toBe('no␛[2J');
	});
});

describe('the deadline', () => {
	test('ends a request as timed out, not as denied', async () => {
		const {desk, clock} = openDesk();
		desk.attachConsole();
		const {outcome} = askSomething(desk);
		await clock.advance(299_999);
		expect(desk.pending()).toHaveLength(1);
		await clock.advance(1);
		expect(await outcome).toEqual({kind: 'timed_out'});
	});

	test('leaves nothing for a late answer', async () => {
		const {desk, clock} = openDesk();
		desk.attachConsole();
		const {id} = askSomething(desk);
		await clock.advance(300_000);
		expect(desk.answer({id, argumentsHash: 'hash-of-a', verdict: approve, by: 'dashboard'})).toBe('already-settled');
	});
});

describe('a caller that goes away', () => {
	test('ends its request as cancelled', async () => {
		const {desk} = openDesk();
		desk.attachConsole();
		const caller = new AbortController();
		const {outcome} = askSomething(desk, {signal: caller.signal});
		caller.abort();
		expect(await outcome).toEqual({kind: 'cancelled'});
		expect(desk.pending()).toEqual([]);
	});

	test('before it asks is never announced', async () => {
		const {desk, ofType} = openDesk();
		desk.attachConsole();
		expect(await desk.ask(request, {signal: AbortSignal.abort()})).toEqual({kind: 'cancelled'});
		expect(ofType('approval.requested')).toEqual([]);
	});

	test('is listened to no longer once there is an answer', async () => {
		const {desk} = openDesk();
		desk.attachConsole();
		const {signal} = new AbortController();
		const {outcome, id} = askSomething(desk, {signal});
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		desk.answer({id, argumentsHash: 'hash-of-a', verdict: approve, by: 'dashboard'});
		await outcome;
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	test('after the answer changes nothing', async () => {
		const {desk, ofType} = openDesk();
		desk.attachConsole();
		const caller = new AbortController();
		const {outcome, id} = askSomething(desk, {signal: caller.signal});
		desk.answer({id, argumentsHash: 'hash-of-a', verdict: approve, by: 'dashboard'});
		caller.abort();
		expect(await outcome).toMatchObject({kind: 'approved'});
		expect(ofType('approval.settled')).toHaveLength(1);
	});
});

test('a withdrawal cancels what matches and nothing else', async () => {
	const {desk} = openDesk();
	desk.attachConsole();
	const gone = askSomething(desk);
	const kept = askSomething(desk, {server: 'mail'});
	desk.withdraw(card => card.server === 'files');
	expect(await gone.outcome).toEqual({kind: 'cancelled'});
	expect(desk.pending().map(card => card.id)).toEqual([kept.id]);
});

describe('a closed desk', () => {
	test('has cancelled everything', async () => {
		const {desk} = openDesk();
		desk.attachConsole();
		const asked = [askSomething(desk), askSomething(desk)];
		desk.close();
		expect(await Promise.all(asked.map(({outcome}) => outcome))).toEqual([{kind: 'cancelled'}, {kind: 'cancelled'}]);
	});

	test('cancels whoever asks later', async () => {
		const {desk} = openDesk();
		desk.attachConsole();
		desk.close();
		expect(await desk.ask(request, {})).toEqual({kind: 'cancelled'});
	});
});

test('requests are listed oldest first', () => {
	const {desk} = openDesk();
	desk.attachConsole();
	const ids = [askSomething(desk).id, askSomething(desk).id, askSomething(desk).id];
	expect(desk.pending().map(card => card.id)).toEqual(ids);
});
