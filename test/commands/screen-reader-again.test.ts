import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {approval, log, proposal} from '../tui/sample-events.ts';
import {openConsole} from './open-screen-reader-console.ts';

const held = {since: 0, by: 'cli', reason: '', hash: 'hash-of-hold'};
const risky = approval('7f3a', {
	hints: {destructiveHint: true},
	origin: {kind: 'run', runId: '1', route: 'push', deliveryId: 'd'},
});

const askedAgain: ReadonlyArray<readonly [string, GatewayEventBody, string, string]> = [
	['a call allowed once', risky, '3', 'Nothing was allowed.'],
	['a tool allowed for a run', risky, '7', 'Nothing was allowed.'],
	['a tool allowed until stop', risky, '4', 'Nothing was allowed.'],
	['an install', proposal('p', {warnings: ['it reads your files']}), '3', 'Nothing was installed.'],
	['a release', {type: 'hold.state', held, waiting: 2}, '1', 'Nothing was released.'],
];

test.each(askedAgain)(
	'the same number again counts for 5 s, then it is a first one (%s)',
	async (_, event, number, nothing) => {
		const {type, clock, printed, sent} = openConsole(event);
		await type(number);
		expect(printed.at(-1)).toMatch(new RegExp(`^.*Type ${number} again within 5 s to .*; anything else goes back\\.$`));
		await clock.advance(4999);
		expect(printed).not.toContain('5 s passed.');
		await clock.advance(1);
		expect(printed[printed.indexOf('5 s passed.') + 1]).toBe(nothing);
		expect(printed.at(-1)).toBe('Type a number and press Enter.');
		await type(number);
		expect(sent).toEqual([]);
		await type(number);
		expect(sent).toHaveLength(1);
		await clock.advance(60_000);
		expect(printed.filter(line => line === '5 s passed.')).toHaveLength(1);
	},
);

test.each(askedAgain)(
	'another line ends that time, and other lines do not lengthen it (%s)',
	async (...[, event, number]) => {
		const {type, clock, printed, sent, report} = openConsole(event);
		await type(number, 'no');
		await clock.advance(60_000);
		expect(printed).not.toContain('5 s passed.');
		await type(number);
		report(log('something else'));
		await clock.advance(4000);
		report(log('and more'));
		await clock.advance(1000);
		expect(printed).toContain('5 s passed.');
		await type(number);
		expect(sent).toEqual([]);
	},
);

const rule: GatewayEventBody = {
	type: 'view.rule-proposal',
	id: '7f3a',
	arguments: [],
	outcome: {kind: 'rule', words: 'allows github/create_issue', hash: 'rule'},
};

test.each<[string, (opened: ReturnType<typeof openConsole>) => Promise<void>, string, object]>([
	['always', async () => undefined, '5', {method: 'approvals.allow', params: {scope: 'always'}}],
	[
		'a rule',
		async ({type, report}) => {
			await type('8');
			report(rule);
		},
		'2',
		{method: 'rules.store', params: {rule_hash: 'rule'}},
	],
])('a question whose own words are new to the listener counts for 60 s (%s)', async (...[, open, number, stored]) => {
	const opened = openConsole(approval('7f3a'));
	const {type, clock, printed, sent} = opened;
	await open(opened);
	const before = sent.length;
	await type(number);
	expect(printed.at(-1)).toBe(`Type ${number} again within 60 s to store it; anything else goes back.`);
	await clock.advance(59_999);
	expect(printed).not.toContain('60 s passed.');
	await clock.advance(1);
	expect(printed[printed.indexOf('60 s passed.') + 1]).toBe('Nothing was stored.');
	await type(number);
	expect(sent).toHaveLength(before);
	await clock.advance(50_000);
	await type(number);
	expect(sent.slice(before)).toMatchObject([stored]);
});
