import {test} from 'vitest';
import {type MethodName} from '../../../source/state/api.ts';
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

const replayKeys: Keys = [
	['3', '─ 3 Events'],
	['e', 'Replay claimed event "push"'],
	['y', 'replaying e1'],
];

const closeKeys: Keys = [
	['4', 'Triage'],
	['i', 'Dismiss this inbox item?'],
	['y', 'dismissing the inbox item'],
];

/** The rows at the start, the keys that start something, the events that the core then publishes, and the line about it. */
const cases: ReadonlyArray<{
	readonly what: string;
	readonly events: readonly GatewayEventBody[];
	readonly keys: Keys;
	/** An event that says nothing yet, but changes the outcome. */
	readonly before?: GatewayEventBody;
	readonly end?: GatewayEventBody;
	/** The method that is called, and its result or the problem it ends with. */
	readonly call?: readonly [MethodName, object];
	readonly problem?: readonly [MethodName, string];
	readonly says: string;
	readonly doing: string;
}> = [
	{
		what: 'a replay',
		events: [webhook('push')],
		keys: replayKeys,
		call: ['events.replay', {event_id: 'e2', status: 503, outcome: 'unavailable', reason: null}],
		says: 'replay unavailable',
		doing: 'replaying',
	},
	{
		what: 'a job that runs',
		events: [job('1', {name: 'nightly'})],
		keys: [
			['5', '─ 5 Jobs'],
			['n', 'running nightly'],
		],
		call: ['cron.run', {outcome: 'fired', run_id: 'r', reason: null}],
		says: 'nightly running',
		doing: 'running nightly',
	},
	{
		what: 'a route that is resumed',
		events: [route('push', {state: 'paused'})],
		keys: [
			['6', '─ 6 Routes'],
			['p', 'resuming push'],
		],
		call: ['webhook.pause', {}],
		says: 'push served',
		doing: 'resuming push',
	},
	{
		what: 'a run that is cancelled',
		events: [run('r1', {state: 'running', prompt: 'Work'})],
		keys: [
			['4', 'Work'],
			['x', 'Cancel this run?'],
			['y', 'cancelling the run'],
		],
		call: ['runs.cancel', {run_id: 'r1'}],
		says: 'run cancelled',
		doing: 'cancelling the run',
	},
	{
		what: 'an inbox item that is closed',
		events: [run('r1', {state: 'inbox', prompt: 'Triage'})],
		keys: closeKeys,
		call: ['runs.close', {run_id: 'r1'}],
		says: 'run finished',
		doing: 'dismissing the inbox item',
	},
	{
		what: 'an inbox item that was ended at another gateway before it was closed here',
		events: [run('r1', {state: 'inbox', prompt: 'Triage'})],
		keys: closeKeys,
		before: run('r1', {state: 'interrupted', reason: 'its gateway was gone'}),
		call: ['runs.close', {run_id: 'r1'}],
		says: 'run interrupted: its gateway was gone',
		doing: 'dismissing the inbox item',
	},
	{
		what: 'a login that is started',
		events: [server('github', {state: 'needs-login', transport: 'http'})],
		keys: [
			['L', 'Log in to github'],
			['a', 'starting the login to github'],
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
		call: ['mcp.login.cancel', {}],
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
		call: ['questions.answer', {answer: 'resolved', problem: null, end: null}],
		says: 'the question is closed',
		doing: 'cancelling the question',
	},
	{
		what: 'a call that is cancelled',
		events: [call('c')],
		keys: [
			['7', 'github/search'],
			['x', 'Cancel github/search?'],
			['y', 'cancelling github/search'],
		],
		call: ['calls.cancel', {}],
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
		call: ['uncertain.resolve', {answer: 'resolved', end: null}],
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
		problem: ['uncertain.resolve', 'console:1 was too late: the call u was already marked'],
		says: 'console:1 was too late: the call u was already marked',
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
		problem: ['questions.answer', 'console:1 was too late: the question was already answered by cli'],
		says: 'too late: the question was already answered by cli',
		doing: 'cancelling the question',
	},
	{
		what: 'an uncertain call that is repeated',
		events: [uncertain('u')],
		keys: [
			['2', 'github/merge'],
			['e', 'Repeat github/merge?'],
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
		call: ['rules.revoke', {answer: 'revoked'}],
		says: 'removed: allows github/merge',
		doing: 'removing the rule',
	},
	{
		what: 'failed deliveries that are dismissed',
		events: [route('push'), failing('push')],
		keys: [
			['6', '─ 6 Routes'],
			['i', 'Dismiss 1 failed delivery?'],
			['y', 'dismissing the failed deliveries'],
		],
		call: ['deliveries.dismiss', {}],
		says: 'the failed deliveries are dismissed',
		doing: 'dismissing the failed deliveries',
	},
];

test.each(cases)('$what says how it ended', async ({events, keys, before, end, call: ended, problem, says, doing}) => {
	const {dispatch, shows, hides, reply, refuse} = await openWith(events, keys);
	await dispatch(webhook('another'));
	const elsewhere = {tool: 'merge', origin: {kind: 'dashboard'}, node: 'web-2'} as const;
	await dispatch(finished('there', elsewhere));
	await dispatch(approval('2', {...elsewhere, registeredName: 'mcp__github__merge', askedAt: 'another-node'}));
	if (before) {
		await dispatch(before);
	}

	// Nothing else that comes in is taken for the end of it.
	await shows(doing);
	if (end) {
		await dispatch(end);
	} else if (ended) {
		// The table has the result of each method beside its name.
		await reply(ended[0], ended[1] as never);
	} else if (problem) {
		await refuse(...problem);
	}

	await shows(says);
	await hides(doing);
});
