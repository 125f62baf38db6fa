import {describe, expect, test} from 'vitest';
import {allowApproval, requestLines} from '../../../source/commands/approvals/allow-approval.ts';
import {approvalLines, approvalStep} from '../../../source/commands/approvals/screen-reader-approval.ts';
import {fullApprovalToJson} from '../../../source/control/decision-wire.ts';
import {
	type ApprovalRequest,
	type ApprovalScope,
	approvalScopes,
	type FullRequest,
} from '../../../source/state/approval-event.ts';
import {decisionChoices, secondQuestion} from '../../../source/state/decision.ts';
import {type ApprovalRow} from '../../../source/state/snapshot.ts';
import {cardPage} from '../../../source/tui/approval/card-page.ts';
import {reviewLayout} from '../../../source/tui/approval/review-layout.ts';
import {scopesOf} from '../../../source/tui/input/modes.ts';
import {approve, showAlways} from '../../../source/tui/input/review-actions.ts';
import {showProposedRule} from '../../../source/tui/input/rule-page-actions.ts';
import {actionFor} from '../../../source/tui/state/keymap.ts';
import {openReview} from '../../../source/tui/state/review.ts';
import {initialUiState} from '../../../source/tui/state/ui-state.ts';
import {type Line} from '../../../source/tui/text/span.ts';
import {connectTo, startControl} from '../../control/control-fixture.ts';
import {approval, sampleTime, snapshotOf} from '../../tui/sample-events.ts';
import {openContext} from '../command-fixture.ts';

/** The answer of a renderer to the choice to allow: nothing is asked, `a reason`, the page of a stored rule, or no such choice. */
type Asked = string;

type Renderer = {
	readonly text: (card: ApprovalRow) => string;
	/** `read`: all of the request was shown by this renderer, in the form for requests that are cut. */
	readonly asks: (card: ApprovalRow, scope: ApprovalScope, read: 'published' | FullRequest) => Promise<Asked>;
};

const textOf = (line: Line) => line.map(({text}) => text).join('');

const size = {columns: 118, rows: 70};

function reviewed(card: ApprovalRow, read: 'published' | FullRequest) {
	const review = openReview(card);
	const full = {...review.full, reading: read === 'published' ? 'unread' : 'read'} as const;
	const snapshot = {...snapshotOf([]), approvals: [card]};
	return {
		ui: {...initialUiState, size, mode: {...review, seenLines: 10_000, full}},
		context: {snapshot, readOnly: false},
	};
}

const ofCard: Renderer = {
	text(card) {
		const about = {
			place: '1 of 1',
			width: size.columns,
			now: sampleTime,
			readOnly: false,
			sent: 'at-once',
			messages: [],
		} as const;
		const review = {...openReview(card), seenLines: 10_000};
		return cardPage({card, review, layout: reviewLayout(card, size, review.form), ...about})
			.map(textOf)
			.join('\n');
	},
	async asks(card, scope, read) {
		const {ui, context} = reviewed(card, read);
		if (scope === 'always') {
			const isOffered = scopesOf(ui, context).includes('approve-longer');
			const {mode} = showAlways(ui, context).ui;
			return isOffered && mode.kind === 'review' && mode.page === 'always' ? 'stored-rule' : 'not offered';
		}

		const {ui: after, calls} = approve(ui, scope, context);
		const hint = after.mode.kind === 'review' ? after.mode.hint : '';
		return calls.length > 0 ? 'none' : (/^press . again: (.*)$/u.exec(hint)?.[1] ?? 'not offered');
	},
};

const ofScreenReader: Renderer = {
	text: card => approvalLines({kind: 'approval', id: card.id, page: 'choose', read: 'card'}, card).join('\n'),
	async asks(card, scope, read) {
		const number = {once: '3', run: '7', session: '4', always: '5'}[scope];
		const dialog = {
			kind: 'approval',
			id: card.id,
			page: 'choose',
			read: read === 'published' ? 'card' : 'whole',
		} as const;
		const {lines, calls} = approvalStep(dialog, number, {request: card, whole: undefined});
		const [first = ''] = lines;
		return calls.length > 0
			? 'none'
			: first.startsWith('This stores a rule')
				? 'stored-rule'
				: (/^Are you sure\? (.*)\.$/u.exec(first)?.[1] ?? 'not offered');
	},
};

