import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {type MethodName} from '../../source/state/api.ts';
import {type Keys, openWith, over} from './open-with.ts';
import {approval, run, server, webhook} from './sample-events.ts';

/** Everything that is read from the gateway: the events before, the keys that open it, and the method. */
const reads: ReadonlyArray<
	readonly [name: string, events: readonly GatewayEventBody[], keys: Keys, last: string, method: MethodName]
> = [
	['the trace of a run', [over], [['4', 'Work']], '\r', 'traces.view'],
	['the page of a server', [server('a')], [], '\r', 'mcp.view'],
	['the stderr of a server', [server('a')], [], 'l', 'mcp.view-log'],
	['the tools of a server', [server('a')], [], 't', 'mcp.view-tools'],
	['the calls of a server', [server('a')], [], 'C', 'mcp.view-calls'],
	['the rules', [], [], 'R', 'rules.view'],
	['a dry run', [webhook('push')], [['3', '─ 3 Events']], 'v', 'events.dry-run'],
];

const rows = reads.map(([name, events, keys, last, method]) => ({name, events, keys, last, method}));

describe('where the gateway refuses to read', () => {
	test.each(rows)('$name, its reason is shown in place of it', async ({events, keys, last, method}) => {
		const {press, shows, hides, refuse} = await openWith(events, keys);
		await press(last);
		await shows('asking the gateway');
		await refuse(method, 'the disk of the journal is full');
		await shows('refused: the disk of the journal is full');
		await hides('asking the gateway');
	});

	test('the rule for a request, its reason is shown in place of it', async () => {
		const {press, ready, shows, hides, refuse} = await openWith([approval('1')], [['A', 'all shown']]);
		await ready();
		await press('p');
		await shows('asking the gateway');
		await refuse('rules.propose', 'the disk of the journal is full');
		await shows('refused: the disk of the journal is full');
		await hides('asking the gateway');
	});

	test('another page does not show the reason', async () => {
		const runs = [run('r1', {state: 'finished', prompt: 'One'}), run('r2', {state: 'finished', prompt: 'Two'})];
		const {press, shows, hides, refuse, sent} = await openWith(runs, [['4', 'One']]);
		await press('\r');
		await refuse('traces.view', 'the disk of the journal is full');
		await shows('refused: the disk of the journal is full');
		await press('\u001B');
		await shows('Two');
		await press('k');
		await press('\r');
		await shows('asking the gateway');
		await hides('refused: the disk of the journal is full');
		expect(sent).toHaveLength(2);
	});

	test('the reason goes when it is asked for again', async () => {
		const {press, shows, hides, refuse} = await openWith([server('a')], []);
		await press('R');
		await refuse('rules.view', 'the disk of the journal is full');
		await shows('refused: the disk of the journal is full · press R to read them again');
		await press('R');
		await shows('asking the gateway');
		await hides('refused:');
	});
});
