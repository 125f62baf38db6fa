import {expect, test} from 'vitest';
import {type ConnectionState} from '../../source/mcp/session/connection-state.ts';
import {connectionText} from '../../source/mcp/session/server-row.ts';
import {nextCommand, withoutKeys} from '../../source/state/next-command.ts';
import {Problem} from '../../source/util/problem.ts';
import {server} from '../tui/sample-events.ts';

const problem = new Problem('connect_failed');
const later = {problem, until: 1, reconnectsLeft: 1};
const states: readonly ConnectionState[] = [
	{kind: 'disabled'},
	{kind: 'lazy', why: 'unused'},
	{kind: 'connecting', attempt: 1, step: {kind: 'pausing', until: 1, problem}, reconnectsLeft: 1},
	{kind: 'needs-login', problem},
	{kind: 'waiting', ...later},
	{kind: 'failed', problem},
	{kind: 'stopped'},
];
const tracker = {server: 'tracker', profile: 'default'};

test.each(states)('a server that is $kind names a key in the dashboard and a command elsewhere', state => {
	const {nextAction = ''} = connectionText(state);
	const typed = nextCommand(nextAction, tracker) ?? '';
	expect(nextAction).toMatch(/\b[a-zA-Z] to [a-z]/u);
	expect(typed).not.toMatch(/\b[a-zA-Z] to [a-z]/u);
	expect(typed).toMatch(/`sluice mcp (?:enable|reconnect|login) tracker`/u);
});

test('a disabled server names the key that enables it', () => {
	expect(connectionText({kind: 'disabled'}).nextAction).toBe('x to enable');
	expect(nextCommand('x to enable', tracker)).toBe('`sluice mcp enable tracker`');
});

test('the commands are for the profile of the server, and its name is one word', () => {
	expect(nextCommand('L to log in', {server: 'my server', profile: 'work'})).toBe(
		"`sluice --profile work mcp login 'my server'`",
	);
});

test('an event without the dashboard has commands, and any other event stays as it is', () => {
	const body = server('a', {state: 'needs-login', reason: 'run `sluice mcp login a`', nextAction: 'L to log in'});
	const event = {seq: 1, time: 1, profile: 'work', ...body} as Parameters<typeof withoutKeys>[0];
	expect(withoutKeys(event)).toEqual({
		...event,
		reason: 'run `sluice --profile work mcp login a`',
		nextAction: '`sluice --profile work mcp login a`',
	});
	expect(withoutKeys(event, '/h')).toMatchObject({
		nextAction: '`sluice --home /h --profile work mcp login a`',
	});
	const other = {
		seq: 2,
		time: 1,
		profile: 'work',
		type: 'log',
		level: 'info',
		area: 'x',
		text: 'r to reconnect',
	} as const;
	expect(withoutKeys(other)).toBe(other);
});
