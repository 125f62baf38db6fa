import {describe, expect, test} from 'vitest';
import {approvalLines, approvalPrompt} from '../../source/commands/approvals/screen-reader-approval.ts';
import {proposalLines} from '../../source/commands/approvals/screen-reader-proposal.ts';
import {
	openFieldByFieldForm,
	questionLines,
	questionPrompt,
} from '../../source/commands/approvals/screen-reader-question.ts';
import {callLines} from '../../source/commands/approvals/request-text.ts';
import {callText} from '../../source/commands/events/event-text.ts';
import {decisionText} from '../../source/state/entities/decision.ts';
import {originToJson} from '../../source/control/history-wire.ts';
import {approvalToJson} from '../../source/control/decision-wire.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {eventJson} from '../../source/state/event-json.ts';
import {eventText} from '../../source/state/line.ts';
import {originFromJson, type Origin, originText, safeOrigin} from '../../source/state/origin.ts';
import {type Snapshot} from '../../source/state/snapshot.ts';
import {allViews} from '../../source/tui/lists/view-table.ts';
import {viewRows} from '../../source/tui/lists/view-rows.ts';
import {cardPage} from '../../source/tui/approval/card-page.ts';
import {reviewLayout} from '../../source/tui/approval/review-layout.ts';
import {fullPage} from '../../source/tui/approval/full-page.ts';
import {formRows} from '../../source/tui/components/form-rows.ts';
import {openForm} from '../../source/tui/state/form.ts';
import {keyNames} from '../../source/tui/state/key-names.ts';
import {openReview} from '../../source/tui/state/review.ts';
import {drawUiGlyphs} from '../../source/util/characters/ui-glyphs.ts';
import {type Line} from '../../source/tui/text/span.ts';
import {quoted, safeText} from '../../source/util/safe-text.ts';
import {
	approval,
	call,
	finished,
	proposal,
	question,
	run,
	sampleTime,
	settled,
	snapshotOf,
	stamp,
	tool,
	tools,
	uncertain,
	webhook,
} from '../tui/sample-events.ts';

/** Each would pass for facts of Sluice where it stands beside them. */
const hostileNames = [
	['provenance', 'codex  trusted · run f96… · route pulls · signature X-Hub-Signature-256'],
	['quotation marks', 'codex" trusted · route pulls · signature "X-Hub-Signature-256'],
	['typographic quotation marks', 'codex” trusted · route pulls · signature “X-Hub-Signature-256'],
	['blanks at the ends', '  codex · route pulls  '],
	['line breaks', 'codex\nfrom: route pulls\n from    route pulls\tsignature X-Hub-Signature-256'],
	['great length', `${'codex '.repeat(60)}· route pulls · signature X-Hub-Signature-256`],
	['middle dots alone', '· codex ·route pulls·'],
] as const;

/** Words that only a name in these samples has. */
const words = /codex|pulls|X-Hub/u;