const ofCommand: Renderer = {
	text: card => requestLines(fullApprovalToJson(card, undefined)).join('\n'),
	async asks(card, scope, read) {
		const request = fullApprovalToJson(card, read === 'published' ? undefined : read);
		const sent: unknown[] = [];
		const {path} = await startControl({
			'approvals.show': () => ({request, end: null}),
			'approvals.allow'(params) {
				sent.push(params);
				return {answer: 'resolved', end: null};
			},
		});
		const client = await connectTo(path);
		const {context, stderr} = openContext({answer: 'yes'});
		await allowApproval(context, client, {id: card.id, scope}).catch(() => 2);
		client.close();
		if (sent.length === 0) {
			return 'not offered';
		}

		expect(sent).toEqual([{id: card.id, scope, arguments_hash: request.review_hash}]);
		// The word that is typed is the first of the two answers that `always` needs.
		const reasons = /Are you sure\? (.*?)\.(?:Allowed|$)/u.exec(stderr())?.[1];
		return scope === 'always' && /, always\?/u.test(stderr()) ? 'stored-rule' : (reasons ?? 'none');
	},
};

const renderers = [
	['card', ofCard],
	['screen reader', ofScreenReader],
	['command', ofCommand],
] as const;

/** Each fact as the card, the screen reader and the command word it. */
const wordings = {
	server: ['github', 'server github', 'server: github'],
	tool: ['create_issue', 'tool create_issue', 'tool: create_issue'],
	untrusted: ['UNTRUSTED', ', untrusted,', 'server untrusted'],
	trusted: ['   trusted', ', trusted,', 'server full'],
	origin: ['robot', 'robot.', 'from: robot'],
	run: ['route push', 'route push', 'route push'],
	node: ['node web-2', 'node web-2', 'node: web-2'],
	argument: ['"title"', '"title"', '"title"'],
	destructive: ['hints   destructive', 'marks this as destructive', 'marks this as destructive'],
	openWorld: ['open world', 'reaches other systems', 'reaches other systems'],
	cut: ['1,234 B not shown', '1,234 B not shown', '1,234 B not shown'],
	masked: ['2 values masked', '2 values masked', '2 values masked'],
	marked: ['3 characters marked', '3 characters marked', '3 characters marked'],
	payload: ['in the payload', 'untrusted payload: title.', 'untrusted payload: title'],
	rule: [
		'asks for every tool',
		'only be allowed once: asks for every tool.',
		'only be allowed once: asks for every tool',
	],
	change: ['~ it changed', 'was allowed: ~ it changed', 'was allowed: ~ it changed'],
	description: ['Creates an issue.', 'server: Creates an issue.', 'server: Creates an issue.'],
} as const satisfies Readonly<Record<string, readonly [string, string, string]>>;

type Fact = keyof typeof wordings;

const usual = ['server', 'tool', 'untrusted', 'origin', 'argument', 'description'] as const satisfies readonly Fact[];
const without = (...left: readonly Fact[]) => usual.filter(fact => !left.includes(fact));
const ofRun = {kind: 'run', runId: '1', route: 'push', deliveryId: 'd'} as const;

const requests: ReadonlyArray<readonly [title: string, change: Partial<ApprovalRequest>, facts: readonly Fact[]]> = [
	['a usual call', {}, usual],
	['a call of a trusted server', {trust: 'full'}, [...without('untrusted'), 'trusted']],
	['a call of a run', {origin: ofRun}, [...without('origin'), 'run']],
	['a call at another node', {node: 'web-2', askedAt: 'another-node'}, [...usual, 'node']],
	['a destructive call', {hints: {destructiveHint: true}}, [...usual, 'destructive']],
	['a call that reaches other systems', {hints: {openWorldHint: true}}, [...usual, 'openWorld']],
	['a harmless call', {hints: {readOnlyHint: true, destructiveHint: false, openWorldHint: false}}, usual],
	['arguments that are cut', {cutBytes: 1234}, [...usual, 'cut']],
	['masked values', {maskedValues: 2}, [...usual, 'masked']],
	['marked characters', {markedCharacters: 3}, [...usual, 'marked']],
	['letters that run right to left', {arguments: {title: 'א'}}, usual],
	['values of the payload', {payloadPaths: ['title']}, [...usual, 'payload']],
	[
		'a rule that asks',
		{origin: ofRun, rule: {id: 'r', words: 'asks for every tool'}},
		[...without('origin'), 'run', 'rule'],
	],
	['a changed definition', {definitionChange: '~ it changed'}, [...usual, 'change']],
	['no description', {description: ''}, without('description')],
	[
		'all at once',
		{
			hints: {destructiveHint: true, openWorldHint: true},
			maskedValues: 2,
			markedCharacters: 3,
			payloadPaths: ['title'],
		},
		[...usual, 'destructive', 'openWorld', 'masked', 'marked', 'payload'],
	],
];

function cardOf(change: Partial<ApprovalRequest>): ApprovalRow {
	return snapshotOf([approval('7f3a', change)]).approvals[0] ?? expect.fail('no card');
}

