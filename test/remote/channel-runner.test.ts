import {describe, expect, test} from 'vitest';
import {type RemoteItem} from '../../source/remote/runner-options.ts';
import {notes} from '../../source/remote/decide-input.ts';
import {createFakeChannel} from '../helpers/fake-channel.ts';
import {openParts, startChannel} from './open-runner.ts';

test('asked, nobody at a console, sent, allowed by its number, and the message shows it', async () => {
	const {clock, journal, channel, requests} = openParts();
	const {runner} = startChannel({clock, journal, channel, requests});
	requests.ask('one', clock.now());
	await clock.advance(1500);
	expect(channel.labels()).toEqual(['Allow…', 'Deny']);
	await channel.press('Allow…');
	expect(channel.labels()).toHaveLength(4);
	await channel.press(channel.right());
	expect([requests.answers, channel.told.at(-1)]).toEqual([[], notes.early]);
	await clock.advance(1000);
	await channel.press(channel.right());
	expect([requests.answers, channel.told.at(-1)]).toEqual([['one approve telegram:456'], 'Allowed once']);
	await clock.advance(1500);
	expect(channel.text()).toMatch(/\napprove by telegram:456$/u);
	expect([channel.labels(), runner.messages(), channel.messages.size]).toEqual([[], [], 1]);
});

describe('what is sent', () => {
	test('waits for the delay while a person is at a console, and for one delay more per place', async () => {
		for (const [isAtConsole, place, seconds] of [
			[true, 0, 20],
			[false, 1, 20],
			[true, 2, 60],
		] as const) {
			const {clock, journal, channel, requests} = openParts();
			startChannel({clock, journal, channel, requests, place, state: {isHeld: false, isAtConsole}});
			requests.ask('one', clock.now());
			await clock.advance(seconds * 1000 - 1);
			expect(channel.messages.size).toBe(0);
			await clock.advance(1001);
			expect(channel.messages.size).toBe(1);
		}
	});

	test('is nothing while everything is held; it goes out after the release', async () => {
		const {clock, journal, channel, requests} = openParts();
		const {state} = startChannel({clock, journal, channel, requests, state: {isHeld: true, isAtConsole: false}});
		requests.ask('one', clock.now());
		await clock.advance(60_000);
		expect(channel.messages.size).toBe(0);
		state.isHeld = false;
		await clock.advance(1000);
		expect(channel.messages.size).toBe(1);
	});

	test('is at most six messages a minute, and one with the count, which denies exactly what it names', async () => {
		const {clock, journal, channel, requests} = openParts();
		startChannel({clock, journal, channel, requests});
		Array.from({length: 9}, (_, index) => requests.ask(`r${index}`, clock.now()));
		await clock.advance(2000);
		expect([channel.messages.size, channel.labels()]).toEqual([7, ['Deny all 3', 'Hold']]);
		expect(channel.text()).toContain('3 requests wait for an approval\n#r6 ');
		requests.ask('late', clock.now());
		await clock.advance(50_000);
		expect(channel.messages.size).toBe(7);
		await channel.press('Deny all 3');
		expect(requests.answers).toEqual(['r6', 'r7', 'r8'].map(id => `${id} deny telegram:456`));
		expect(channel.told).toEqual(['Denied: 3 of 3 requests']);
		await clock.advance(11_000);
		expect([channel.messages.size, requests.waiting.has('late')]).toEqual([8, true]);
		expect(channel.text()).toContain('#late');
	});

	test('is sent again after a pause when it did not arrive, and the fault is named until it does', async () => {
		const {clock, journal, channel, requests} = openParts();
		const {runner, notices} = startChannel({clock, journal, channel, requests});
		channel.failing.sends.push({kind: 'refused', message: 'too many', retryAfter: 30_000});
		requests.ask('one', clock.now());
		await clock.advance(25_000);
		expect([channel.messages.size, runner.sendFault(), runner.counts()]).toEqual([0, 'too many', false]);
		await clock.advance(10_000);
		expect([channel.messages.size, runner.sendFault(), runner.counts()]).toEqual([1, undefined, true]);
		expect(notices).toEqual(['A message was not sent: too many']);
	});
});

