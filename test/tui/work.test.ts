import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {openDashboard} from './open-dashboard.ts';
import {
	approval,
	call,
	inProfile,
	job,
	log,
	question,
	route,
	run,
	sampleTime,
	server,
	started,
	tool,
	tools,
	uncertain,
	webhook,
} from './sample-events.ts';

const profile = 'default';

type Keys = ReadonlyArray<readonly [key: string, shows: string]>;

async function open(events: readonly GatewayEventBody[], keys: Keys) {
	const dashboard = await openDashboard({events: [started(), ...events]});
	for (const [key, text] of keys) {
		await dashboard.press(key);
		await dashboard.shows(text);
	}

	return dashboard;
}

const inbox = run('r1', {state: 'inbox', prompt: 'Triage', allowedTools: ['mcp__a__b'], deliver: 'telegram'});
const running = run('r1', {state: 'running', prompt: 'Work'});
const over = run('r1', {state: 'finished', prompt: 'Work', answer: 'All done.'});

/** Each order of the lists: what is there, the keys that lead to it, the last key, and what is sent. */
const orders: ReadonlyArray<
	readonly [name: string, events: readonly GatewayEventBody[], keys: Keys, last: string, sent: object]
> = [
	['l on a server asks for its stderr', [server('a')], [], 'l', {type: 'show-server-log', server: 'a', profile}],
	['t on a server asks for its tools', [server('a')], [], 't', {type: 'show-tools', server: 'a', profile}],
	[
		'Enter on an event asks for all of it',
		[webhook('push')],
		[['3', '3 Events']],
		'\r',
		{type: 'show-event', eventId: 'e1', profile},
	],
	[
		'd on an event tries it',
		[webhook('push')],
		[['3', '3 Events']],
		'd',
		{type: 'dry-run-event', eventId: 'e1', profile},
	],
	[
		'r on an event replays it after a yes',
		[webhook('push')],
		[
			['3', '3 Events'],
			['r', 'Replay this push event'],
		],
		'y',
		{type: 'replay-event', eventId: 'e1', profile},
	],
	[
		'x on an inbox item closes it after a yes',
		[inbox],
		[
			['5', 'Triage'],
			['x', 'Close this inbox item?'],
		],
		'y',
		{type: 'close-inbox-item', runId: 'r1', profile},
	],
	[
		'x on a run cancels it after a yes',
		[running],
		[
			['5', 'Work'],
			['x', 'Cancel this run?'],
		],
		'y',
		{type: 'cancel-run', runId: 'r1', profile},
	],
	[
		'w on an inbox item writes its answer',
		[inbox],
		[
			['5', 'Triage'],
			['w', 'answer:'],
			['Fixed.', 'Fixed.'],
		],
		'\r',
		{type: 'answer-inbox', runId: 'r1', text: 'Fixed.', profile},
	],
	[
		'w on a run that is over goes on with it',
		[over],
		[
			['5', 'Work'],
			['w', 'follow-up:'],
			['More', 'More'],
		],
		'\r',
		{type: 'follow-up-run', runId: 'r1', prompt: 'More', profile},
	],
	[
		'n starts a run',
		[],
		[
			['5', '5 Runs'],
			['n', 'run:'],
			['Look', 'Look'],
		],
		'\r',
		{type: 'start-run', prompt: 'Look'},
	],
	[
		':run starts a run',
		[],
		[
			[':', 'reload-mcp'],
			['run Look around', 'Look around'],
		],
		'\r',
		{type: 'start-run', prompt: 'Look around'},
	],
	['r runs a job', [job('1')], [['6', 'job-1']], 'r', {type: 'run-job', id: '1', profile}],
	['p pauses a job', [job('1')], [['6', 'job-1']], 'p', {type: 'set-job-paused', id: '1', paused: true, profile}],
	[
		'p resumes a paused job',
		[job('1', {state: 'paused'})],
		[['6', 'job-1']],
		'p',
		{type: 'set-job-paused', id: '1', paused: false, profile},
	],
	[
		'p pauses a route after a yes',
		[route('push')],
		[
			['7', 'push'],
			['p', 'Pause push?'],
		],
		'y',
		{type: 'set-route-paused', route: 'push', paused: true, profile},
	],
	[
		'p resumes a paused route',
		[route('push', {state: 'paused'})],
		[['7', 'push']],
		'p',
		{type: 'set-route-paused', route: 'push', paused: false, profile},
	],
	[
		'x cancels a call after a yes',
		[call('c1')],
		[
			['8', 'github/search'],
			['x', 'Cancel github/search?'],
		],
		'y',
		{type: 'cancel-call', callId: 'c1', profile},
	],
	[
		'D marks an uncertain call as done after a yes',
		[uncertain('u1')],
		[
			['2', 'github/merge'],
			['D', 'as done?'],
		],
		'y',
		{type: 'resolve-uncertain', callId: 'u1', resolution: 'done', profile},
	],
	[
		'N marks an uncertain call as not done after a yes',
		[uncertain('u1')],
		[
			['2', 'github/merge'],
			['N', 'as not done?'],
		],
		'y',
		{type: 'resolve-uncertain', callId: 'u1', resolution: 'not_done', profile},
	],
	[
		'r repeats an uncertain call after a yes',
		[uncertain('u1')],
		[
			['2', 'github/merge'],
			['r', 'it does so twice'],
		],
		'y',
		{type: 'repeat-uncertain', callId: 'u1', profile},
	],
	['R asks for the remembered approvals', [], [['2', '2 Approvals']], 'R', {type: 'show-rules'}],
	[
		':tools asks for all tools',
		[],
		[
			[':', 'reload-mcp'],
			['tools', 'tools'],
		],
		'\r',
		{type: 'show-tools'},
	],
];