describe('card, screen reader and command agree about', () => {
	test.each(requests)('the facts of %s', (_, change, facts) => {
		const card = cardOf(change);
		for (const [index, [name, {text}]] of renderers.entries()) {
			const shown = text(card);
			const found = Object.entries(wordings).filter(([, words]) => shown.includes(words[index] ?? ''));
			expect([name, found.map(([fact]) => fact).toSorted()]).toEqual([name, facts.toSorted()]);
		}
	});

	test.each(requests)('the choices and second questions of %s', async (_, change) => {
		const card = cardOf({...change, cutBytes: 0});
		const {scopes} = decisionChoices(card, 'read');
		for (const scope of approvalScopes) {
			const question = secondQuestion(card, scope);
			const expected = !scopes.includes(scope)
				? 'not offered'
				: question.kind === 'again'
					? question.reasons
					: question.kind;
			for (const [name, {asks}] of renderers) {
				expect([name, scope, await asks(card, scope, 'published')]).toEqual([name, scope, expected]);
			}
		}
	});

	const whole: FullRequest = {...cardOf({}), cutBytes: 0};

	test.each([
		['arguments that are cut', {cutBytes: 1234}, 'read'],
		['a name that is cut', {tool: 'create_issue‹12 more›'}, 'read'],
		['arguments that are cut even as a whole', {cutBytes: 1234}, 'cut'],
	] as const)('%s: nothing is allowed before all of it was shown', async (_, change, reading) => {
		const card = cardOf(change);
		expect([
			await ofCard.asks(card, 'once', 'published'),
			await ofScreenReader.asks(card, 'once', 'published'),
		]).toEqual(['not offered', 'not offered']);
		const given = reading === 'read' ? whole : {...whole, cutBytes: 9};
		expect(await ofCommand.asks(card, 'once', given)).toBe(reading === 'read' ? 'none' : 'not offered');
		const dialog = {kind: 'approval', id: card.id, page: 'choose', read: 'card'} as const;
		const step = approvalStep(dialog, '6', {request: card, whole: given});
		expect(step.lines.includes('3 allow once')).toBe(reading === 'read');
		expect(step.lines.includes('Tool create_issue.')).toBe('tool' in change);
		if (reading === 'read') {
			expect([await ofCard.asks(card, 'once', whole), await ofScreenReader.asks(card, 'once', whole)]).toEqual([
				'none',
				'none',
			]);
		}
	});

	test.each([
		['a usual call', {}, 'here'],
		['a request for the model', {kind: 'sampling'}, 'none'],
		['a call that a rule asks about', {rule: {id: 'r', words: 'asks'}}, 'none'],
		['a call at another node', {node: 'web-2', askedAt: 'another-node'}, 'elsewhere'],
	] as const)('the rule that may be made from %s', (_, change, expected) => {
		const card = cardOf(change);
		expect(decisionChoices(card, 'read').rule.kind).toBe(expected);
		const {ui, context} = reviewed(card, 'published');
		const dialog = {kind: 'approval', id: card.id, page: 'choose', read: 'card'} as const;
		const {calls: typed} = approvalStep(dialog, '8', {request: card, whole: undefined});
		const {calls: pressed} = showProposedRule(ui, context);
		expect([typed.map(({method}) => method), pressed.map(({method}) => method)]).toEqual(
			expected === 'here' ? [['rules.propose'], ['rules.propose']] : [[], []],
		);
		expect([ofCard.text(card), ofScreenReader.text(card)].map(text => text.includes('only at web-2'))).toEqual(
			expected === 'elsewhere' ? [true, true] : [false, false],
		);
	});

	test('a request for the model is no call of a tool, and a longer approval covers its requests', async () => {
		const card = cardOf({kind: 'sampling', tool: 'sampling'});
		expect(ofCard.text(card)).toContain('an answer of your model');
		expect(ofScreenReader.text(card)).toContain('an answer of your model');
		expect(ofCommand.text(card)).toContain('the server wants an answer of your model');
		expect(ofCard.text(card)).toContain('Allow its requests until Sluice stops');
		expect(ofScreenReader.text(card)).toContain('4 allow its requests until Sluice stops');
	});
});

test.each([
	['once-or-this-command', {a: true, s: false, w: false, p: true}],
	['once-or-rule', {a: true, s: false, w: false, p: true}],
	['once', {a: true, s: false, w: false, p: false}],
	['nothing', {a: false, s: false, w: false, p: false}],
	[undefined, {a: true, s: true, w: true, p: true}],
] as const)(
	'a request that grants %s has the keys of just that on its card, in its words and its keys',
	(grants, keys) => {
		const {ui, context} = reviewed(cardOf(grants ? {grants} : {}), 'published');
		const scopes = scopesOf(ui, context);
		const found = Object.keys(keys).map(key => [key, actionFor(scopes, key) !== undefined]);
		expect(Object.fromEntries(found)).toEqual(keys);
		const text = ofCard.text(cardOf(grants ? {grants} : {}));
		expect(text.includes('Always exactly this command in this folder')).toBe(grants === 'once-or-this-command');
		expect(text.includes('Allow once')).toBe(keys.a);
	},
);
