import {describe, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {openDashboard} from './open-dashboard.ts';
import {inbox, type Keys, openWith, over, running} from './open-with.ts';
import {
	call,
	inProfile,
	job,
	login,
	route,
	rule,
	rules,
	sampleTime,
	server,
	started,
	tool,
	tools,
	traced,
	uncertain,
	webhook,
} from './sample-events.ts';

/** A call of a server that took so long. */
function ended(server: string, ms: number): GatewayEventBody {
	return {
		type: 'tool.finished',
		callId: `${server}-${ms}`,
		server,
		tool: 't',
		origin: {kind: 'command-line'},
		ms,
		outcome: 'ok',
		summary: '',
	};
}

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
				traced({kind: 'run', id: 'r1'}, {kind: 'run', runId: 'r1'}),
			],
			[
				['4', 'Work'],
				['\r', 'called'],
				['\r', '1,200 tokens in, 30 out'],
				['x', 'Cancel'],
				['n', 'I look at it.'],
				['g', '● search ok {"q":1}'],
			],
		],
		[
			'a run that waits for an approval says so',
			[{...running, waitingFor: 'approval'} as GatewayEventBody],
			[['4', '▲ waits for approval']],
		],
		[
			'an answer',
			[over, traced({kind: 'run', id: 'r1'}, {kind: 'run', runId: 'r1'})],
			[
				['4', 'Work'],
				['\r', 'called'],
				['\r', 'All done.'],
			],
		],
		[
			'the tools an inbox item allows, and where its answer goes',
			[inbox, traced({kind: 'run', id: 'r1'}, {kind: 'run', runId: 'r1'})],
			[
				['4', 'Triage'],
				['\r', 'called'],
				['\r', 'mcp__a__b'],
			],
		],
		[
			'a call with its progress',
			[call('c1'), {type: 'tool.progress', callId: 'c1', progress: 3, total: 10, message: 'copying'}],
			[['7', '30 % · "copying"']],
		],
		['a call without a total', [call('c1'), {type: 'tool.progress', callId: 'c1', progress: 3000}], [['7', '3,000']]],
		[
			'the frozen arguments of an uncertain call',
			[uncertain('u1')],
			[
				['2', 'merge'],
				['\r', '"number": 7'],
			],
		],
		[
			'what to do about a paused job',
			[job('1', {state: 'paused', nextActions: [{kind: 'resume-job', job: '1'}]})],
			[
				['5', 'paused'],
				['\r', 'next       p to resume'],
			],
		],
		[
			'why a route is not served',
			[route('old', {state: 'failed', reason: 'no secret', nextActions: [{kind: 'text', text: 'Set one'}]})],
			[
				['6', '✖ old                failed'],
				['\r', 'Set one'],
			],
		],
		['a job with its next run', [job('1', {nextRunAt: sampleTime + 90_000_000})], [['5', 'next 1']]],
		[
			'model, endpoint and platforms',
			[
				{type: 'model.state', provider: 'none', source: 'none', reason: 'no key'},
				{type: 'endpoint.state', state: 'listening', url: 'http://127.0.0.1:8645/mcp'},
				{type: 'platform.state', platform: 'slack', state: 'unusable', reason: 'token is missing'},
			],
			[
				['P', 'events wait in the inbox'],
				['j', 'listening'],
				['j', 'token is missing'],
			],
		],
		[
			'an event with what the journal knows',
			[
				webhook('push'),
				traced({kind: 'event', id: 'e1'}, {kind: 'event', eventId: 'e1'}),
				{
					type: 'view.page',
					subject: {kind: 'event', eventId: 'e1'},
					title: 'Event',
					sections: [{title: 'headers', text: 'x-a: b'}],
				},
			],
			[
				['3', 'push'],
				['\r', 'called'],
				['\r', 'x-a: b'],
			],
		],
		[
			'the stderr of a server from its end, where the error is',
			[
				server('a'),
				{
					type: 'view.page',
					subject: {kind: 'server-log', server: 'a'},
					title: 'Log of a',
					sections: [{title: 'stderr', text: Array.from({length: 90}, (_, index) => `noted ${index}`).join('\n')}],
				},
			],
			[['l', 'noted 89']],
		],
		['a page that is not there yet', [server('a')], [['l', 'asking the gateway']]],
		['tools that are not there yet', [server('a')], [['t', 'asking the gateway']]],
		['that a server has no tools', [server('a'), tools()], [['t', 'no tools']]],
		[
			'the median duration of the calls of a server, which is not its handshake',
			[server('a', {latencyMs: 900}), ended('a', 10), ended('a', 30), ended('a', 4000), server('a', {latencyMs: 901})],
			[
				['', ' 3   30 ms '],
				['\r', 'handshake  901 ms'],
			],
		],
		[
			'how the stderr of a server ended that does not run, and where all of it is',
			[
				server('a', {
					state: 'waiting',
					reason: 'The server ended with code 1',
					stderr: ['first', 'no key'],
					log: '/l/a.log',
				}),
			],
			[
				['\r', 'stderr     first'],
				['', '           no key'],
				['', 'log        /l/a.log'],
			],
		],
		[
			'tools with filter state, approval and schema',
			[server('a'), tools(tool('find', {approval: 'none'}), tool('wipe', {state: 'filtered', reason: 'excluded'}))],
			[
				['t', '– wipe                     filtered'],
				['\r', 'calls need no approval'],
				['G', '"text"'],
			],
		],
		[
			'what the rules say of a tool',
			[server('a'), tools(tool('find', {rules: ['rule r1 denies github/find', '2 more rules']}))],
			[
				['t', 'find'],
				['\r', 'by these rules'],
				['', 'rules      rule r1 denies github/find'],
				['', '           2 more rules'],
			],
		],
		[
			'a rule that is void',
			[rules(rule('1', {state: 'void'}))],
			[
				['R', 'void: allows github/merge'],
				['\r', 'the next call asks again'],
			],
		],
	];
	test.each(facts)('%s', async (_name, events, keys) => {
		await openWith(events, keys);
	});

	test('rows begin with their profile when there is more than one', async () => {
		const {shows} = await openWith([server('a'), inProfile('work', server('b'))], []);
		await shows('work');
		await shows('default');
	});
});

test('where there is room, calls and logins under way are shown beside the servers', async () => {
	const {shows} = await openDashboard({
		columns: 160,
		rows: 50,
		events: [started(), server('a'), call('c1'), login('a')],
	});
	await shows('7 Calls under way');
	await shows('Logins · 1');
});
