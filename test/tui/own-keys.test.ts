import {assert, oneof, property, string} from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type CommandEnd, type OwnKey} from '../../source/tui/state/local-programs.ts';
import {initialUiState} from '../../source/tui/state/ui-state.ts';
import {uiStep} from '../../source/tui/input/ui-step.ts';
import {openFakePrograms} from './fake-programs.ts';
import {openDashboard, type OpenOptions} from './open-dashboard.ts';
import {
	approval,
	finished,
	proposal,
	question,
	route,
	run,
	server,
	settled,
	snapshotOf,
	started,
	uncertain,
} from './sample-events.ts';

const show: OwnKey = {key: 'J', title: 'show it', command: ['show', '--name', '{server}'], view: 'overview'};
const byId: OwnKey = {key: 'Z', title: 'by id', command: ['show', '{id}']};
const byRoute: OwnKey = {key: '€', title: 'by route', command: ['show', '{route}']};
const plain: OwnKey = {key: '+', title: 'plain', command: ['make', 'all of it']};
const events = [started(), server('github')];
const done: CommandEnd = {outcome: 'done', words: 'is done', output: 'one\ntwo\n', errors: ''};

async function openWithKeys(options: OpenOptions = {}) {
	const {programs, asked, end} = openFakePrograms([show, byId, byRoute, plain]);
	const dashboard = await openDashboard({events, ...options, programs});
	const ended = async (value: CommandEnd) => {
		end(value);
		await dashboard.clock.advance(100);
	};

	return {...dashboard, asked, ended};
}

describe('an own key', () => {
	test('runs its command for the picked row, and shows what that printed', async () => {
		const {press, asked, ended, shows} = await openWithKeys();
		await press('J');
		expect(asked).toEqual([['show', '--name', 'github']]);
		await shows('it is running');
		await ended(done);
		await shows('outcome    is done');
		await shows('two');
		await press('\u001B');
		await shows('─ servers');
	});

	test('acts in its view alone, and one without a view in every one', async () => {
		const {press, asked, hides} = await openWithKeys();
		await press('5');
		await hides('─ servers');
		await press('J');
		expect(asked).toEqual([]);
		await press('+');
		expect(asked).toEqual([['make', 'all of it']]);
	});

	test('that was left says how it ended, and none begins before', async () => {
		const {press, asked, ended, shows} = await openWithKeys();
		await press('+');
		await shows('it is running');
		await press('\u001B');
		await shows('─ servers');
		await press('J');
		await shows('"plain" is still running');
		await ended({...done, outcome: 'failed', words: 'ended with code 2'});
		await shows('"plain" ended with code 2');
		await press('J');
		expect(asked).toHaveLength(2);
	});

	test('is ended by x, or with the dashboard', async () => {
		const {press, asked, dashboard, ended, shows} = await openWithKeys();
		await press('+');
		await shows('it is running');
		await press('x');
		expect(asked.at(-1)).toBe('aborted');
		await ended(done);
		await press('\u001B');
		await shows('─ servers');
		await press('+');
		await shows('it is running');
		dashboard.unmount();
		expect(asked.slice(2)).toEqual([['make', 'all of it'], 'aborted']);
	});

	test('is in the help, with its view', async () => {
		const {press, shows} = await openWithKeys();
		await press('?');
		await shows('your own keys');
		await shows('show it · in 1 Overview');
	});

	test('is refused where one can only look, and not in its help', async () => {
		const {press, asked, shows, hides} = await openWithKeys({settings: {readOnly: true}});
		await press('+');
		await shows('read-only: this dashboard cannot change anything');
		await press('?');
		await hides('your own keys');
		expect(asked).toEqual([]);
	});

	test.each([
		['a request', approval('1')],
		['an install proposal', proposal('p')],
		['a form', question('q', {fields: []})],
	])('does nothing on %s', async (_, event) => {
		const {press, asked, shows, sent} = await openWithKeys({events: [...events, event]});
		await press('A');
		await press('+');
		await shows('your own keys do nothing here');
		expect([asked, sent]).toEqual([[], []]);
	});

	test('is a letter in a text field, and nothing in a chunk or a paste', async () => {
		const {press, asked, shows} = await openWithKeys();
		await press('++');
		await press('\u001B[200~+\u001B[201~');
		await press('/');
		await press('+');
		await shows(' / +');
		expect(asked).toEqual([]);
	});
});

/** The act of a key in a view after events. */
function actOf(key: string, all: Parameters<typeof snapshotOf>[0], view: (typeof initialUiState)['view']) {
	const context = {snapshot: snapshotOf(all), readOnly: false, ownKeys: [show, byId, byRoute, plain]};
	const keyPress = {name: key, text: key, alone: true};
	const {act, ui} = uiStep({...initialUiState, view}, {type: 'key-press', keyPress, readiness: 'ready'}, context);
	return act?.type === 'program' && act.act.do === 'run' ? act.act.command : ui.toast?.text;
}

describe('the names of a row', () => {
	const r1 = run('r1', {state: 'finished', route: 'push'});

	test.each([
		['the id of a run', 'Z', [r1], 'runs', ['show', 'r1']],
		['its route', '€', [r1], 'runs', ['show', 'push']],
		['the id of a settled request', 'Z', [settled('9')], 'you', ['show', '9']],
		['the name of a route', '€', [route('push')], 'routes', ['show', 'push']],
		['the id of a call', 'Z', [finished('c1')], 'events', ['show', 'c1']],
		['a row without a route', '€', [server('a')], 'overview', 'this row has no route'],
		['no row', 'Z', [], 'runs', 'this row has no id'],
		['a waiting request', 'Z', [approval('1')], 'you', 'no command is given the id of a waiting request'],
		['a waiting question', 'Z', [question('q')], 'you', 'no command is given the id of a waiting request'],
		['a waiting proposal', 'Z', [proposal('p')], 'you', 'no command is given'],
		['an uncertain call', 'Z', [uncertain('c')], 'you', 'no command is given'],
		['an option', 'J', [server('-rf')], 'overview', 'does not begin with a letter or a digit'],
		['a hidden file', 'J', [server('.ssh')], 'overview', 'does not begin with a letter or a digit'],
		['equal rows', 'Z', [finished('c1'), finished('c2')], 'events', 'several equal rows'],
	] as const)('%s is given, or refused with the reason', (...[, key, all, view, wanted]) => {
		const found = actOf(key, [started(), ...all], view);
		expect(found).toEqual(typeof wanted === 'string' ? expect.stringContaining(wanted) : wanted);
	});

	test('are single words that no program can take for an option, whatever they are', () => {
		assert(
			property(oneof(string({unit: 'binary'}), string()), name => {
				const found = actOf('J', [started(), server(name)], 'overview');
				if (Array.isArray(found)) {
					expect(found).toEqual(['show', '--name', name]);
					expect(name).toMatch(/^[\p{L}\p{N}]/u);
					expect(name).not.toMatch(/\p{Cc}/u);
				} else {
					expect(found).toMatch(/does not begin with a letter or a digit|this row has no server/u);
				}
			}),
			{numRuns: 300},
		);
	});
});