test.each(orders)('%s', async (_name, events, keys, last, sent) => {
	const dashboard = await open(events, keys);
	await dashboard.press(last);
	expect(dashboard.sent).toEqual([sent]);
});

describe('what is shown', () => {
	const facts: ReadonlyArray<readonly [string, readonly GatewayEventBody[], Keys]> = [
		[
			'a run with its model, usage, steps and text',
			[
				{...running, model: 'claude', usage: {inputTokens: 1200, outputTokens: 30}} as GatewayEventBody,
				{
					type: 'run.step',
					runId: 'r1',
					step: {id: '1', tool: 'search', arguments: '{"q":1}', state: 'done', outcome: 'ok', summary: '3 hits'},
				},
				{type: 'run.text', runId: 'r1', text: 'I look at it.'},
			],
			[
				['5', 'Work'],
				['\r', '1,200 tokens in, 30 out'],
				['x', 'Cancel'],
				['n', 'I look at it.'],
				['g', '● search ok {"q":1}'],
			],
		],
		[
			'a run that waits for an approval says so',
			[{...running, waitingFor: 'approval'} as GatewayEventBody],
			[['5', '▲ waits for approval']],
		],
		[
			'an answer',
			[over],
			[
				['5', 'Work'],
				['\r', 'All done.'],
			],
		],
		[
			'the tools an inbox item allows, and where its answer goes',
			[inbox],
			[
				['5', 'Triage'],
				['\r', 'mcp__a__b'],
			],
		],
		[
			'a call with its progress',
			[call('c1'), {type: 'tool.progress', callId: 'c1', progress: 3, total: 10, message: 'copying'}],
			[['8', '30 % · copying']],
		],
		['a call without a total', [call('c1'), {type: 'tool.progress', callId: 'c1', progress: 3000}], [['8', '3,000']]],
		[
			'the frozen arguments of an uncertain call',
			[uncertain('u1')],
			[
				['2', 'merge'],
				['\r', '"number": 7'],
			],
		],
		[
			'why a route is not served',
			[route('old', {state: 'refused', reason: 'no secret'})],
			[
				['7', '✖ old                refused'],
				['\r', 'no secret'],
			],
		],
		['a job with its next run', [job('1', {nextRunAt: sampleTime + 90_000_000})], [['6', 'next 1']]],
		[
			'model, endpoint and platforms',
			[
				{type: 'model.state', provider: 'none', source: 'none', reason: 'no key'},
				{type: 'endpoint.state', state: 'listening', url: 'http://127.0.0.1:8645/mcp'},
				{type: 'platform.state', platform: 'slack', state: 'unusable', reason: 'token is missing'},
			],
			[
				['9', 'events wait in the inbox'],
				['j', 'listening'],
				['j', 'token is missing'],
			],
		],
		[
			'an event with what the journal knows',
			[
				webhook('push'),
				{
					type: 'view.page',
					subject: {kind: 'event', eventId: 'e1'},
					title: 'Event',
					sections: [{title: 'headers', text: 'x-a: b'}],
				},
			],
			[
				['3', 'push'],
				['\r', 'x-a: b'],
			],
		],
		['a page that is not there yet', [server('a')], [['l', 'asking the gateway']]],
		[
			'tools with filter state, gate and schema',
			[server('a'), tools(tool('find', {approval: 'none'}), tool('wipe', {state: 'filtered', reason: 'excluded'}))],
			[
				['t', '– wipe                     filtered'],
				['\r', 'a call passes without a question'],
				['G', '"text"'],
			],
		],
		[
			'remembered approvals',
			[
				{
					type: 'view.rules',
					rules: [{id: '1', server: 'a', tool: 'b', scope: 'always', state: 'void', createdAt: sampleTime}],
				},
			],
			[
				['2', '2 Approvals'],
				['R', 'a/b'],
				['\r', 'its next call asks again'],
			],
		],
	];
	test.each(facts)('%s', async (_name, events, keys) => {
		await open(events, keys);
	});

	test('profiles stand before the rows when there is more than one', async () => {
		const {shows} = await open([server('a'), inProfile('work', server('b'))], []);
		await shows('work');
		await shows('default');
	});
});

