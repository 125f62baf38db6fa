import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {maxNoteCharacters} from '../../source/state/work-event.ts';
import {frameAfter} from './frame-after.tsx';
import {openDashboard} from './open-dashboard.ts';
import {openWith, running} from './open-with.ts';
import {run, sampleTime, started, traced} from './sample-events.ts';

const profile = 'default';
const sent = (text: string) => [{method: 'runs.note', params: {id: 'r1', text}, profile}];
const trace: GatewayEventBody = {...traced({kind: 'run', id: 'r1'}, {kind: 'run', runId: 'r1'}), runId: 'r1'};

describe('a note', () => {
	test('is written to a running run with i, and its end is said', async () => {
		const {
			press,
			shows,
			sent: calls,
		} = await openWith(
			[running],
			[
				['4', 'Work'],
				['i', ' note: for its next turn'],
			],
		);
		await press('Leave the tests');
		await press('\r');
		expect(calls).toEqual(sent('Leave the tests'));
		await shows('sending the note');
	});

	test('is written from its trace, too, and the trace stays open', async () => {
		const {
			press,
			dispatch,
			shows,
			sent: calls,
		} = await openWith(
			[running],
			[
				['4', 'Work'],
				['\r', 'asking the gateway'],
			],
		);
		await dispatch(trace);
		await press('i');
		await shows(' note: ');
		await press('Stop there');
		await press('\r');
		expect(calls.slice(1)).toEqual(sent('Stop there'));
		await shows('Trace r1');
	});

	test.each(['i', 'w'])('is written to one in the queue with %s', async key => {
		const {press, shows, sent: calls} = await openWith([run('r1', {state: 'queued', prompt: 'Work'})], [['4', 'Work']]);
		await press(key);
		await shows(' note: ');
		await press('Be brief');
		await press('\r');
		expect(calls).toEqual(sent('Be brief'));
	});

	test('to a run that has just ended is refused with words, and none of its letters is a key', async () => {
		const {press, shows, sent: calls} = await openWith([running, run('r1', {state: 'failed'})], [['4', 'Work']]);
		await press('i');
		await shows('this run has ended (failed) · no model reads the note');
		for (const letter of 'next day\r') {
			await press(letter);
		}

		await shows(' note: next day');
		expect(calls).toEqual([]);
	});

	test('is no key on an inbox item, which is dismissed', async () => {
		const {press, shows} = await openWith([run('r1', {state: 'inbox', prompt: 'Work'})], [['4', 'Work']]);
		await press('i');
		await shows('Dismiss this inbox item?');
	});

	test('stays in its line while it is too long, and where the run has ended meanwhile', async () => {
		const {
			press,
			dispatch,
			shows,
			sent: calls,
		} = await openWith(
			[running],
			[
				['4', 'Work'],
				['i', ' note: '],
			],
		);
		await press('x'.repeat(maxNoteCharacters + 1));
		await press('\r');
		await shows('a note has at most 20,000 characters');
		await press('\u007F');
		await dispatch(run('r1', {state: 'finished'}));
		await press('\r');
		await shows('this run has ended (finished) · no model reads the note');
		expect(calls).toEqual([]);
		await shows(' note: …xxx');
	});

	test('without text is none', async () => {
		const {
			press,
			shows,
			sent: calls,
		} = await openWith(
			[running],
			[
				['4', 'Work'],
				['i', ' note: '],
			],
		);
		await press('\r');
		await shows('Runs and inbox');
		expect(calls).toEqual([]);
	});

	test('is refused in a read-only dashboard, which does not offer it', async () => {
		const {
			press,
			shows,
			hides,
			sent: calls,
		} = await openDashboard({
			events: [started(), running],
			settings: {readOnly: true},
		});
		await press('4');
		await shows('Work');
		await hides('i note');
		await press('i');
		await shows('read-only');
		await press('w');
		await hides(' note: ');
		expect(calls).toEqual([]);
	});
});

const note = (noteId: string, state: 'waiting' | 'read' | 'unread'): GatewayEventBody => ({
	type: 'run.note',
	runId: 'r1',
	noteId,
	by: 'console:1',
	text: 'Leave the tests\nalone',
	state,
});

test('the details of a run have its notes with what became of them, and what it has spent', async () => {
	const spent = run('r1', {
		state: 'inbox',
		prompt: 'Work',
		turns: 3,
		usage: {inputTokens: 1234, outputTokens: 56},
		microUsd: 8100,
	});
	const text = frameAfter(
		[started(), spent, note('1', 'read'), note('2', 'waiting'), note('2', 'unread')],
		['2', '\r'],
		{
			columns: 80,
			rows: 40,
		},
	).join('\n');
	expect(text).toMatch(/» note read by console:1 *\n {3}Leave the tests *\n {3}alone/u);
	expect(text).toContain('✖ not read by console:1');
	expect(text).not.toContain('note waits');
	expect(text).toMatch(/turns +3 *\n usage +1,234 tokens in, 56 out *\n cost +\$0\.0081/u);
});

describe('runs are in groups', () => {
	const events = [
		started(),
		run('r1', {state: 'finished', route: 'over', startedAt: sampleTime}),
		run('r2', {state: 'inbox', route: 'boxed'}),
		run('r3', {state: 'running', route: 'busy'}),
		run('r4', {state: 'running', route: 'asking', waitingFor: 'approval'}),
		run('r5', {state: 'queued', route: 'later'}),
		run('r6', {state: 'running', route: 'slotless', waitingFor: 'slot'}),
		run('r7', {state: 'failed', route: 'broken', startedAt: sampleTime}),
		run('r8', {state: 'running', route: 'held', waitingFor: 'release'}),
	];
	const names = ['over', 'boxed', 'busy', 'asking', 'later', 'slotless', 'broken', 'held'];
	const sequence = (keys: readonly string[], size = {columns: 80, rows: 24}) =>
		frameAfter(events, ['4', ...keys], size)
			.slice(2)
			.flatMap(line => {
				const title = /^ *─ (needs you|working|done) ─/u.exec(line)?.[1];
				return title === undefined ? names.filter(name => line.includes(` ${name}`)) : [`${title}:`];
			})
			.join(' ');

	test('Needs you, Working and Done, the newest of each first', () => {
		expect(sequence([])).toBe('needs you: held asking boxed working: slotless later busy done: broken over');
	});

	test('in their own order alone', () => {
		expect(sequence(['o'])).toBe('asking boxed broken busy held later over slotless');
	});

	test('the first of those that need somebody is picked, and a run stays picked where it goes', () => {
		const picked = (more: readonly GatewayEventBody[]) =>
			frameAfter([...events, ...more], ['4', 'j'], {columns: 80, rows: 24}).find(line => line.startsWith('>'));
		expect(picked([])).toContain('asking');
	});

	test('without titles where there is no room for them', () => {
		expect(sequence([], {columns: 40, rows: 10})).not.toContain(':');
	});
});
