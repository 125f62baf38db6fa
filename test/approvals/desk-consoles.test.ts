import {describe, expect, test} from 'vitest';
import {createDesk, mostPendingApprovals} from '../../source/approvals/desk.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {approve, askSomething, openDesk, request} from './open-desk.ts';

describe('without a console', () => {
	test('`deny` answers at once that nobody can be asked', async () => {
		const {desk, ofType} = openDesk('deny');
		expect(await desk.ask(request, {})).toMatchObject({kind: 'no_channel'});
		expect(ofType('approval.requested')).toEqual([]);
		expect(ofType('approval.settled')).toMatchObject([{outcome: 'no_channel'}]);
	});

	test('`hold` waits for the command line', async () => {
		const {desk} = openDesk('hold');
		const {outcome, id} = askSomething(desk);
		desk.answer({id, argumentsHash: 'hash-of-a', verdict: approve, by: 'command line'});
		expect(await outcome).toMatchObject({kind: 'approved', by: 'command line'});
	});

	test('`hold` ends at the deadline', async () => {
		const {desk, clock} = openDesk('hold');
		const {outcome} = askSomething(desk);
		await clock.advance(300_000);
		expect(await outcome).toEqual({kind: 'timed_out'});
	});
});

describe('a console that closes', () => {
	test('leaves nobody to be asked when it was the last', async () => {
		const {desk} = openDesk();
		desk.attachConsole()();
		expect(await desk.ask(request, {})).toMatchObject({kind: 'no_channel'});
	});

	test('changes nothing while another is open, however often it closes', () => {
		const {desk} = openDesk();
		const close = desk.attachConsole();
		desk.attachConsole();
		close();
		close();
		askSomething(desk);
		expect(desk.pending()).toHaveLength(1);
	});

	test('says nothing while another is open', () => {
		const {desk, ofType} = openDesk();
		const close = desk.attachConsole();
		desk.attachConsole();
		askSomething(desk);
		close();
		expect(ofType('log')).toEqual([]);
	});

	test('leaves what waits waiting, and under `deny` says so', () => {
		const {desk, ofType} = openDesk('deny');
		const close = desk.attachConsole();
		askSomething(desk);
		close();
		expect(desk.pending()).toHaveLength(1);
		expect(ofType('log')).toMatchObject([{level: 'warning', area: 'approvals'}]);
	});

	test.each(['nothing waits under deny', 'something waits under hold'])('says nothing when %s', situation => {
		const {desk, ofType} = openDesk(situation.endsWith('deny') ? 'deny' : 'hold');
		const close = desk.attachConsole();
		if (situation.endsWith('hold')) {
			askSomething(desk);
		}

		close();
		expect(ofType('log')).toEqual([]);
	});
});

describe('a full desk', () => {
	test('answers at once that nobody can be asked, and takes requests again when there is room', async () => {
		const {desk} = openDesk();
		desk.attachConsole();
		const asked = Array.from({length: mostPendingApprovals}, () => askSomething(desk));
		expect(await desk.ask(request, {})).toEqual({
			kind: 'no_channel',
			message: '200 other approvals are waiting already',
		});
		desk.answer({id: asked[0]?.id ?? '', argumentsHash: 'hash-of-a', verdict: approve, by: 'dashboard'});
		askSomething(desk);
		expect(desk.pending()).toHaveLength(mostPendingApprovals);
	});
});

test('a change of the settings holds from the next request on', async () => {
	const settings = {timeoutSeconds: 300, unattended: 'deny' as 'deny' | 'hold'};
	const desk = createDesk({clock: createFakeClock(), publish: () => {}, settings});
	settings.unattended = 'hold';
	askSomething(desk);
	expect(desk.pending()).toHaveLength(1);
});
