import {describe, expect, test} from 'vitest';
import {type EntryEdit} from '../../source/tui/state/local-programs.ts';
import {typeAheadMilliseconds} from '../../source/tui/input/controller.ts';
import {openFakePrograms} from './fake-programs.ts';
import {openDashboard, type OpenOptions} from './open-dashboard.ts';
import {approval, job, question, route, rule, rules, server, started} from './sample-events.ts';

const events = [started(), server('github')];
const broken: EntryEdit = {kind: 'broken', errors: ['config.yaml:3:5: mcp_servers.github: it is no map']};
const valid: EntryEdit = {kind: 'valid', difference: '  a: 1\n+ b: 2\n- b: 3\n', notes: ['config.yaml:9:1: not known']};

async function openEditing(options: OpenOptions = {}) {
	const {programs, asked, end} = openFakePrograms();
	const dashboard = await openDashboard({events, ...options, programs});
	const {clock, press} = dashboard;
	const ended = async (edit: EntryEdit) => {
		await expect.poll(() => asked.length).toBeGreaterThan(0);
		end(edit);
		await clock.advance(200);
	};

	/** Opens the editor, which is there at once. */
	const edit = async (...keys: readonly string[]) => {
		for (const key of keys) {
			await press(key);
		}

		await press('e');
		await clock.advance(300);
	};

	return {...dashboard, asked, ended, edit};
}

const telegram = {type: 'platform.state', platform: 'telegram', state: 'usable'} as const;
const configured = rule('rule-1', {source: 'config'});

describe('e', () => {
	test.each([
		['a server', events, [], {kind: 'server', name: 'github'}],
		['a route', [...events, route('push', {source: 'config'})], ['6'], {kind: 'route', name: 'push'}],
		['a platform', [...events, telegram], ['P'], {kind: 'platform', name: 'telegram'}],
		['a rule', [...events, rules(configured)], ['R'], {kind: 'rule', name: 'rule-1'}],
		['a job', [...events, job('1')], ['5'], {kind: 'job', name: '1'}],
		['the server of its page', events, ['\r'], {kind: 'server', name: 'github'}],
	] as const)('opens the editor at the entry of %s', async (_, all, keys, entry) => {
		const {edit, asked} = await openEditing({events: all});
		await edit(...keys);
		expect(asked).toEqual([{...entry, profile: 'default'}]);
	});

	test.each([
		['a subscription', [...events, route('push', {source: 'subscription'})], ['6'], 'this route is a subscription'],
		['a stored rule', [...events, rules(rule('stored-1', {source: 'stored'}))], ['R'], 'was stored from a request'],

		['no row', [started()], ['6'], 'has no entry in config.yaml'],
	] as const)('says why there is no entry of %s', async (_, all, keys, text) => {
		const {edit, asked, shows} = await openEditing({events: all});
		await edit(...keys);
		await shows(text);
		expect(asked).toEqual([]);
	});

	test('is refused in a dashboard that can only look, and as a part of a chunk', async () => {
		const looking = await openEditing({settings: {readOnly: true}});
		await looking.edit();
		await looking.shows('read-only: this dashboard cannot change anything');
		const {press, asked, edit} = await openEditing();
		await press('eh');
		expect([asked, looking.asked]).toEqual([[], []]);
		await edit();
		expect(asked).toHaveLength(1);
	});

	test('does not edit from a request or a question', async () => {
		const {press, asked, shows} = await openEditing({events: [...events, approval('1'), question('q')]});
		await press('A');
		await shows('APPROVAL');
		await press('e');
		expect(asked).toEqual([]);
	});
});

test('the editor has the terminal alone: nothing is drawn, no key counts, and the bell rings', async () => {
	const {edit, press, dispatch, terminal, sent, ended, shows} = await openEditing();
	await edit();
	const before = terminal.written().length;
	expect(terminal.written().slice(-200)).toContain('\u001B[?1049l');
	await press('q');
	await dispatch(approval('1'), server('files'));
	expect(terminal.written().slice(before)).toBe('\u0007');
	await ended({kind: 'unchanged'});
	await shows('nothing was changed');
	await shows('files');
	expect(terminal.written().slice(before)).toContain('\u001B]2;▲1 sluice\u0007');
	expect(sent).toEqual([]);
});

