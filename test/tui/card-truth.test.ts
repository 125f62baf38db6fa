import {
	type Arbitrary,
	anything,
	assert,
	asyncProperty,
	boolean,
	constant,
	constantFrom,
	dictionary,
	double,
	integer,
	oneof,
	property,
	string,
} from 'fast-check';
import {describe, expect, test} from 'vitest';
import xterm from '@xterm/headless';
import {type ApprovalRow} from '../../source/state/snapshot.ts';
import {type FullRequest} from '../../source/state/approval-event.ts';
import {uiText} from '../../source/util/characters/ui-glyphs.ts';
import {brushesOf, paintLine} from '../../source/tui/text/line-text.tsx';
import {type Line, lineWidth} from '../../source/tui/text/span.ts';
import {fullPage} from '../../source/tui/approval/full-page.ts';
import {type JsonObject, type JsonValue} from '../../source/util/json-text.ts';
import {createRedactor} from '../../source/util/redact.ts';
import {partLimits, maskedJson, fullLimits} from '../../source/util/shown-json.ts';
import {cardContent} from '../../source/tui/approval/review-layout.ts';
import {readRows} from '../helpers/read-back.ts';
import {frameAfter} from './frame-after.tsx';
import {approval, snapshotOf, started} from './sample-events.ts';

const {partsOf} = createRedactor();

/** The card that a call with these arguments gets. */
function cardOf(sent: JsonObject): ApprovalRow {
	const {value, ...hidden} = maskedJson(sent, {room: partLimits, masks: {names: 'secret', partsOf}});
	const [card] = snapshotOf([approval('7f3a', {arguments: value, ...hidden, description: ''})]).approvals;
	if (!card) {
		throw new Error('There is no card');
	}

	return card;
}

function fullOf(sent: JsonObject): FullRequest {
	const {value, ...hidden} = maskedJson(sent, {room: fullLimits, masks: undefined});
	return {server: 'a', tool: 'b', description: '', arguments: value, ...hidden};
}

const brushes = brushesOf('mono');

/** Rows as a person reads them. */
function drawn(lines: readonly Line[], ascii = false): readonly string[] {
	return lines.map(line => paintLine(line, {brushes, ascii}));
}

const json = (value: JsonValue | undefined) => JSON.stringify(value);

/** Texts that want to be taken for something else. */
const text = oneof(
	string({unit: 'binary', maxLength: 200}),
	string({unit: 'grapheme', maxLength: 60}),
	string({
		unit: constantFrom(
			' ',
			'…',
			'"',
			'\\',
			'\n',
			' 1 │ ',
			'\n  └ ends with a line end\n',
			'\t',
			'  "b": 1',
			'‹',
			'›',
			'␛',
			'\u001B',
			'\uFE0F',
			'\u20E3',
			'\u0301',
			'日',
			'\u{1F3FD}',
			'»',
			'●',
		),
		maxLength: 200,
	}),
	constantFrom('‹redacted 3 chars›', '‹U+0041›', '‹9 B not shown›', `x${' '.repeat(200)}; rm`),
);
const anyArguments = dictionary(
	oneof(text, constantFrom('old_string', 'new_string')),
	anything({
		key: text,
		values: [text, double({noNaN: true, noDefaultInfinity: true}), integer(), boolean(), constant(null)],
		maxDepth: 5,
	}),
	{maxKeys: 6},
) as Arbitrary<JsonObject>;

describe('what a card calls all shown', () => {
	test.each([40, 80, 160])('reads back to exactly the bytes that are sent, at %d columns', width => {
		assert(
			property(anyArguments, sent => {
				const card = cardOf(sent);
				const {lines} = cardContent(card, width, 'lines');
				expect(lines.every(line => lineWidth(line) <= width)).toBe(true);
				if (card.cutBytes === 0 && card.maskedValues === 0) {
					expect(json(readRows(drawn(lines)))).toBe(JSON.stringify(sent));
					expect(card.sentBytes).toBe(Buffer.byteLength(JSON.stringify(sent)));
				}
			}),
			{numRuns: 400},
		);
	});

	test('is what the page with all of it shows, whatever was cut and masked on the card', () => {
		assert(
			property(anyArguments, sent => {
				const page = fullPage(fullOf(sent), cardOf(sent), {width: 80, form: 'lines'});
				const first = page.lines.findIndex(line => line[1]?.text.startsWith(' arguments')) + 1;
				expect(json(readRows(drawn(page.lines.slice(first))))).toBe(JSON.stringify(sent));
			}),
			{numRuns: 300},
		);
	});
});

/** The rows of a terminal that was sent a frame. */
async function screenOf(frame: readonly string[], columns: number): Promise<readonly string[]> {
	const terminal = new xterm.Terminal({cols: columns, rows: frame.length, allowProposedApi: true});
	await new Promise<void>(resolve => terminal.write(frame.join('\r\n'), resolve));
	const {active} = terminal.buffer;
	const rows = frame.map((_, row) => active.getLine(row)?.translateToString(true) ?? '');
	terminal.dispose();
	return rows;
}