describe('a message', () => {
	test('shows an end elsewhere, and its edit is tried until it stands', async () => {
		const {clock, journal, channel, requests} = openParts();
		startChannel({clock, journal, channel, requests});
		requests.ask('one', clock.now());
		await clock.advance(1500);
		const failed = {kind: 'uncertain', message: 'away'} as const;
		channel.failing.edits.push(failed, failed, failed);
		requests.answer('one', {kind: 'deny', message: 'no'}, 'console:1');
		await clock.advance(5000);
		expect(channel.labels()).toEqual(['Allow…', 'Deny']);
		await channel.press('Allow…');
		expect(channel.told).toEqual([notes.old]);
		await clock.advance(20_000);
		expect([channel.labels(), channel.text().split('\n').at(-1)]).toEqual([[], 'deny by console:1']);
	});

	test('whose numbers cannot be written into the chat counts from when they stand there', async () => {
		const {clock, journal, channel, requests} = openParts();
		startChannel({clock, journal, channel, requests});
		requests.ask('one', clock.now());
		await clock.advance(1500);
		channel.failing.edits.push({kind: 'refused', message: 'too many', retryAfter: 10_000});
		await channel.press('Allow…');
		await clock.advance(9000);
		expect(channel.labels()).toEqual(['Allow…', 'Deny']);
		await clock.advance(3000);
		await channel.press(channel.right());
		expect(requests.answers).toEqual(['one approve telegram:456']);
	});

	test('with a wrong number denies, and a second press decides nothing', async () => {
		const {clock, journal, channel, requests} = openParts();
		startChannel({clock, journal, channel, requests});
		requests.ask('one', clock.now());
		await clock.advance(1500);
		await channel.press('Allow…');
		await clock.advance(1000);
		const right = channel.right();
		const wrong = channel.labels().find(label => label !== right && label !== 'Deny') ?? '';
		await Promise.all([channel.press(wrong), channel.press(right)]);
		expect(requests.answers).toEqual(['one deny telegram:456 a wrong number was chosen']);
	});

	test('goes on after a hold with the time that was left, and denies while it lasts', async () => {
		const {clock, journal, channel, requests} = openParts();
		const {state, holds} = startChannel({clock, journal, channel, requests});
		requests.ask('one', clock.now());
		requests.ask('two', clock.now());
		await clock.advance(1500);
		await channel.reply('hold', {id: '1'});
		expect([holds, requests.waiting.size]).toEqual([['telegram:456'], 2]);
		await channel.press('Allow…', {id: '1'});
		expect(channel.told).toEqual([notes.held]);
		await channel.press('Deny', {id: '2'});
		expect(requests.answers).toEqual(['two deny telegram:456']);
		state.isHeld = false;
		const item = requests.waiting.get('one');
		requests.waiting.set('one', {...item, expiresAt: (item?.expiresAt ?? 0) + 3_600_000} as RemoteItem);
		expect(channel.text('1')).toContain('Expires at 22:28:20 UTC');
		await clock.advance(1500);
		expect([channel.text('1'), channel.labels('1')]).toEqual([
			expect.stringContaining('Expires at 23:28:20 UTC'),
			['Allow…', 'Deny'],
		]);
	});

	test('of a question or an item of the inbox is answered by a reply', async () => {
		const {clock, journal, channel, requests} = openParts();
		startChannel({clock, journal, channel, requests});
		const times = {requestedAt: clock.now(), expiresAt: null} as const;
		requests.waiting.set('item', {kind: 'inbox', id: 'item', prompt: 'Which branch?', ...times});
		await clock.advance(1500);
		expect([channel.labels(), channel.text()]).toEqual([[], expect.stringContaining('Which branch?')]);
		await channel.reply('main', {by: '1'});
		await channel.reply('main');
		expect(requests.answers).toEqual(['item main telegram:456']);
	});
});

describe('after a start or a takeover', () => {
	test('earlier messages decide nothing and say so, and what still waits has a new one', async () => {
		const {clock, rows, channel, requests} = openParts();
		const first = startChannel({clock, journal: rows.of('web-1'), channel, requests});
		requests.ask('one', clock.now());
		requests.ask('two', clock.now());
		await clock.advance(1500);
		rows.die();
		const second = createFakeChannel({current: 'later'});
		channel.messages.forEach((shown, id) => second.messages.set(id, shown));
		const next = startChannel({clock, journal: rows.of('web-2'), channel: second, requests});
		requests.answer('two', {kind: 'deny'}, 'console:1');
		await clock.advance(6000);
		expect([first.runner.state(), channel.listener()]).toEqual([{kind: 'elsewhere', node: 'web-2'}, undefined]);
		expect(['1', '2'].map(id => second.text(id).split('\n').at(-1))).toEqual([
			expect.stringContaining('decides nothing any more'),
			'deny by console:1',
		]);
		expect(['1', '2'].map(id => second.labels(id))).toEqual([[], []]);
		expect(next.runner.counts()).toBe(false);
		second.listener()?.onCurrent();
		await clock.advance(1000);
		expect(second.text()).toContain('#one');
		await second.press('Deny', {isOld: true});
		expect([requests.waiting.has('one'), second.told.at(-1)]).toEqual([true, notes.old]);
		await second.press('Deny');
		expect(requests.answers.at(-1)).toBe('one deny telegram:456');
	});

	test('a channel whose journal is away for longer than a lease is given up, and taken again', async () => {
		const {clock, rows, journal, channel, requests} = openParts();
		const {runner} = startChannel({clock, journal, channel, requests});
		await clock.advance(1500);
		expect(runner.counts()).toBe(true);
		rows.set('away');
		await clock.advance(30_000);
		expect([runner.counts(), runner.state(), channel.listener()]).toEqual([
			false,
			{kind: 'elsewhere', node: undefined},
			undefined,
		]);
		rows.set('works');
		await clock.advance(6000);
		expect([runner.state().kind, channel.listener() === undefined]).toEqual(['connected', false]);
	});
});

test('a channel counts as a console for 90 seconds after a sign of life', async () => {
	const {clock, journal, channel, requests} = openParts();
	const {runner} = startChannel({clock, journal, channel, requests});
	await clock.advance(89_000);
	expect(runner.counts()).toBe(true);
	await clock.advance(3000);
	expect(runner.counts()).toBe(false);
	channel.listener()?.onAlive();
	expect(runner.counts()).toBe(true);
});

test('what ended at a stop is shown before it is over', async () => {
	const {clock, journal, channel, requests} = openParts();
	const {runner} = startChannel({clock, journal, channel, requests});
	requests.ask('one', clock.now());
	await clock.advance(1500);
	requests.waiting.clear();
	await runner.close();
	expect([channel.labels(), channel.text().split('\n').at(-1)]).toEqual([[], 'no longer waiting']);
	expect(clock.open()).toBe(0);
});