test('an error is shown with its line, and e edits again', async () => {
	const {edit, ended, shows, press, asked, clock} = await openEditing();
	await edit();
	await ended(broken);
	await shows('config.yaml:3:5: mcp_servers.github: it is no map');
	await shows('e edit again');
	await press('w');
	expect(asked).toHaveLength(1);
	await press('e');
	await clock.advance(300);
	expect(asked).toEqual([{kind: 'server', name: 'github', profile: 'default'}, 'again']);
});

test('a difference is written by a key that comes after it was shown, and then the configuration is reloaded', async () => {
	const {edit, ended, shows, press, asked, sent, clock} = await openEditing();
	await edit();
	await ended(valid);
	await shows('+ b: 2');
	await shows('config.yaml:9:1: not known');
	await clock.advance(1000);
	await press('w');
	expect(asked.at(-1)).toBe('write');
	await ended({kind: 'written'});
	await expect.poll(() => sent).toEqual([{method: 'reload', params: {}, profile: 'default'}]);
	await shows('reloading the configuration');
});

test('a key that comes with the difference does not write it', async () => {
	const {edit, ended, asked, terminal, clock, shows} = await openEditing();
	await edit();
	await ended(valid);
	terminal.type('w');
	await clock.settle();
	await clock.advance(100);
	await shows('+ b: 2');
	expect(asked).toHaveLength(1);
});

test('a text that cannot be written stays, and the page names its place', async () => {
	const {edit, ended, shows, press, clock, asked} = await openEditing();
	await edit();
	await ended(valid);
	await shows('+ b: 2');
	await clock.advance(1000);
	await press('w');
	await ended({kind: 'unwritten', reason: 'config.yaml has changed since', path: '/tmp/sluice-edit-1/config.yaml'});
	await shows('config.yaml has changed since');
	await shows('/tmp/sluice-edit-1/config.yaml');
	await press('w');
	await press('\u001B');
	await shows('─ servers');
	expect(asked).toHaveLength(2);
});

test('keys that were typed for the editor do not count', async () => {
	const {edit, ended, shows, terminal, clock} = await openEditing();
	await edit();
	await ended({kind: 'unchanged'});
	await clock.settle();
	await shows('nothing was changed');
	terminal.type('5');
	await clock.advance(typeAheadMilliseconds);
	await shows('─ servers');
	terminal.type('5');
	await shows('─ 5 Jobs');
});

test('a text that is written while the gateway is gone says so, and leaves the page', async () => {
	const {edit, ended, shows, press, dispatch, clock} = await openEditing();
	await edit();
	await ended(valid);
	await shows('+ b: 2');
	await clock.advance(1000);
	await press('w');
	await dispatch({type: 'view.console', state: 'lost', reason: 'gone', since: 0});
	await ended({kind: 'written'});
	await shows('written');
	await shows('─ servers');
});

test('leaving asks, and only yes drops the text', async () => {
	const {edit, ended, shows, press, asked} = await openEditing();
	await edit();
	await ended(broken);
	await shows('it is no map');
	await press('\u001B');
	await shows('Drop your changes to the text?');
	await press('n');
	await shows('e edit again');
	expect(asked).toHaveLength(1);
	await press('\u001B');
	await shows('Drop your changes to the text?');
	await press('y');
	await shows('nothing was written');
	expect(asked.at(-1)).toBe('discard');
});

test('an editor that is missing or fails is a line, and the list is as it was', async () => {
	const {edit, ended, shows} = await openEditing();
	await edit();
	await ended({kind: 'refused', reason: 'The editor /no/such was not found'});
	await shows('The editor /no/such was not found');
	await shows('─ servers');
});

test('without programs of its own the dashboard says so', async () => {
	const {press, shows} = await openDashboard({events});
	await press('e');
	await shows('this dashboard runs no programs');
});

test.each([
	[40, 10],
	[80, 24],
	[160, 50],
])('the size that the terminal got meanwhile is drawn, at %ix%i', async (columns, rows) => {
	const {edit, ended, shows, terminal} = await openEditing({columns: 90, rows: 30});
	await edit();
	terminal.resize(columns, rows);
	await ended(valid);
	await shows('+ b: 2');
	expect(await terminal.rows()).toHaveLength(rows);
	expect((await terminal.text()).split('\n').at(-1)).toContain('w write it');
});