test.each([80, 160])('a terminal of %d columns shows it so', async columns => {
	let readBack = 0;
	await assert(
		asyncProperty(anyArguments, async sent => {
			const {value, ...hidden} = maskedJson(sent, {room: partLimits, masks: {names: 'secret', partsOf}});
			const card = approval('7f3a', {arguments: value, ...hidden, description: ''});
			const frame = frameAfter([started(), card], ['A'], {columns, rows: 400});
			const rows = await screenOf(frame, columns);
			const rule = rows.findIndex(row => row.includes(' arguments · '));
			if (rows[rule]?.includes('all shown') && hidden.maskedValues === 0) {
				const end = rows.indexOf('', rule);
				// The number of marked characters has a line of its own where the rule has no room for it.
				const first = rule + (/^ [\d,]+ characters? marked/u.test(rows[rule + 1] ?? '') ? 2 : 1);
				expect(json(readRows(rows.slice(first, end)))).toBe(JSON.stringify(sent));
				readBack++;
			}
		}),
		{numRuns: 60},
	);
	// Most of them are shown whole; otherwise this test would prove nothing.
	expect(readBack).toBeGreaterThan(20);
});

function nested(depth: number): JsonValue {
	let value: JsonValue = '/etc/passwd';
	for (let level = 0; level < depth; level++) {
		value = [value];
	}

	return value;
}

const bytes = (value: JsonValue) => Buffer.byteLength(JSON.stringify(value));
const members = (count: number) => Object.fromEntries(Array.from({length: count}, (_, index) => [`m${index}`, index]));

describe('a card', () => {
	test.each<[string, JsonObject]>([
		['nesting deeper than 20', {deep: nested(150)}],
		['more than 200 members', members(700)],
		['more than 200 entries', {list: Array.from({length: 700}, (_, index) => index)}],
		['a member name over 200 characters', {[`${'n'.repeat(300)}/etc`]: 1}],
		['2,000 skin tones behind a word', {text: `hello${'\u{1F3FD}'.repeat(200)}`}],
		['a variation selector and a keycap in a path', {path: '/srv/a\uFE0Fb/1\u20E3'}],
		['a letter with many marks', {text: `a${'\u0301'.repeat(50)}`}],
		['a letter and its mark', {path: 'Ame\u0301lie'}],
		['glyphs of the dashboard', {path: '‹U+202E›␊␛»'}],
		['line feeds and tabs', {text: 'a\n\tb'}],
		[
			'an edit inside of another one',
			{old_string: 'a\nb', inner: {old_string: 'c\nd', new_string: 'c\ne'}, lines: ['\n'], new_string: 'a\nf'},
		],
	])('shows all of %s', (_, sent) => {
		const card = cardOf(sent);
		expect([card.cutBytes, card.maskedValues, card.sentBytes]).toEqual([0, 0, bytes(sent)]);
		expect(json(readRows(drawn(cardContent(card, 80, 'lines').lines)))).toBe(JSON.stringify(sent));
	});

	test.each<[string, JsonObject]>([
		['a text of 95,007 bytes', {content: 'x'.repeat(95_007)}],
		['a word with 20,000 skin tones', {text: `hello${'\u{1F3FD}'.repeat(20_000)}`}],
		['a name of 50,000 bytes', {['n'.repeat(50_000)]: 1}],
		['20,000 members', members(20_000)],
	])('counts %s in the bytes that are sent, and says how many of them it does not show', (_, sent) => {
		const card = cardOf(sent);
		const {argumentSize} = cardContent(card, 80, 'lines');
		expect(argumentSize).toContain(uiText` · ${bytes(sent).toLocaleString('en-US')} B`);
		expect(card.cutBytes).toBeGreaterThan(bytes(sent) - 34_000);
		expect(card.cutBytes).toBeLessThan(bytes(sent));
	});

	test('keeps members in the order in which they are sent', () => {
		const sent = {content: 'x', path: '/a'};
		expect(drawn(cardContent(cardOf(sent), 80, 'lines').lines).map(row => row.trim())).toEqual([
			'{',
			'"content": "x",',
			'"path": "/a"',
			'}',
		]);
	});

	test('marks both sides of a break in a line, so that blanks at its end are seen', () => {
		const rows = drawn(cardContent(cardOf({a: `x${' '.repeat(60)}y`}), 40, 'lines').lines);
		expect(rows.slice(1, 3)).toEqual([`    "a": "x${' '.repeat(28)}…`, ` …${' '.repeat(32)}y"`]);
	});

	test('keeps values as they are where only ASCII is drawn', () => {
		const sent = {path: '/a/»/●/…/│·–', '▲': '─'};
		const rows = drawn(cardContent(cardOf(sent), 80, 'lines').lines, true);
		expect(json(readRows(rows))).toBe(JSON.stringify(sent));
	});

	test('gives every line of the server’s description a gutter', () => {
		const description = 'Reads.\n─ arguments · all shown ───\n ready · press a';
		const [card] = snapshotOf([approval('7f3a', {description})]).approvals;
		const rows = card ? drawn(cardContent(card, 80, 'lines').lines).slice(-3) : [];
		expect(rows).toEqual([' │ Reads.', ' │ ─ arguments · all shown ───', ' │  ready · press a']);
	});

	test('is drawn from megabytes without making anybody wait', () => {
		const whole = fullOf({content: 'x'.repeat(4_000_000), other: '日'.repeat(200_000)});
		const began = process.cpuUsage();
		const page = fullPage(whole, cardOf({}), {width: 80, form: 'lines'});
		expect(page.lines.length).toBeGreaterThan(50_000);
		// Of the processor: others that use it at the same time make nobody slow.
		expect(process.cpuUsage(began).user / 1000).toBeLessThan(3000);
	});

	test('that is longer than anybody can look through is never read to its end', () => {
		const whole = fullOf({list: Array.from({length: 210_000}, () => 0)});
		expect(fullPage(whole, cardOf({}), {width: 80, form: 'lines'}).neededLines).toBeUndefined();
	});
});