describe('a tool called by hand', () => {
	const board = tools(
		tool('add', {
			inputSchema: {type: 'object', required: ['title'], properties: {title: {type: 'string'}, meta: {type: 'object'}}},
		}),
	);

	test('sends what its form holds and shows the result', async () => {
		const {press, shows, sent, tell} = await open(
			[server('a'), board],
			[
				['t', 'add'],
				['r', 'Call mcp__github__add'],
				['Hi', '> Hi'],
				['\r', 'meta optional · JSON'],
				['{"a":1}', '{"a":1}'],
				['\r', '> enter calls'],
			],
		);
		await press('\r');
		const [, order] = sent;
		expect(order).toEqual({
			type: 'call-tool',
			requestId: 'hand-1',
			name: 'mcp__github__add',
			arguments: {title: 'Hi', meta: {a: 1}},
			profile,
		});
		await shows('under way');
		await tell({type: 'view.call', requestId: 'hand-1', name: 'mcp__github__add', outcome: 'ok', text: 'added'});
		await shows(' added');
	});

	test('says that it waits for an approval', async () => {
		const {tell, shows, press} = await open(
			[server('a'), tools(tool('add', {inputSchema: {}}))],
			[
				['t', 'add'],
				['r', '> enter calls'],
			],
		);
		await press('\r');
		await tell(approval('1', {registeredName: 'mcp__github__add', origin: {kind: 'dashboard'}}));
		await shows('waits for your approval');
	});

	test('that is not registered is not called', async () => {
		const {shows, press, sent} = await open(
			[server('a'), tools(tool('wipe', {state: 'filtered', reason: 'excluded'}))],
			[['t', 'wipe']],
		);
		await press('r');
		await shows('wipe is not registered: excluded');
		expect(sent).toHaveLength(1);
	});
});

test('a list without a digit leads back to where it was opened', async () => {
	const {press, shows} = await open([server('a'), tools(tool('find'))], [['t', 'Tools · 1']]);
	await press('\u001B');
	await shows('1 Servers');
});

test('a window that may only look asks for pages and orders nothing', async () => {
	const {press, sent, shows} = await openDashboard({
		events: [started(), server('a'), webhook('push'), question('q')],
		settings: {readOnly: true},
	});
	await press('l');
	await press('3');
	await press('\r');
	await press('r');
	await shows('read-only: this window orders nothing');
	expect(sent.map(({type}) => type)).toEqual(['show-server-log', 'show-event']);
});

test('the end of a reload takes the place of the word that it is under way', async () => {
	const {shows, tell, hides} = await open(
		[],
		[
			[':', 'reload-mcp'],
			['reload-mcp\r', 'reloading the configuration'],
		],
	);
	await tell(log('reloaded: 1 added', {area: 'reload'}));
	await shows('reloaded: 1 added');
	await hides('reloading the configuration');
});

test('a passing word that is longer than the line is shown whole', async () => {
	const {shows, tell} = await open([server('a')], []);
	await tell(log(`${'word '.repeat(25)}end`, {level: 'warning'}));
	await shows('word end');
});

test('quitting asks about all that would be cut off', async () => {
	const {press, shows} = await open([call('c1'), running, question('q')], []);
	await press('q');
	await shows('Quit? 1 question will be cancelled, 1 call will be cut off');
});
