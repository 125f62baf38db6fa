import {describe, expect, test} from 'vitest';
import {openDashboard} from './open-dashboard.ts';
import {log, server, started} from './sample-events.ts';

const base = [started(), server('a')];
const refused = (number: number) =>
	log(`route pull: request 4f${number}a-11 from 10.0.0.${number} was refused`, {level: 'warning', area: 'webhooks'});
const broken = log('the disk of the journal is full', {level: 'error', area: 'journal'});

describe('the mark of the log', () => {
	test('counts causes since it was looked at, not the lines that repeat them', async () => {
		const {dispatch, press, shows, hides} = await openDashboard({events: base, columns: 120});
		await dispatch(...Array.from({length: 40}, (_, index) => refused(index)), broken);
		await shows('W Log !2');
		await press('W');
		await shows('W Log · following');
		await press('1');
		await hides('W Log !');
		await dispatch(refused(41), refused(42));
		await shows('W Log !1');
	});

	test('leaves out what persons did themselves', async () => {
		const {dispatch, shows, terminal} = await openDashboard({events: base, columns: 120});
		await dispatch(
			log('console:1 is read-only: it was opened with --read-only', {level: 'warning', area: 'commands'}),
			log('held since 2026-05-04 14:02:31 by console:1', {level: 'warning', area: 'hold'}),
			log('released by console:1', {level: 'warning', area: 'hold'}),
		);
		await shows('released by console:1');
		expect(await terminal.text()).not.toContain('W Log !');
		await dispatch(broken);
		await shows('W Log !1');
	});
});

describe('a notification of trouble', () => {
	test('leaves a small screen after 10 s, and the log has all of it', async () => {
		const {dispatch, clock, press, shows, hides} = await openDashboard({events: base, columns: 40, rows: 10});
		const words = `route pull: ${'the target refused it, '.repeat(6)}at last`;
		await dispatch(log(words, {level: 'error', area: 'delivery'}));
		await shows('✖ delivery: route pull');
		await shows('… more in W Log');
		await clock.advance(9900);
		await shows('✖ delivery: route pull');
		await clock.advance(100);
		await hides('✖ delivery: route pull');
		await shows('? help');
		await press('W');
		await press('\r');
		await press('G');
		await shows('at last');
	});

	test('leaves within 10 s and does not come back with lines that repeat it, but with another cause', async () => {
		const {dispatch, clock, shows, hides} = await openDashboard({events: base});
		await dispatch(refused(0));
		await shows('webhooks: route pull');
		for (let second = 1; second <= 10; second++) {
			await clock.advance(1000);
			await dispatch(refused(second));
		}

		await hides('webhooks: route pull');
		await dispatch(refused(11));
		await hides('webhooks: route pull');
		await dispatch(refused(12), broken, refused(13));
		await shows('journal: the disk of the journal is full');
	});

	test('of a call comes again with the next call', async () => {
		const {refuse, clock, press, shows, hides} = await openDashboard({events: base});
		for (let round = 0; round < 2; round++) {
			await press('r');
			await refuse('mcp.reconnect', 'a was not reconnected');
			await shows('a was not reconnected');
			await clock.advance(10_000);
			await hides('a was not reconnected');
		}
	});

	test('does not replace what is said of something under way, unless its call was refused', async () => {
		const {dispatch, press, shows, terminal, reply, refuse} = await openDashboard({events: base});
		await press('r');
		await shows('reconnecting a');
		await reply('mcp.reconnect', {answer: 'reconnecting'});
		await dispatch(refused(1), broken);
		await shows('W Log!2');
		expect(await terminal.text()).toContain('reconnecting a');
		expect(await terminal.text()).not.toContain('the disk of the journal is full');
		await dispatch(refused(2), server('a', {tools: 7}), refused(3));
		await shows('a connected · 7 tools');
		await press('r');
		await shows('reconnecting a');
		await refuse('mcp.reconnect', 'a was not reconnected');
		await shows('a was not reconnected');
		await dispatch(broken);
		await shows('journal: the disk of the journal is full');
	});
});
