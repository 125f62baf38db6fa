import {test} from 'vitest';
import {type GatewayEventBody} from '../../../source/state/event.ts';
import {openWith, type Keys} from '../open-with.ts';
import {
	approval,
	call,
	failing,
	finished,
	job,
	login,
	question,
	route,
	rule,
	rules,
	run,
	server,
	uncertain,
	webhook,
} from '../sample-events.ts';

const replay = webhook('push', {eventId: 'e2', reason: 'replay of e1', outcome: 'unavailable', status: 503});
const replayKeys: Keys = [
	['3', '─ 3 Events'],
	['r', 'Replay claimed event "push"'],
	['y', 'replaying e1'],
];

/** What is there, the keys that start something, what the core then publishes, and what is said about it. */
const cases: ReadonlyArray<{
	readonly what: string;
	readonly events: readonly GatewayEventBody[];
	readonly keys: Keys;
	readonly end: GatewayEventBody;
	readonly says: string;
	readonly doing: string;
}> = [
	{
		what: 'a replay',
		events: [webhook('push')],
		keys: replayKeys,
		end: replay,
		says: 'replay unavailable',
		doing: 'replaying',
	},
	{
		what: 'a job that runs',
		events: [job('1', {name: 'nightly'})],
		keys: [
			['6', '─ 6 Jobs'],
			['r', 'running nightly'],
		],
		end: job('1', {name: 'nightly', state: 'running'}),
		says: 'nightly running',
		doing: 'running nightly',
	},
	{
		what: 'a route that is resumed',
		events: [route('push', {state: 'paused'})],
		keys: [
			['7', '─ 7 Routes'],
			['p', 'resuming push'],
		],
		end: route('push'),
		says: 'push served',
		doing: 'resuming push',
	},
	{
		what: 'a run that is cancelled',
		events: [run('r1', {state: 'running', prompt: 'Work'})],
		keys: [
			['5', 'Work'],
			['x', 'Cancel this run?'],
			['y', 'cancelling the run'],
		],
		end: run('r1', {state: 'cancelled'}),
		says: 'run cancelled',
		doing: 'cancelling the run',
	},
	{
		what: 'a login that is started',
		events: [server('github', {state: 'needs-login', transport: 'http'})],
		keys: [
			['L', 'Log in to github'],
			['d', 'starting the login to github'],
		],
		end: login('github'),
		says: 'login to github waits for code',
		doing: 'starting the login',
	},
	{
		what: 'a login that is cancelled',
		events: [server('github', {state: 'needs-login', transport: 'http'}), login('github')],
		keys: [
			['L', 'WDJB-MJHT'],
			['x', 'cancelling the login to github'],
		],
		end: login('github', {state: 'cancelled'}),
		says: 'login to github cancelled',
		doing: 'cancelling the login',
	},
	{
		what: 'a question that is cancelled',
		events: [question('q', {fields: []})],
		keys: [
			['A', 'Which repository?'],
			['\u001B', 'Cancel'],
			['y', 'cancelling the question'],
		],
		end: {type: 'question.settled', id: 'q', kind: 'elicitation', asker: 'github', outcome: 'cancelled'},
		says: 'the question is closed',
		doing: 'cancelling the question',
	},
	{
		what: 'a call that is cancelled',
		events: [call('c')],
		keys: [
			['8', 'github/search'],
			['x', 'Cancel github/search?'],
			['y', 'cancelling github/search'],
		],
		end: finished('c', {tool: 'search', outcome: 'cancelled'}),
		says: 'github/search cancelled',
		doing: 'cancelling github/search',
	},
	{
		what: 'an uncertain call that is marked',
		events: [uncertain('u')],
		keys: [
			['2', 'github/merge'],
			['D', 'Mark github/merge as done?'],
			['y', 'marking the call'],
		],
		end: {type: 'call.resolved', callId: 'u', resolution: 'done', by: 'console:1'},
		says: 'github/merge marked as done',
		doing: 'marking the call',
	},
	{
		what: 'an uncertain call that was marked in another window before',
		events: [uncertain('u')],
		keys: [
			['2', 'github/merge'],
			['D', 'Mark github/merge as done?'],
			['y', 'marking the call'],
		],
		end: {type: 'call.resolved', callId: 'u', resolution: 'not_done', by: 'console:2'},
		says: 'too late: the call was already marked as not done by console:2',
		doing: 'marking the call',
	},
	{
		what: 'a question that was answered at a command line before',
		events: [question('q', {fields: []})],
		keys: [
			['A', 'Which repository?'],
			['\u001B', 'Cancel'],
			['y', 'cancelling the question'],
		],
		end: {type: 'question.settled', id: 'q', kind: 'elicitation', asker: 'github', outcome: 'answered', by: 'cli'},
		says: 'too late: the question was already answered by cli',
		doing: 'cancelling the question',
	},
	{
		what: 'an uncertain call that is repeated',
		events: [uncertain('u')],
		keys: [
			['2', 'github/merge'],
			['r', 'Repeat github/merge?'],
			['y', 'repeating the call'],
		],
		end: approval('1', {tool: 'merge', registeredName: 'mcp__github__merge', origin: {kind: 'dashboard'}}),
		says: 'github/merge waits for your approval',
		doing: 'repeating the call',
	},
	{
		what: 'a rule that is removed',
		events: [rules(rule('rule1'))],
		keys: [
			['R', 'github/merge'],
			['x', 'Remove the rule that allows github/merge'],
			['y', 'removing the rule'],
		],
		end: rules(),
		says: 'removed: allows github/merge',
		doing: 'removing the rule',
	},
	{
		what: 'failed deliveries that are dismissed',
		events: [route('push'), failing('push')],
		keys: [
			['7', '─ 7 Routes'],
			['x', 'Dismiss 1 failed delivery?'],
			['y', 'dismissing the failed deliveries'],
		],
		end: {type: 'delivery.cleared', id: 'failing-push', route: 'push', target: 'telegram', by: 'person'},
		says: 'the failed deliveries are dismissed',
		doing: 'dismissing the failed deliveries',
	},
];

test.each(cases)('$what says how it ended', async ({events, keys, end, says, doing}) => {
	const {dispatch, shows, hides} = await openWith(events, keys);
	await dispatch(webhook('another'));
	const elsewhere = {tool: 'merge', origin: {kind: 'dashboard'}, node: 'web-2'} as const;
	await dispatch(finished('there', elsewhere));
	await dispatch(approval('2', {...elsewhere, registeredName: 'mcp__github__merge', askedAt: 'another-node'}));
	// Nothing else that comes in is taken for the end of it.
	await shows(doing);
	await dispatch(end);
	await shows(says);
	await hides(doing);
});
