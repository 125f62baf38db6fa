import {describe, expect, test} from 'vitest';
import {type Keys, openWith} from './open-with.ts';
import {inProfile, server, tool, tools, webhook} from './sample-events.ts';

describe('in a gateway of several profiles', () => {
	const both = [server('a'), inProfile('work', server('a')), inProfile('work', server('b'))];
	const palette = (typed: string): Keys => [
		[':', 'reload-mcp'],
		[typed, typed],
	];
	const down: Keys = [['j', '> work']];
	const cases: ReadonlyArray<readonly [name: string, keys: Keys, last: string, sent: object]> = [
		[
			':tools asks the profile of the picked row',
			[...down, ...palette('tools')],
			'\r',
			{method: 'mcp.view-tools', params: {}, profile: 'work'},
		],
		[':rules too', [...down, ...palette('rules')], '\r', {method: 'rules.view', params: {}, profile: 'work'}],
		[
			':run too',
			[...down, ...palette('run Look')],
			'\r',
			{method: 'runs.start', params: {prompt: 'Look'}, profile: 'work'},
		],
		[
			':new-run too, and says so',
			[...down, ...palette('new-run'), ['\r', 'run in work:'], ['Look', 'Look']],
			'\r',
			{method: 'runs.start', params: {prompt: 'Look'}, profile: 'work'},
		],
		[
			'a command about a server means the one of that profile',
			[...down, ...palette('reconnect a')],
			'\r',
			{method: 'mcp.reconnect', params: {server: 'a'}, profile: 'work'},
		],
		[
			'a command can name the profile',
			palette('reconnect work/a'),
			'\r',
			{method: 'mcp.reconnect', params: {server: 'a'}, profile: 'work'},
		],
		[
			'a name that only one has needs none',
			palette('tools b'),
			'\r',
			{method: 'mcp.view-tools', params: {server: 'b'}, profile: 'work'},
		],
		[
			'the newest event picks none',
			[['3', '─ 3 Events'], ...palette('run Look')],
			'\r',
			{method: 'runs.start', params: {prompt: 'Look'}},
		],
	];
	const rows = cases.map(([name, keys, last, sent]) => ({name, keys, last, sent}));
	test.each(rows)('$name', async ({keys, last, sent}) => {
		const dashboard = await openWith([...both, inProfile('work', webhook('push'))], keys);
		await dashboard.press(last);
		expect(dashboard.sent).toEqual([sent]);
	});

	test('a command about a server that several profiles have sends nothing where none of them is picked', async () => {
		const {press, sent, shows} = await openWith(both, [['3', '─ 3 Events'], ...palette('reconnect a')]);
		await press('\r');
		await shows('several profiles have it: default/a, work/a');
		expect(sent).toEqual([]);
	});

	test('the tools of a profile are titled with it', async () => {
		await openWith(
			[...both, inProfile('work', tools(tool('find')))],
			[...palette('tools'), ['\r', 'Tools · work · 1']],
		);
	});
});