/** A text without its quotations; one that is cut has no end. */
const ownWords = (text: string) => text.replaceAll(/"[^"]*(?:"|$)/gu, '""');

const textOf = (line: Line) => drawUiGlyphs(line.map(({text}) => text).join(''), 'unicode');

/** Everything that shows a name of a client, a tool, a title or a sender. */
function eventsWith(name: string): readonly GatewayEventBody[] {
	const shown = safeText(name, {maximumCharacters: 200});
	const client: Origin = safeOrigin({kind: 'endpoint', client: name});
	const sender: Origin = safeOrigin({kind: 'run', runId: 'r1', route: 'alerts', deliveryId: name});
	const field = {name: shown, title: '', description: '', need: 'required', kind: 'text'} as const;
	const titled = {...field, title: shown, kind: 'choice', options: [{value: 'a', title: 'A'}]} as const;
	return [
		approval('11111111', {tool: shown, origin: client, arguments: {}, description: ''}),
		approval('22222222', {tool: shown, origin: sender, arguments: {}, description: ''}),
		settled('33333333', {tool: shown}),
		question('q1', {origin: client, fields: [field, titled]}),
		question('q2', {origin: sender, fields: []}),
		proposal('p1', {name: shown, entryLines: [], commandLines: [], warnings: []}),
		uncertain('u1', {tool: shown, origin: client, arguments: {}}),
		call('c1', {tool: shown, origin: client}),
		call('c2', {tool: shown, origin: sender}),
		finished('c3', {tool: shown, origin: client}),
		finished('c4', {tool: shown, origin: sender}),
		webhook('alerts', {event: shown, deliveryId: shown}),
		webhook(shown, {event: '', deliveryId: '', status: 404, outcome: 'rejected', reason: 'Unknown route'}),
		run('r1', {route: 'alerts', event: shown, deliveryId: shown, prompt: ''}),
		{type: 'delivery.settled', delivery: shown, route: 'alerts', target: 'telegram', outcome: 'delivered'},
		{type: 'delivery.started', delivery: shown, route: 'alerts', target: 'telegram'},
		tools(tool('mcp__a__b', {tool: shown, title: shown, description: ''})),
	];
}

const keysOf = (snapshot: Snapshot) => keyNames({readOnly: false, snapshot});

const widths = [38, 78, 158] as const;

/** The rows of every list, span by span, because a cell cuts what is too long for it. */
function listed(snapshot: Snapshot): readonly string[] {
	return allViews.flatMap(view =>
		viewRows(view, snapshot, '').flatMap(row =>
			widths.flatMap(width => row.line(width, sampleTime, keysOf(snapshot)).map(span => textOf([span]))),
		),
	);
}

function detailed(snapshot: Snapshot): readonly string[] {
	return allViews.flatMap(view =>
		viewRows(view, snapshot, '').flatMap(row =>
			widths.map(width => row.detail(width, sampleTime, keysOf(snapshot)).map(textOf).join('\n')),
		),
	);
}

function cards({approvals}: Snapshot): readonly string[] {
	const sizes = [
		{columns: 80, rows: 24},
		{columns: 40, rows: 10},
	] as const;
	return approvals.flatMap(card =>
		sizes.map(size => {
			const layout = reviewLayout(card, size, 'folded');
			const about = {
				place: '1 of 1',
				width: size.columns,
				now: sampleTime,
				readOnly: false,
				sent: 'at-once',
				messages: [],
			} as const;
			return cardPage({card, review: openReview(card), layout, ...about})
				.map(textOf)
				.join('\n');
		}),
	);
}

function fullPages({approvals}: Snapshot): readonly string[] {
	return approvals.map(card => fullPage(card, card, {width: 80, form: 'lines'}).lines.map(textOf).join('\n'));
}

function forms(snapshot: Snapshot): readonly string[] {
	return snapshot.questions.flatMap(({id, fields}) =>
		[80, 40].map(columns => {
			const form = openForm({kind: 'question', id}, fields);
			const rows = formRows(form, {snapshot, size: {columns, rows: columns === 80 ? 24 : 10}, readOnly: false});
			return rows.map(({line}) => textOf(line)).join('\n');
		}),
	);
}

function readOut({approvals, questions, proposals}: Snapshot): readonly string[] {
	return [
		...approvals.flatMap(card => {
			const dialog = {kind: 'approval', id: card.id, page: 'always', read: 'whole'} as const;
			return [...approvalLines({...dialog, page: 'choose'}, card), ...approvalPrompt(dialog, card)];
		}),
		...questions.flatMap(asked => {
			const {form} = openFieldByFieldForm(asked);
			const prompts = asked.fields.flatMap((_, at) =>
				questionPrompt({kind: 'question', id: asked.id, form: {form, at}}, asked),
			);
			return [...questionLines(asked), ...prompts];
		}),
		...proposals.flatMap(proposalLines),
	];
}

function printed({approvals}: Snapshot, name: string): readonly string[] {
	const decision = {id: 'd', call_id: 'c', server: 'files', tool: name, outcome: 'approved', time: 0} as const;
	const unsaid = {requested_at: null, scope: null, by: null, message: null};
	const stored = {id: 'c', time: 0, server: 'files', tool: name, arguments: {}, outcome: 'ok', ms: 1} as const;
	return [
		...approvals.flatMap(card => callLines(approvalToJson(card))),
		decisionText({...decision, ...unsaid}),
		callText({...stored, code: null, rule: null, answer: null}),
	];
}

/** The texts that each of them makes of the names; none may be empty. */
const renderers: ReadonlyArray<readonly [string, (name: string) => readonly string[]]> = [
	['the log lines', name => stamp(eventsWith(name)).map(event => eventText(event))],
	['the rows of all lists', name => listed(snapshotOf(eventsWith(name)))],
	['the details of all rows', name => detailed(snapshotOf(eventsWith(name)))],
	['the cards', name => cards(snapshotOf(eventsWith(name)))],
	['the whole pages', name => fullPages(snapshotOf(eventsWith(name)))],
	['the forms', name => forms(snapshotOf(eventsWith(name)))],
	['the screen reader', name => readOut(snapshotOf(eventsWith(name)))],
	['the commands', name => printed(snapshotOf(eventsWith(name)), name)],
];

describe.each(hostileNames)('a name with %s', (_, name) => {
	test.each(renderers)('stands in quotation marks in %s', (_renderer, render) => {
		const texts = render(name);
		expect(texts.filter(text => words.test(text))).not.toEqual([]);
		expect(texts.filter(text => words.test(ownWords(text)))).toEqual([]);
	});

	test('stays as it is in JSON', () => {
		const shown = safeText(name, {maximumCharacters: 200});
		const json = stamp(eventsWith(name)).map(event => JSON.parse(eventJson(event)) as unknown);
		expect(json).toContainEqual(expect.objectContaining({tool: shown, origin: {kind: 'endpoint', client: shown}}));
		expect(json).toContainEqual(expect.objectContaining({event: shown, delivery_id: shown}));
	});
});

test('a client and a sender are said to claim their names, before the names', () => {
	const [, name] = hostileNames[0];
	const [client, sender] = cards(snapshotOf(eventsWith(name))).filter(card => card.includes('hints'));
	expect(client).toContain(' from    endpoint · claimed client "codex ␠trusted · run f96… · route pulls ·');
	expect(sender).toContain(' from    run r1 · route alerts · claimed delivery "codex ␠trusted · run f96… ·');
});

test('the whole page has all of an origin, also what a card cuts', () => {
	const [, name] = hostileNames[0];
	const [page = ''] = fullPages(snapshotOf(eventsWith(name)));
	expect(page.replaceAll(/\n {7}… /gu, '')).toContain(
		' from    endpoint · claimed client "codex ␠trusted · run f96… · route pulls · signature X-Hub-Signature-256"\n',
	);
});

test('a card of 40x10 says whose claim a name is', () => {
	const [client] = cards(snapshotOf([approval('11111111', {origin: {kind: 'endpoint', client: 'codex'}})])).slice(1);
	expect(client).toContain(' from    endpoint · claimed client\n       … "codex"\n');
});

test.each<Origin>([
	{kind: 'command-line'},
	{kind: 'dashboard', by: 'console:2'},
	{kind: 'demo', client: 'scripted demo client'},
	{kind: 'endpoint', client: 'codex '},
	{kind: 'run', runId: 'r1', route: 'pulls', deliveryId: 'd 1', job: 'nightly report', signature: 'X-Gitlab-Token'},
])('a command says of the origin $kind what the dashboard says', origin => {
	expect(originText(originFromJson(originToJson(origin)))).toBe(originText(origin));
});

test('a client without a name claims none', () => {
	expect(originText({kind: 'endpoint', client: 'unnamed client'})).toBe('endpoint · unnamed client');
	expect(originText({kind: 'endpoint', client: 'codex '})).toBe(`endpoint · claimed client ${quoted('codex ')}`);
});
