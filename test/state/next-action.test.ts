import {describe, expect, test} from 'vitest';
import {type ConnectionState} from '../../source/mcp/session/connection-state.ts';
import {connectionActions} from '../../source/mcp/session/server-row.ts';
import {eventJson} from '../../source/state/event-json.ts';
import {eventLine} from '../../source/state/line.ts';
import {
	actionCommands,
	actionKeys,
	listenActions,
	type NextAction,
	problemActions,
} from '../../source/state/next-action.ts';
import {actionFor} from '../../source/tui/state/keymap.ts';
import {Problem} from '../../source/util/problem.ts';
import {type ProblemCode, problemCodes} from '../../source/util/problem-codes.ts';
import {refusedCommands} from '../helpers/remedy-commands.ts';
import {server, stamp} from '../tui/sample-events.ts';

const codes = Object.keys(problemCodes) as readonly ProblemCode[];
const states = codes
	.map(code => new Problem(code))
	.flatMap((problem): readonly ConnectionState[] => [
		{kind: 'waiting', problem, until: 1, reconnectsLeft: 1},
		{kind: 'failed', problem},
	]);
const withheld = ['HTTP_PROXY'];

describe('a thing to do about a server is a key in the dashboard and a command elsewhere', () => {
	test.each([
		['enable', 'x to enable', 'toggle-server', '`sluice mcp enable tracker`'],
		['login', 'L to log in', 'login', '`sluice mcp login tracker`'],
		['switch-to-oauth', 'L to log in', 'login', '`sluice mcp login tracker` sets `auth: oauth` and logs in'],
		['connect', 'r to connect now', 'reconnect', '`sluice mcp reconnect tracker` connects it now'],
		['try-now', 'r to try now', 'reconnect', '`sluice mcp reconnect tracker` tries now'],
		['reconnect', 'r to reconnect', 'reconnect', '`sluice mcp reconnect tracker`'],
	] as const)('%s', (kind, keys, bound, commands) => {
		const actions: readonly NextAction[] = [{kind, server: 'tracker'}];
		expect([actionKeys(actions), actionCommands(actions)]).toEqual([keys, commands]);
		expect(actionFor(['servers'], keys.split(' ', 1)[0] ?? '')).toBe(bound);
		expect(refusedCommands(commands)).toEqual([]);
	});
});

describe('a thing to do about a job is a key in the dashboard and a command elsewhere', () => {
	test.each([
		['resume-job', 'p to resume', 'pause-job', '`sluice --home /h cron resume 0123456789ab`'],
		['run-job', 'n to run it now', 'run-job', '`sluice --home /h cron run 0123456789ab` runs it now'],
	] as const)('%s', (kind, keys, bound, commands) => {
		const actions: readonly NextAction[] = [{kind, job: '0123456789ab'}];
		expect([actionKeys(actions), actionCommands(actions, {home: '/h'})]).toEqual([keys, commands]);
		expect(actionFor(['jobs'], keys.split(' ', 1)[0] ?? '')).toBe(bound);
		expect(refusedCommands(commands)).toEqual([]);
	});
});

test.each([
	['port_in_use', 'Stop the program that has the port; or set another `gateway.endpoint.port` in config.yaml'],
	[
		'listen_failed',
		'Correct `gateway.endpoint.host` in config.yaml; or set another `gateway.endpoint.port` in config.yaml',
	],
] as const)('what to do about %s is the same with keys and commands', (code, words) => {
	const actions = listenActions(new Problem(code), 'gateway.endpoint');
	expect([actionKeys(actions), actionCommands(actions)]).toEqual([words, words]);
});

test.each([
	{type: 'endpoint.state', state: 'failed', reason: 'taken'},
	{type: 'webhook.state', state: 'failed', routes: 0, reason: 'taken'},
	{type: 'cron.job', id: 'a', name: 'a', kind: 'once', schedule: 'at', state: 'finished', deliver: 'log'},
] as const)('$type carries it as data, and has it as a text in JSON and at the end of its line', body => {
	const nextActions = [{kind: 'run-job', job: 'a'}] as const;
	const [event] = stamp([{...body, nextActions}]);
	expect(JSON.parse(eventJson(event!))).toMatchObject({next_action: '`sluice cron run a` runs it now'});
	expect(eventLine(event!)).toMatch(/ \(`sluice cron run a` runs it now\)$/u);
});

