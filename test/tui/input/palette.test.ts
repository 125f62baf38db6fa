import {expect, test} from 'vitest';
import {parseCommand, suggestedCommands} from '../../../source/tui/input/palette.ts';
import {inProfile, server, snapshotOf} from '../sample-events.ts';

test.each([
	['reload-mcp', {kind: 'reload'}],
	['/reload-mcp', {kind: 'reload'}],
	[' :reload-mcp ', {kind: 'reload'}],
	['reconnect github', {kind: 'reconnect', argument: 'github'}],
	['/disable github', {kind: 'disable', argument: 'github'}],
	['quit', {kind: 'action', action: 'quit'}],
	['events', {kind: 'action', action: 'view-events'}],
	['reconnect', {kind: 'unknown', text: 'reconnect'}],
	['constructor', {kind: 'unknown', text: 'constructor'}],
	['fly', {kind: 'unknown', text: 'fly'}],
	['hold', {kind: 'hold', argument: ''}],
	[':hold it looks odd', {kind: 'hold', argument: 'it looks odd'}],
	['/unhold', {kind: 'unhold'}],
	['unhold now', {kind: 'unknown', text: 'unhold now'}],
])('%j means %j', (typed, meaning) => {
	expect(parseCommand(typed)).toEqual(meaning);
});

test('servers are completed by name', () => {
	expect(suggestedCommands('', {snapshot: snapshotOf([server('github')]), readOnly: false})).toContain(
		'reconnect github',
	);
});

test('a server that several profiles have is completed with its profile', () => {
	const servers = [server('a'), server('b'), inProfile('work', server('a'))];
	expect(
		suggestedCommands('', {snapshot: snapshotOf(servers), readOnly: false}).filter(command =>
			command.startsWith('login '),
		),
	).toEqual(['login b', 'login default/a', 'login work/a']);
});

test('completions begin with the slash that was typed', () => {
	expect(suggestedCommands('/rel', {snapshot: snapshotOf([]), readOnly: false})).toContain('/reload-mcp');
});
