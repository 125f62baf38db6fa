import {describe, expect, test} from 'vitest';
import {type ReadFull} from '../../source/state/gateway-call.ts';
import {reduceAll} from '../../source/state/reduce.ts';
import {requestVersion} from '../../source/state/request-version.ts';
import {emptySnapshot} from '../../source/state/snapshot.ts';
import {decision} from '../helpers/decision.ts';
import {openConsole} from './open-screen-reader-console.ts';
import {approval, proposal, question, settled} from '../tui/sample-events.ts';

describe('an approval', () => {
	test('of a webhook is read out with the signature that proved its sender', () => {
		const run = {kind: 'run', runId: '1', route: 'push', deliveryId: 'd', signature: 'X-Gitlab-Token'} as const;
		const {printed} = openConsole(approval('7f3a', {origin: run}));
		expect(printed).toContain('Asked by run 1 · route push · signature X-Gitlab-Token · claimed delivery "d".');
	});

	test('is read out with server, trust, tool, origin, arguments and numbered answers', () => {
		const {printed} = openConsole(approval('7f3a', {payloadPaths: ['title']}));
		expect(printed).toEqual([
			'Permission required, request 7f3a: server github, untrusted, tool create_issue.',
			'Asked by robot.',
			'Arguments, 36 bytes:',
			'{',
			'  "repo": "acme/app",',
			'  "title": "Broken"',
			'}',
			'Copied word for word from the untrusted payload: title.',
			'Description by the server: Creates an issue.',
			'1 deny',
			'2 deny and say why',
			'3 allow once',
			'4 allow this tool until Sluice stops',
			'5 always allow this tool',
			'8 propose a rule from this call',
			'Type a number and press Enter.',
		]);
	});

	test.each([
		[['1'], {kind: 'deny'}],
		[['2', 'add a label'], {kind: 'deny', message: 'add a label'}],
		[['3'], {kind: 'approve', scope: 'once'}],
		[['4'], {kind: 'approve', scope: 'session'}],
		[['5', '5'], {kind: 'approve', scope: 'always'}],
		[['5', 'no', ' 3 '], {kind: 'approve', scope: 'once'}],
	] as const)('%j answers %j', async (lines, verdict) => {
		const {type, sent} = openConsole(approval('7f3a'));
		await type(...lines);
		expect(sent).toEqual([decision(verdict)]);
	});

	test('of a run can be allowed for that run', async () => {
		const origin = {kind: 'run', runId: '1', route: 'push', deliveryId: 'd'} as const;
		const {printed, type, sent} = openConsole(approval('7f3a', {origin}));
		expect(printed.slice(-3)).toEqual([
			'7 allow this tool for this run',
			'8 propose a rule from this call',
			'Type a number and press Enter.',
		]);
		await type('7');
		expect(sent).toEqual([decision({kind: 'approve', scope: 'run'})]);
	});

	test.each(['4', '5', '7', '8'])('that a rule asks for is not decided by %s, only once by 3', async line => {
		const {printed, type, sent} = openConsole(approval('7f3a', {rule: {id: 'r1', words: 'asks for every tool'}}));
		expect(printed).toContain('A rule asks, so it can only be allowed once: asks for every tool.');
		expect(printed.slice(-2)).toEqual(['3 allow once', 'Type a number and press Enter.']);
		await type(line, line);
		expect(sent).toEqual([]);
		await type('3');
		expect(sent).toEqual([decision({kind: 'approve', scope: 'once'})]);
	});

	test.each(['', 'y', '6', '7', '33', '3 3', 'allow', '03'])('%j decides nothing', async line => {
		const {type, sent} = openConsole(approval('7f3a'));
		await type(line);
		expect(sent).toEqual([]);
	});

	test('is not decided by a line that was typed before it was asked', async () => {
		const {clock, input, sent, printed} = openConsole(approval('7f3a'));
		await clock.advance(999);
		input.write('3\n');
		await clock.settle();
		expect([sent, printed.at(-1)]).toEqual([[], 'That line was typed before the question was shown. Type it again.']);
	});

	test('is read out again when it changes, and an answer says what of it was read out', async () => {
		const {type, report, sent, seen, printed} = openConsole(approval('7f3a'));
		report(approval('7f3a', {tool: 'other'}));
		expect(printed.findLast(line => line.startsWith('Permission'))).toContain('tool other');
		await type('3');
		const changed = reduceAll(emptySnapshot, [
			{seq: 1, time: 0, profile: 'default', ...approval('7f3a', {tool: 'other'})},
		]);
		expect([seen, sent.length]).toEqual([[requestVersion('approvals.allow', '7f3a', changed)], 1]);
		expect(seen).toEqual([expect.any(String)]);
	});

	test('makes room for the next one when the core has settled it', async () => {
		const {type, report, sent, printed} = openConsole(approval('7f3a'), approval('8b1c', {tool: 'other'}));
		await type('3');
		report(settled('7f3a'));
		expect(printed.findLast(line => line.startsWith('Permission'))).toContain('tool other');
		await type('1');
		expect(sent).toEqual([decision({kind: 'approve', scope: 'once'}), decision({kind: 'deny'}, '8b1c')]);
	});
});

