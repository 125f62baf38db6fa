import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {openDashboard} from './open-dashboard.ts';
import {approval, login, proposal, question, sampleTime, server, settled, started} from './sample-events.ts';

const base = [started(), server('github')];
const pick = question('q', {fields: [{name: 'sure', title: '', description: '', need: 'optional', kind: 'boolean'}]});
const withdrawn = settled('7f3a', {outcome: 'cancelled', scope: undefined, by: undefined});

type Page = readonly [
	name: string,
	events: readonly GatewayEventBody[],
	keys: readonly string[],
	title: string,
	later?: GatewayEventBody,
];
const pages: readonly Page[] = [
	['a card', [approval('7f3a')], ['A'], 'APPROVAL 1 of 1'],
	['all of a request', [approval('7f3a')], ['A', 'v'], 'space goes on'],
	['the page of always', [approval('7f3a')], ['A', 'w'], 'always allow this tool'],
	['the page of a rule', [approval('7f3a')], ['A', 'p'], 'a rule from this call'],
	['an install proposal', [proposal('p')], ['A'], 'Install a tool server?'],
	['a choice in a form', [pick], ['A'], 'QUESTION 1 of 1'],
	['the end of a form', [question('q', {fields: []})], ['A'], 'enter sends the answer'],
	['a settled request', [approval('7f3a')], ['A'], 'The request was withdrawn', withdrawn],
	['a login', [server('b', {state: 'needs-login', transport: 'http'})], ['n', 'L'], 'Log in to b:'],
	['a login under way', [login('github')], ['L'], 'WDJB-MJHT'],
];

/** Too small for these pages. */
const isShownSmall = ([name]: Page) => !name.startsWith('the page of');

describe.each([
	{columns: 80, rows: 24, shown: pages},
	{columns: 40, rows: 10, shown: pages.filter(isShownSmall)},
])('at $columns columns ? opens all keys, and Esc leads back,', ({columns, rows, shown}) => {
	test.each(shown.map(page => ({name: page[0], page})))('from $name', async ({page}) => {
		const [, events, keys, title, later] = page;
		const all = [...base, ...events];
		const {press, shows, hides, dispatch, sent, ready} = await openDashboard({events: all, columns, rows});
		for (const key of keys) {
			await press(key);
			await (key === 'A' && keys.length > 1 && columns === 80 ? ready() : undefined);
		}

		await dispatch(...(later ? [later] : []));
		const words = columns === 80 ? title : (title.split(/[ ?]/u)[0] ?? '');
		await shows(words);
		const before = sent.length;
		await press('?');
		await shows('─ Keys');
		await press('\u001B');
		await hides('─ Keys');
		await shows(words);
		expect(sent).toHaveLength(before);
	});
});

describe('help over a card', () => {
	const risky = approval('7f3a', {hints: {destructiveHint: true}});

	test('takes letters as words, and the card arms again behind it', async () => {
		const {press, shows, hides, ready, sent, terminal, clock} = await openDashboard({
			events: [...base, approval('7f3a')],
		});
		await press('A');
		await ready();
		await press('?');
		await shows('─ Keys');
		for (const key of ['a', 's', 'w', 'd', '\r', 'r']) {
			await press(key);
		}

		await press('\u001B');
		await shows('type to filter');
		await press('\u001B');
		await hides('─ Keys');
		terminal.type('a');
		await clock.settle();
		expect(sent).toEqual([]);
		await shows(' wait ');
		await ready();
		await press('a');
		expect(sent).toMatchObject([{method: 'approvals.allow', params: {id: '7f3a'}}]);
	});

	test('ends a first press', async () => {
		const {press, shows, hides, ready, sent} = await openDashboard({events: [...base, risky]});
		await press('A');
		await ready();
		await press('a');
		await shows('press a again');
		await press('?');
		await press('\u001B');
		await hides('press a again');
		await ready();
		await press('a');
		await shows('press a again');
		expect(sent).toEqual([]);
	});

	test('leads to the page of its end when it was withdrawn meanwhile', async () => {
		const {press, shows, dispatch, sent} = await openDashboard({events: [...base, approval('7f3a'), approval('8b1c')]});
		await press('A');
		await press('?');
		await shows('─ Keys');
		await dispatch(withdrawn);
		await press('\u001B');
		await shows('The request was withdrawn');
		await press('a');
		expect(sent).toEqual([]);
	});
});

describe('A', () => {
	const two = [
		approval('7f3a', {requestedAt: sampleTime - 2000, tool: 'oldest_tool'}),
		approval('8b1c', {tool: 'other_tool'}),
	];

	test('opens the oldest request from another card, which decides nothing', async () => {
		const {press, shows, sent} = await openDashboard({events: [...base, ...two]});
		await press('A');
		await press('n');
		await shows('other_tool');
		await press('A');
		await shows('oldest_tool');
		expect(sent).toEqual([]);
	});

	test('says on the oldest card that it is the oldest', async () => {
		const {press, shows, sent} = await openDashboard({events: [...base, ...two]});
		await press('A');
		await press('A');
		await shows('no request has waited longer than this one');
		await shows('oldest_tool');
		expect(sent).toEqual([]);
	});

	test('goes on from the page of a settled request as n does, after a pause', async () => {
		const {press, shows, dispatch, terminal, clock, sent} = await openDashboard({events: [...base, ...two]});
		await press('A');
		await dispatch(withdrawn);
		await shows('The request was withdrawn');
		for (const key of ['d', 'A', 'd', 'A']) {
			await clock.advance(399);
			terminal.type(key);
			await clock.settle();
		}

		await shows('The request was withdrawn');
		await press('A');
		await shows('other_tool');
		expect(sent).toEqual([]);
	});
});
