import {describe, expect, test} from 'vitest';
import {frameAfter} from './frame-after.tsx';
import {openDashboard} from './open-dashboard.ts';
import {approval, question, server, started} from './sample-events.ts';

const fields = [
	{name: 'repo', title: 'Repository', description: '', need: 'required', kind: 'text', minimumLength: 3},
	{name: 'sure', title: 'Sure', description: '', need: 'optional', kind: 'boolean'},
] as const;

async function openQuestion(change: Parameters<typeof question>[1] = {}, settings: {readonly readOnly?: boolean} = {}) {
	const dashboard = await openDashboard({
		events: [started(), server('github'), question('q1', {fields, ...change})],
		settings,
	});
	await dashboard.press('A');
	await dashboard.shows('QUESTION 1 of 1');
	return dashboard;
}

type Opened = Awaited<ReturnType<typeof openQuestion>>;

/** Goes to the end of the form. */
async function toEnd({press, shows}: Pick<Opened, 'press' | 'shows'>): Promise<void> {
	for (let stop = 0; stop < 3; stop++) {
		await press('\t');
	}

	await shows('> enter sends the answer');
}

const answer = (given: object) => ({method: 'questions.answer', params: {id: 'q1', answer: given}, profile: 'default'});

describe('a question', () => {
	test('is announced without moving anything', async () => {
		const {shows, dispatch} = await openDashboard({events: [started(), server('a')]});
		await dispatch(question('q1'));
		await shows('1 question waiting · press A to answer');
		await shows('> ● a');
	});

	test('shows who asks, what, and which values it takes', async () => {
		const {shows} = await openQuestion();
		for (const text of ['github', 'Which repository?', 'Repository needed · at least 3 characters', 'Sure optional']) {
			await shows(text);
		}
	});

	test('is answered with the values of its fields', async () => {
		const {press, shows, sent} = await openQuestion();
		await press('acme/app');
		await shows('acme/app');
		await press('\r');
		await press(' ');
		await shows('◉ yes');
		await press('\t');
		await press('\t');
		await shows('> enter sends');
		await press('\r');
		expect(sent).toEqual([answer({kind: 'accept', values: {repo: 'acme/app', sure: true}})]);
	});

	test('leaves out what is optional and empty', async () => {
		const dashboard = await openQuestion();
		await dashboard.press('acme');
		await dashboard.shows('acme');
		await toEnd(dashboard);
		await dashboard.press('\r');
		expect(dashboard.sent).toEqual([answer({kind: 'accept', values: {repo: 'acme'}})]);
	});

	test('shows what is wrong, goes there and sends nothing', async () => {
		const dashboard = await openQuestion();
		await dashboard.press('ab');
		await dashboard.shows('> ab');
		await toEnd(dashboard);
		await dashboard.press('\r');
		await dashboard.shows('✖ at least 3 characters');
		expect(dashboard.sent).toEqual([]);
		await dashboard.press('c');
		await dashboard.shows('> abc');
	});

	test('is declined by d, which is a letter in a text', async () => {
		const dashboard = await openQuestion();
		await dashboard.press('d');
		await dashboard.shows('> d');
		expect(dashboard.sent).toEqual([]);
		await toEnd(dashboard);
		await dashboard.press('d');
		expect(dashboard.sent).toEqual([answer({kind: 'decline'})]);
	});

	test('is cancelled by Esc and yes', async () => {
		const {press, shows, sent} = await openQuestion();
		await press('\u001B');
		await shows('Cancel this question for good?');
		await press('y');
		expect(sent).toEqual([answer({kind: 'cancel'})]);
	});

	test('waits on after Esc and no, with what was filled in', async () => {
		const {press, shows, sent} = await openQuestion();
		await press('acme');
		await shows('acme');
		await press('\u001B');
		await shows('Cancel this question for good?');
		await press('\r');
		await shows('─ servers ·');
		await press('A');
		await shows('> acme');
		expect(sent).toEqual([]);
	});

	test.each([
		[{outcome: 'timed_out'}, 'The question has ended', 'it was not answered in time'],
		[{outcome: 'answered', by: 'cli'}, 'The question was answered elsewhere', 'it was answered by cli'],
		[{outcome: 'declined', by: 'console:2'}, 'The question was answered elsewhere', 'it was declined by console:2'],
		[{outcome: 'cancelled'}, 'The question has ended', 'it was withdrawn'],
	] as const)(
		'that ended with %j leaves a page that says so: what is typed on reaches nothing',
		async (end, title, why) => {
			const {dispatch, press, hides, shows, sent} = await openQuestion();
			await press('ac');
			await dispatch({...end, id: 'q1', kind: 'elicitation', asker: 'github', type: 'question.settled'});
			await hides('QUESTION');
			for (const key of ['q', 'x', 'a', '\r']) {
				await press(key);
			}

			await shows(title);
			await shows(why);
			expect(sent).toEqual([]);
			await press('n');
			await shows('─ servers ·');
		},
	);

	test('of an agent is answered on the same form', async () => {
		const {shows} = await openQuestion({kind: 'clarify', asker: 'run a91c', message: 'Which one?'});
		await shows('asked by   run a91c');
	});

	test('is met oldest first, whatever its kind', async () => {
		const {press, shows} = await openDashboard({
			events: [started(), approval('7f3a', {requestedAt: 2}), question('q1', {requestedAt: 1})],
		});
		await press('A');
		await shows('QUESTION 1 of 1');
	});
});

