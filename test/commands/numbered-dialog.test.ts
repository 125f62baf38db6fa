import {PassThrough} from 'node:stream';
import {describe, expect, onTestFinished, test} from 'vitest';
import {openNumberedQuestions} from '../../source/commands/numbered/numbered-questions.ts';
import {type Command} from '../../source/state/command.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {createHall} from '../../source/state/hall.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {approval, proposal, question, settled} from '../tui/sample-events.ts';

/** A terminal that reads lines aloud, and a person who types lines. */
function openConsole(...events: readonly GatewayEventBody[]) {
	const clock = createFakeClock();
	const hall = createHall({clock, clean: event => event});
	const input = new PassThrough();
	const sent: Command[] = [];
	const said: string[] = [];
	const close = openNumberedQuestions({
		hall,
		clock,
		input,
		send: command => void sent.push(command),
		write: line => void said.push(line),
	});
	onTestFinished(close);
	const tell = (body: GatewayEventBody) => hall.publishFor('default')(body);
	events.forEach(tell);
	const type = async (...lines: readonly string[]) => {
		for (const line of lines) {
			await clock.advance(1000);
			input.write(`${line}\n`);
			await clock.settle();
		}
	};
	return {clock, sent, said, tell, type, input};
}

const answer = (verdict: object, id = '7f3a') => ({
	type: 'answer-approval',
	id,
	argumentsHash: `hash-of-${id}`,
	verdict,
	profile: 'default',
});

describe('an approval', () => {
	test('of a webhook is read out with the signature that proved its sender', () => {
		const run = {kind: 'run', runId: '1', route: 'push', deliveryId: 'd', signature: 'X-Gitlab-Token'} as const;
		const {said} = openConsole(approval('7f3a', {origin: run}));
		expect(said).toContain('Asked by run 1 · route push · signature X-Gitlab-Token · delivery d.');
	});

	test('is read out with server, trust, tool, origin, arguments and numbered answers', () => {
		const {said} = openConsole(approval('7f3a', {payloadPaths: ['title']}));
		expect(said).toEqual([
			'Permission required, request 7f3a: server github, untrusted, tool create_issue.',
			'Asked by robot.',
			'Arguments:',
			'{',
			'  "repo": "acme/app",',
			'  "title": "Broken"',
			'}',
			'Word for word from the untrusted payload: title.',
			'1 deny',
			'2 deny and say why',
			'3 allow once',
			'4 allow this tool until Sluice stops',
			'5 always allow this tool',
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
	])('%j answers %j', async (lines, verdict) => {
		const {type, sent} = openConsole(approval('7f3a'));
		await type(...lines);
		expect(sent).toEqual([answer(verdict)]);
	});

	test.each(['', 'y', '6', '33', '3 3', 'allow', '03'])('%j decides nothing', async line => {
		const {type, sent} = openConsole(approval('7f3a'));
		await type(line);
		expect(sent).toEqual([]);
	});

	test('is not decided by a line that was typed before it was asked', async () => {
		const {clock, input, sent, said} = openConsole(approval('7f3a'));
		await clock.advance(999);
		input.write('3\n');
		await clock.settle();
		expect([sent, said.at(-1)]).toEqual([[], 'Too early: that line was typed before the question. Type it again.']);
	});

	test('makes room for the next one when the core has settled it', async () => {
		const {type, tell, sent, said} = openConsole(approval('7f3a'), approval('8b1c', {tool: 'other'}));
		await type('3');
		tell(settled('7f3a'));
		expect(said.findLast(line => line.startsWith('Permission'))).toContain('tool other');
		await type('1');
		expect(sent).toEqual([answer({kind: 'approve', scope: 'once'}), answer({kind: 'deny'}, '8b1c')]);
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
	const given = (value: object) => ({type: 'answer-question', id: 'q', answer: value, profile: 'default'});

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
	expect(sent).toEqual([{type: 'answer-proposal', id: 'p', answer: value, profile: 'default'}]);
});
