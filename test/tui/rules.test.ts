import {expect, test} from 'vitest';
import {type RuleRow} from '../../source/state/view-event.ts';
import {frameAfter} from './frame-after.tsx';
import {openWith} from './open-with.ts';
import {rule, rules, sampleTime, started} from './sample-events.ts';

const day = 24 * 60 * 60 * 1000;
const configured = rule('rule-3f9a1c2b', {
	source: 'config',
	server: 'files',
	tool: 'read_file',
	words: 'allows files/read_file when path is below /srv/app',
	createdAt: undefined,
	uses: 1200,
	lastUsedAt: sampleTime - day,
});
const denying = rule('rule-00000001', {
	source: 'config',
	action: 'deny',
	server: '*',
	tool: 'delete_*',
	words: 'denies delete_* of any server',
	reason: 'never from here',
	createdAt: undefined,
});

/** The frame of the rules view, and of the row that was opened there. */
function shown(rows: readonly RuleRow[], size: {readonly columns: number; readonly rows: number}, keys: string[] = []) {
	return frameAfter([started(), rules(...rows)], ['R', ...keys], size).join('\n');
}

const small = {columns: 80, rows: 24};

test('every rule is there in words, with its source and its uses, those of config.yaml first', () => {
	const frame = shown([denying, configured, rule('stored1', {scope: 'session'})], {columns: 159, rows: 50});
	expect(frame).toMatch(/Rules · 3/u);
	expect(frame).toMatch(/✖ denies delete_\* of any server +config\.yaml +never used for 30 days/u);
	expect(frame).toMatch(/✔ allows files\/read_file when path is below \/srv\/app +config\.yaml +used 1,200 times/u);
	expect(frame).toMatch(/✔ allows github\/merge with any arguments +until stop +not used yet/u);
});

test.each([
	[
		'not for 30 days',
		{uses: 3, lastUsedAt: sampleTime - 31 * day, createdAt: 0},
		/never used for 30 days, last \d{4}-/u,
	],
	['within 30 days', {uses: 1, lastUsedAt: sampleTime - 29 * day}, /used +once, last \d{4}-/u],
	['never, and older', {createdAt: sampleTime - 31 * day}, /used +never used for 30 days/u],
	['never, and newer', {createdAt: sampleTime - 29 * day}, /used +not used yet/u],
] as const)('a rule that was used %s says so', (_, change, words) => {
	expect(shown([rule('r', change)], small, ['\r'])).toMatch(words);
});

test('where the journal keeps fewer days than that, only those are spoken of', () => {
	const list = {...rules(rule('r', {createdAt: sampleTime - 40 * day})), keptDays: 7};
	expect(frameAfter([started(), list], ['R'], small).join('\n')).toContain('never used for 7 days');
});

test('rules that cannot be read say why at the top, and what follows from it', () => {
	const problem = {reason: 'config.yaml:4:7: approvals.rules[0].tol: unknown key', inForce: 'no-tool-calls'} as const;
	const list = {...rules(rule('r')), problem};
	for (const size of [{columns: 40, rows: 10}, small, {columns: 160, rows: 50}]) {
		const frame = frameAfter([started(), list], ['R'], size);
		expect(frame.findIndex(row => row.includes('rules_invalid'))).toBeLessThan(
			frame.findIndex(row => row.includes('github/merge')),
		);
	}

	expect(frameAfter([started(), list], ['R', '\r'], small).join('\n')).toMatch(
		/no tool is called until[^]+sluice doctor/u,
	);
});

test('a stored rule is removed after a yes', async () => {
	const {press, sent, shows} = await openWith(
		[rules(configured, rule('stored1'))],
		[
			['R', 'github/merge'],
			['j', '> ✔'],
			['x', 'Remove the rule that allows github/merge with any arguments?'],
		],
	);
	await press('y');
	await shows('removing the rule');
	expect(sent.at(-1)).toMatchObject({method: 'rules.revoke', params: {id: 'stored1'}});
});

test('a rule of config.yaml says that it is removed there, and x removes nothing', async () => {
	const {press, sent, shows} = await openWith([rules(configured)], [['R', 'files/read_file']]);
	await press('x');
	await shows('this rule is in config.yaml');
	await press('\r');
	await shows('in config.yaml, then sluice reload');
	expect(sent).toEqual([expect.objectContaining({method: 'rules.view', params: {}})]);
});

test('the footer offers to remove only what can be removed', () => {
	expect(shown([configured], small)).not.toContain('x remove');
	expect(shown([rule('stored1')], small)).toContain('x remove');
	const readOnly = {...small, readOnly: true};
	const frame = frameAfter([started(), rules(rule('stored1'))], ['R'], readOnly).join('\n');
	expect(frame).toContain('github/merge');
	expect(frame).not.toContain('x remove');
});

test('until the gateway has answered, the view does not say that there are none, and how to ask again', () => {
	expect(frameAfter([started()], ['R'], small).join('\n')).toContain(
		'asking the gateway … · press R to read them again',
	);
	expect(shown([], small)).toContain('no rules and no remembered approvals');
});