describe('a form that is longer than the screen', () => {
	const message = Array.from({length: 60}, (_, index) => `word${index + 1}`).join(' ');
	const asked = [started(), server('github'), question('q1', {fields, message})];
	const small = {columns: 40, rows: 10};
	const wordsOf = (rows: readonly string[]) => rows.join('\n').match(/word\d+/gu) ?? [];
	const pages = (count: number, key = 'pagedown') => Array.from({length: count}, () => key);

	test.each([
		['a text', fields, ' >'],
		['a choice', fields.slice(1), '> ○ yes'],
		['nothing', [], '> enter sends the answer'],
	])('begins with its message, and shows all of it by page keys beside %s', (_, asks, cursor) => {
		const events = [started(), server('github'), question('q1', {fields: asks, message})];
		const screens = Array.from({length: 9}, (__, count) => frameAfter(events, ['A', ...pages(count)], small));
		expect(wordsOf(screens[0] ?? [])[0]).toBe('word1');
		expect([...new Set(screens.flatMap(wordsOf))]).toEqual(message.split(' '));
		expect(screens.filter(rows => !rows.some(row => row.includes(cursor)))).toEqual([]);
		expect(screens[1]?.join('\n')).toMatch(/\d above, \d+ below · pageup pagedown/u);
	});

	test('is scrolled back, shows the field that the cursor goes to, and what is typed while its field is not among the rows', () => {
		const keys = ['A', ...pages(3)];
		expect(wordsOf(frameAfter(asked, [...keys, ...pages(3, 'pageup')], small))[0]).toBe('word1');
		const typed = frameAfter(asked, [...keys, 'acme'], small);
		expect(typed.join('\n')).toContain('> acme');
		expect(wordsOf(typed)).toEqual(wordsOf(frameAfter(asked, keys, small)));
		expect(frameAfter(asked, [...keys, '\t'], small).join('\n')).toContain('Sure optional\n > ○ yes');
	});
});

describe('nothing is sent', () => {
	test('before the end of the form was readable for 700 ms', async () => {
		const dashboard = await openQuestion({fields: []});
		await dashboard.clock.advance(300);
		dashboard.terminal.type('\r');
		await dashboard.clock.settle();
		expect(dashboard.sent).toEqual([]);
	});

	test('by Enter held through all fields', async () => {
		const {terminal, clock, sent} = await openQuestion();
		for (let repeat = 0; repeat < 40; repeat++) {
			terminal.type('\r');
			await clock.advance(33);
		}

		expect(sent).toEqual([]);
	});

	test.each(['d\r', '\r\r', 'dd'])('by the chunk %j at the end', async chunk => {
		const dashboard = await openQuestion();
		await dashboard.press('acme');
		await dashboard.shows('acme');
		await toEnd(dashboard);
		await dashboard.press(chunk);
		expect(dashboard.sent).toEqual([]);
	});

	test('in a read-only dashboard', async () => {
		const dashboard = await openQuestion({fields: []}, {readOnly: true});
		await dashboard.press('\r');
		await dashboard.press('d');
		await dashboard.shows('nothing can be decided in this dashboard');
		expect(dashboard.sent).toEqual([]);
	});
});
