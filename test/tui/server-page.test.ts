import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {openDashboard} from './open-dashboard.ts';
import {server, started} from './sample-events.ts';

const sizes = [
	{columns: 40, rows: 10},
	{columns: 80, rows: 24},
	{columns: 120, rows: 40},
] as const;

const lines = (name: string, count: number) => Array.from({length: count}, (_, index) => `${name} ${index}`).join('\n');

const page: GatewayEventBody = {
	type: 'view.page',
	subject: {kind: 'server', server: 'files'},
	title: 'Server files',
	sections: [
		{title: 'Latest calls, p50 5 ms, p95 9 ms', text: '09:34:43  ok 5 ms  echo {"text":"hi"}', layout: 'exact'},
		{title: 'last lines of stderr', text: lines('stderr', 40), layout: 'exact'},
		{title: 'Tools, and whether their calls ask', text: lines('tool', 40), layout: 'exact'},
		{title: 'Entry in config.yaml, secrets masked', text: lines('entry', 40), layout: 'exact'},
	],
};

const calls: GatewayEventBody = {
	type: 'view.server-calls',
	server: 'files',
	calls: [
		{
			callId: 'c2',
			name: 'mcp__files__write',
			tool: 'write',
			arguments: '{"path":"/b"}',
			origin: {kind: 'command-line'},
			at: 0,
			end: {outcome: 'ok', ms: 5},
		},
		{
			callId: 'c1',
			name: 'mcp__files__read',
			tool: 'read',
			arguments: '{"path":"/a"}',
			origin: {kind: 'command-line'},
			at: 0,
		},
	],
};

/** In the process of the gateway, and attached to one. */
const ways: Readonly<Record<'own' | 'attached', readonly GatewayEventBody[]>> = {
	own: [started()],
	attached: [started(), {type: 'view.console', state: 'attached', number: 2, pid: 4711, mode: 'deciding'}],
};

const places = sizes.flatMap(size => (['own', 'attached'] as const).map(way => ({...size, way})));

describe.each(places)('at $columns x $rows, $way gateway', ({way, ...size}) => {
	test('Enter on a server opens its page, and ] and [ go from section to section', async () => {
		const {press, dispatch, shows, hides, sent} = await openDashboard({
			...size,
			events: [...ways[way], server('files')],
		});
		await press('\r');
		expect(sent).toEqual([{method: 'mcp.view', params: {server: 'files'}, profile: 'default'}]);
		await dispatch(page);
		await press(']');
		await shows('p50 5 ms, p95 9 ms');
		await press(']');
		await shows('stderr 0');
		await press(']');
		await shows('tool 0');
		await hides('stderr 0');
		await press('[');
		await shows('stderr 0');
		await press('G');
		await shows('entry 39');
	});

	test('two keys lead to the last line that a dead server wrote', async () => {
		const dead = server('files', {state: 'failed', reason: 'It ended', stderr: ['Error: no such module']});
		const {press, dispatch, shows} = await openDashboard({...size, events: [...ways[way], dead]});
		await press('l');
		await dispatch({
			type: 'view.page',
			subject: {kind: 'server-log', server: 'files'},
			title: 'Log of files',
			sections: [{title: 'stderr', text: `${lines('stderr', 99)}\nError: no such module`}],
		});
		await shows('Error: no such module');
	});

	test('its latest calls are made again after a yes', async () => {
		const {press, dispatch, shows, sent} = await openDashboard({...size, events: [...ways[way], server('files')]});
		await press('C');
		await dispatch(calls);
		await shows('write');
		await press('j');
		await press('e');
		await shows('read again');
		await press('y');
		expect(sent).toEqual([
			{method: 'mcp.view-calls', params: {server: 'files'}, profile: 'default'},
			{method: 'calls.repeat', params: {id: 'c1'}, profile: 'default'},
		]);
		await dispatch({type: 'view.call', requestId: 'hand-1', name: 'mcp__files__read', outcome: 'ok', text: 'the text'});
		await shows('the text');
	});
});

test('a read-only dashboard shows the calls and makes none', async () => {
	const {press, dispatch, shows, sent} = await openDashboard({
		events: [started(), server('files')],
		settings: {readOnly: true},
	});
	await press('C');
	await dispatch(calls);
	await shows('write');
	await press('e');
	await shows('read-only');
	expect(sent).toMatchObject([{method: 'mcp.view-calls'}]);
});

test('a server without calls says so', async () => {
	const {press, dispatch, shows} = await openDashboard({events: [started(), server('files')]});
	await press('C');
	await shows('asking the gateway');
	await dispatch({type: 'view.server-calls', server: 'files', calls: []});
	await shows('no calls of this server');
});