test('about problems is their key or their remedy, each once', () => {
	const place = {file: 'config.yaml', line: 1, column: 1, keyPath: 'platforms.webhook.routes.a.deliver'};
	const problems = [
		new Problem('config_invalid', {place}),
		new Problem('route_without_secret', {place}),
		new Problem('route_without_secret'),
		new Problem('route_shadowed', {scope: {kind: 'route', name: 'a b'}}),
	];
	expect(actionCommands(problemActions(problems), {profile: 'work'})).toBe(
		[
			'Correct `platforms.webhook.routes.a.deliver` in config.yaml',
			problemCodes.route_without_secret.remedy,
			"Remove the subscription with `sluice --profile work webhook remove 'a b'`, or choose another name",
		].join('; '),
	);
	expect([problemActions([]), actionCommands(problemActions([]))]).toEqual([[], undefined]);
});

test.each([
	[{kind: 'disabled'}, ['enable']],
	[{kind: 'lazy', why: 'unused'}, ['connect']],
	[{kind: 'connecting', attempt: 1, step: {kind: 'trying'}, reconnectsLeft: 1}, []],
	[
		{
			kind: 'connecting',
			attempt: 1,
			step: {kind: 'pausing', until: 1, problem: new Problem('connect_failed')},
			reconnectsLeft: 1,
		},
		['pass-env', 'try-now'],
	],
	[{kind: 'needs-login', problem: new Problem('login_required')}, ['login']],
	[
		{kind: 'waiting', problem: new Problem('connect_failed'), until: 1, reconnectsLeft: 1},
		['pass-env', 'text', 'try-now'],
	],
	[{kind: 'failed', problem: new Problem('connect_failed')}, ['pass-env', 'text', 'reconnect']],
	[{kind: 'stopped'}, []],
] as const satisfies ReadonlyArray<readonly [ConnectionState, ReadonlyArray<NextAction['kind']>]>)(
	'what to do about a server in the state %o',
	(state, kinds) => {
		expect(connectionActions(state, {server: 'tracker', withheld}).map(({kind}) => kind)).toEqual(kinds);
	},
);

test('what comes last is named as such, and words stand as they are', () => {
	const actions: readonly NextAction[] = [
		{kind: 'edit', key: 'mcp_servers.a.url'},
		{kind: 'text', text: 'or ask its author'},
		{kind: 'reconnect', server: 'a'},
	];
	const first = 'Correct `mcp_servers.a.url` in config.yaml; or ask its author; then ';
	expect(actionKeys(actions)).toBe(`${first}r to reconnect`);
	expect(actionCommands(actions, {retry: 'test'})).toBe(`${first}\`sluice mcp test a\``);
	expect([actionKeys(), actionCommands(undefined)]).toEqual(['', undefined]);
});

test('the commands are for the profile and the state directory, and a name is one word', () => {
	const place = {profile: 'work', home: '/h'};
	expect(actionCommands([{kind: 'login', server: 'my server'}], place)).toBe(
		"`sluice --home /h --profile work mcp login 'my server'`",
	);
});

test('a command in the remedy of any problem is for the server, and is accepted as it is written', () => {
	const texts = states.map(state => actionCommands(connectionActions(state, {server: 'my server'})) ?? '');
	expect(texts.filter(text => text.includes('NAME'))).toEqual([]);
	expect(texts.flatMap(text => refusedCommands(text.replaceAll("'my server'", 'tracker')))).toEqual([]);
	expect(texts.filter(text => text.includes("`sluice mcp login 'my server'`"))).not.toEqual([]);
});

test('an event has the commands as a text outside the dashboard, in JSON and as a line', () => {
	const body = server('a', {
		state: 'needs-login',
		reason: 'run `sluice mcp login a`',
		nextActions: [{kind: 'login', server: 'a'}],
	});
	const [event] = stamp([body]).map(stamped => ({...stamped, profile: 'work'}));
	const {nextActions, ...json} = JSON.parse(eventJson(event!)) as Record<string, unknown>;
	expect(nextActions).toBeUndefined();
	expect(json).toMatchObject({
		reason: 'run `sluice --profile work mcp login a`',
		next_action: '`sluice --profile work mcp login a`',
	});
	expect(json).not.toHaveProperty('next_actions');
	expect(JSON.parse(eventJson(event!, '/h'))).toMatchObject({
		next_action: '`sluice --home /h --profile work mcp login a`',
	});
	// The reason of the line names it already.
	expect(eventLine(event!, '/h').split('`sluice --home /h --profile work mcp login a`')).toHaveLength(2);
});

test('words in any other event stay as they are', () => {
	const [event] = stamp([{type: 'log', level: 'info', area: 'x', text: 'r to reconnect'}]);
	expect(JSON.parse(eventJson(event!, '/h'))).toMatchObject({text: 'r to reconnect'});
});
