import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {inbox, type Keys, openWith, over, running} from './open-with.ts';
import {call, job, route, run, server, uncertain, webhook} from './sample-events.ts';

const profile = 'default';

/** Each action of the lists that makes a call: the events before, the keys that lead to it, the last key, and the call. */
const actions: ReadonlyArray<
	readonly [name: string, events: readonly GatewayEventBody[], keys: Keys, last: string, sent: object]
> = [
	[
		'l on a server asks for its stderr',
		[server('a')],
		[],
		'l',
		{method: 'mcp.view-log', params: {server: 'a'}, profile},
	],
	[
		't on a server asks for its tools',
		[server('a')],
		[],
		't',
		{method: 'mcp.view-tools', params: {server: 'a'}, profile},
	],
	[
		'Enter on an event asks for what came of it',
		[webhook('push')],
		[['3', '─ 3 Events']],
		'\r',
		{method: 'traces.view', params: {subject: {kind: 'event', id: 'e1'}}, profile},
	],
	[
		'd on an event tries it',
		[webhook('push')],
		[['3', '─ 3 Events']],
		'v',
		{method: 'events.dry-run', params: {id: 'e1'}, profile},
	],
	[
		'r on an event replays it after a yes',
		[webhook('push')],
		[
			['3', '─ 3 Events'],
			['e', 'Replay claimed event "push"'],
		],
		'y',
		{method: 'events.replay', params: {id: 'e1'}, profile},
	],
	[
		'x on an inbox item closes it after a yes',
		[inbox],
		[
			['4', 'Triage'],
			['i', 'Dismiss this inbox item?'],
		],
		'y',
		{method: 'runs.close', params: {id: 'r1'}, profile},
	],
	[
		'x on a run cancels it after a yes',
		[running],
		[
			['4', 'Work'],
			['x', 'Cancel this run?'],
		],
		'y',
		{method: 'runs.cancel', params: {id: 'r1'}, profile},
	],
	[
		'w on an inbox item writes its answer',
		[inbox],
		[
			['4', 'Triage'],
			['w', 'answer:'],
			['Fixed.', 'Fixed.'],
		],
		'\r',
		{method: 'runs.answer', params: {id: 'r1', text: 'Fixed.'}, profile},
	],
	[
		'w on a run that is over goes on with it',
		[over],
		[
			['4', 'Work'],
			['w', 'follow-up:'],
			['More', 'More'],
		],
		'\r',
		{method: 'runs.follow-up', params: {id: 'r1', prompt: 'More'}, profile},
	],
	[
		'n starts a run',
		[],
		[
			['4', '4 Runs'],
			['n', 'run:'],
			['Look', 'Look'],
		],
		'\r',
		{method: 'runs.start', params: {prompt: 'Look'}},
	],
	[
		':new-run leaves nothing of what was typed in the line of the prompt',
		[],
		[
			[':', 'reload-mcp'],
			['new-run', 'new-run'],
			['\r', 'run:'],
			['Look', 'Look'],
		],
		'\r',
		{method: 'runs.start', params: {prompt: 'Look'}},
	],
	[
		':run starts a run',
		[],
		[
			[':', 'reload-mcp'],
			['run Look around', 'Look around'],
		],
		'\r',
		{method: 'runs.start', params: {prompt: 'Look around'}},
	],
	['n runs a job', [job('1')], [['5', 'job-1']], 'n', {method: 'cron.run', params: {reference: '1'}, profile}],
	[
		'p resumes a disabled job',
		[job('1', {state: 'disabled'})],
		[['5', 'job-1']],
		'p',
		{method: 'cron.change', params: {reference: '1', change: 'resume'}, profile},
	],
	[
		'p pauses a job',
		[job('1')],
		[['5', 'job-1']],
		'p',
		{method: 'cron.change', params: {reference: '1', change: 'pause'}, profile},
	],
	[
		'p resumes a paused job',
		[job('1', {state: 'paused'})],
		[['5', 'job-1']],
		'p',
		{method: 'cron.change', params: {reference: '1', change: 'resume'}, profile},
	],
	[
		'p pauses a route after a yes',
		[route('push')],
		[
			['6', 'push'],
			['p', 'Pause push?'],
		],
		'y',
		{method: 'webhook.pause', params: {route: 'push', paused: true}, profile},
	],
	[
		'p resumes a paused route',
		[route('push', {state: 'paused'})],
		[['6', 'push']],
		'p',
		{method: 'webhook.pause', params: {route: 'push', paused: false}, profile},
	],
	[
		'h opens the handshake window of a route',
		[route('push')],
		[['6', 'push']],
		'h',
		{method: 'webhook.handshake', params: {route: 'push'}, profile},
	],
	[
		'x cancels a call after a yes',
		[call('c1')],
		[
			['7', 'github/search'],
			['x', 'Cancel github/search?'],
		],
		'y',
		{method: 'calls.cancel', params: {id: 'c1'}, profile},
	],
	[
		'D marks an uncertain call as done after a yes',
		[uncertain('u1')],
		[
			['2', 'github/merge'],
			['D', 'as done?'],
		],
		'y',
		{method: 'uncertain.resolve', params: {id: 'u1', resolution: 'done'}, profile},
	],
	[
		'N marks an uncertain call as not done after a yes',
		[uncertain('u1')],
		[
			['2', 'github/merge'],
			['N', 'as not done?'],
		],
		'y',
		{method: 'uncertain.resolve', params: {id: 'u1', resolution: 'not_done'}, profile},
	],
	[
		'r repeats an uncertain call after a yes',
		[uncertain('u1')],
		[
			['2', 'github/merge'],
			['e', 'it will happen twice'],
		],
		'y',
		{method: 'uncertain.repeat', params: {id: 'u1'}, profile},
	],
	['R asks for the rules, from every view', [], [['4', '4 Runs and inbox']], 'R', {method: 'rules.view', params: {}}],
	[
		':tools asks for all tools',
		[],
		[
			[':', 'reload-mcp'],
			['tools', 'tools'],
		],
		'\r',
		{method: 'mcp.view-tools', params: {}},
	],
];

const rows = actions.map(([name, events, keys, last, sent]) => ({name, events, keys, last, sent}));

test.each(rows)('$name', async ({events, keys, last, sent}) => {
	const dashboard = await openWith(events, keys);
	await dashboard.press(last);
	expect(dashboard.sent).toEqual([sent]);
});

test('x on a call of another gateway says where it can be cancelled, and sends nothing', async () => {
	const {press, sent, shows} = await openWith([call('c1', {node: 'web-2'})], [['7', 'node web-2']]);
	await press('x');
	await shows('the gateway web-2 makes this call; cancel it there');
	expect(sent).toEqual([]);
});

test('x on a run under way at another gateway says where it can be cancelled, and sends nothing', async () => {
	const {press, sent, shows} = await openWith([run('r1', {state: 'running', node: 'web-2'})], [['4', 'web-2']]);
	await press('x');
	await shows('the run is under way at web-2; cancel it there');
	expect(sent).toEqual([]);
});