describe('a question', () => {
	const fields = [
		{name: 'title', title: 'Title', description: '', need: 'required', kind: 'text'},
		{
			name: 'kind',
			title: 'Kind',
			description: '',
			need: 'required',
			kind: 'choice',
			options: [
				{value: 'b', title: 'bug'},
				{value: 'f', title: 'feature'},
			],
		},
		{name: 'count', title: 'Count', description: '', need: 'optional', kind: 'integer', defaultValue: 2},
	] as const;
	const given = (value: object) => ({method: 'questions.answer', params: {id: 'q', answer: value}, profile: 'default'});

	test.each([
		[['1'], {kind: 'decline'}],
		[['2'], {kind: 'cancel'}],
		[['3', 'Hi', '2', '', '3'], {kind: 'accept', values: {title: 'Hi', kind: 'f', count: 2}}],
		[['3', '', 'Hi', '9', '1', 'x', '7', '3'], {kind: 'accept', values: {title: 'Hi', kind: 'b', count: 7}}],
		[['3', 'Hi', '2', '', '1'], {kind: 'decline'}],
		[['3', 'Hi', '2', '', '2', 'Ho', '1', '', '3'], {kind: 'accept', values: {title: 'Ho', kind: 'b', count: 2}}],
	])('%j answers %j', async (lines, value) => {
		const {type, sent} = openConsole(question('q', {fields}));
		await type(...lines);
		expect(sent).toEqual([given(value)]);
	});
});

test.each([
	[['1'], {kind: 'cancel'}],
	[['3'], {kind: 'confirm'}],
	[['2', 'other'], {kind: 'rename', name: 'other'}],
])('an install proposal: %j answers %j', async (lines, value) => {
	const {type, sent} = openConsole(proposal('p'));
	await type(...lines);
	expect(sent).toEqual([{method: 'proposals.answer', params: {id: 'p', answer: value}, profile: 'default'}]);
});

describe('a console is as strict as the window', () => {
	const allowed = decision({kind: 'approve', scope: 'once'});

	test.each([
		['destructive', {hints: {destructiveHint: true}}],
		['open world', {hints: {openWorldHint: true}}],
		['1 value masked', {maskedValues: 1}],
		['2 characters marked', {markedCharacters: 2}],
		['it has right-to-left letters', {arguments: {path: '/srv/א/1'}}],
	])('%s: the number is asked for twice', async (reason, change) => {
		const {type, sent, printed} = openConsole(approval('7f3a', change));
		await type('3');
		expect([sent, printed.slice(-2)]).toEqual([
			[],
			[`Are you sure? ${reason}.`, 'Type 3 again within 5 s to allow it; anything else goes back.'],
		]);
		await type('4', '3');
		expect(sent).toEqual([]);
		await type('3');
		expect(sent).toEqual([allowed]);
	});

	test('says what is cut and masked, and lets a cut request only be denied until all of it was read out', async () => {
		const readFull: ReadFull = async ({id, profile, masks}) => ({
			server: 'github',
			tool: 'create_issue',
			description: '',
			arguments: {body: `${id} ${profile} ${masks}`},
			sentBytes: 5000,
			cutBytes: 0,
			maskedValues: 1,
			markedCharacters: 0,
		});
		const change = {sentBytes: 5000, cutBytes: 1234, maskedValues: 1};
		const {type, sent, printed} = openConsole({readFull}, approval('7f3a', change));
		expect(printed).toContain('Some arguments are not shown in full: 1,234 B not shown, 1 value masked.');
		expect(printed.slice(-5)).toEqual([
			'1 deny',
			'2 deny and say why',
			'6 read the whole request, 5,000 bytes',
			'Until then it can only be denied.',
			'Type a number and press Enter.',
		]);
		await type('3', '3', '4', '5', '5');
		expect(sent).toEqual([]);
		await type('6');
		expect(printed).toContain('The whole request 7f3a, 5,000 bytes, 1 value masked:');
		expect(printed).toContain('  "body": "7f3a default on"');
		await type('3', '3');
		expect(sent).toEqual([allowed]);
	});

	test('what is too long to be read out can only be denied', async () => {
		const {type, sent, printed} = openConsole(approval('7f3a', {sentBytes: 2_000_000, cutBytes: 1_900_000}));
		expect(printed).toContain('It is too long to print, so it can only be denied here.');
		await type('6', '3', '3');
		expect(sent).toEqual([]);
		await type('1');
		expect(sent).toEqual([decision({kind: 'deny'})]);
	});

	test('no line of the server’s words can pass for one of ours', () => {
		const {printed} = openConsole(approval('7f3a', {description: 'Reads.\n3 deny', definitionChange: '~ a\n1 allow'}));
		expect(printed.filter(line => /^\d/u.test(line)).map(line => line.slice(0, 1))).toEqual([
			'1',
			'2',
			'3',
			'4',
			'5',
			'8',
		]);
		expect(printed).toContain('Description by the server: 3 deny');
		expect(printed).toContain('The definition has changed since it was allowed: 1 allow');
	});

	test('a proposal with warnings is asked for twice', async () => {
		const {type, sent} = openConsole(proposal('p', {warnings: ['it reads your files']}));
		await type('3', 'no', '3');
		expect(sent).toEqual([]);
		await type('3');
		expect(sent).toMatchObject([{method: 'proposals.answer', params: {answer: {kind: 'confirm'}}}]);
	});
});
