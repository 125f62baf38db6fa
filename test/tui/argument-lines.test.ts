import {assert, array, constantFrom, property, tuple} from 'fast-check';
import {describe, expect, test} from 'vitest';
import {callLines} from '../../source/commands/approvals/request-text.ts';
import {approvalLines} from '../../source/commands/approvals/screen-reader-approval.ts';
import {approvalToJson} from '../../source/control/decision-wire.ts';
import {type FullRequest} from '../../source/state/approval-event.ts';
import {type ApprovalRow} from '../../source/state/snapshot.ts';
import {argumentRows} from '../../source/tui/approval/argument-rows.ts';
import {fullPage} from '../../source/tui/approval/full-page.ts';
import {cardContent} from '../../source/tui/approval/review-layout.ts';
import {brushesOf, paintLine} from '../../source/tui/text/line-text.tsx';
import {type Line, lineWidth} from '../../source/tui/text/span.ts';
import {type JsonObject} from '../../source/util/json-text.ts';
import {createRedactor} from '../../source/util/redact.ts';
import {fullLimits, maskedJson, partLimits} from '../../source/util/shown-json.ts';
import {argumentCases} from '../helpers/argument-cases.ts';
import {readLines, readRows, readSpoken} from '../helpers/read-back.ts';
import {approval, snapshotOf} from './sample-events.ts';

const redactor = createRedactor();
redactor.learn('swordfish-42');
const {partsOf} = redactor;
const brushes = brushesOf('mono');
const drawn = (lines: readonly Line[], ascii = false) => lines.map(line => paintLine(line, {brushes, ascii}));

function cardOf(sent: JsonObject, change: {readonly payloadPaths?: readonly string[]} = {}): ApprovalRow {
	const {value, ...hidden} = maskedJson(sent, {room: partLimits, masks: {names: 'secret', partsOf}});
	const requested = approval('7f3a', {arguments: value, ...hidden, description: '', ...change});
	return snapshotOf([requested]).approvals[0] ?? expect.fail('There is no card');
}

function fullOf(sent: JsonObject): FullRequest {
	const {value, ...hidden} = maskedJson(sent, {room: fullLimits, masks: undefined});
	return {server: 'a', tool: 'b', description: '', arguments: value, ...hidden};
}

function fullRows(sent: JsonObject, form: 'lines' | 'raw', ascii = false): readonly string[] {
	const {lines} = fullPage(fullOf(sent), cardOf(sent), {width: 60, form});
	return drawn(lines.slice(lines.findIndex(line => line[1]?.text.startsWith(' arguments')) + 1), ascii);
}

const json = JSON.stringify;
const rowsOf = (sent: JsonObject, form: 'folded' | 'lines' | 'raw' = 'lines', width = 80) =>
	drawn(cardContent(cardOf(sent), width, form).lines);

test('there are 88 cases', () => {
	expect(argumentCases).toHaveLength(88);
});

test.each(argumentCases)(
	'%s reads back from each form of the card, from v, from commands and from what is read out',
	(_, sent) => {
		for (const width of [40, 80, 200]) {
			for (const form of ['lines', 'raw'] as const) {
				const {lines} = cardContent(cardOf(sent), width, form);
				expect(lines.every(line => lineWidth(line) <= width)).toBe(true);
				expect(json(readRows(drawn(lines)))).toBe(json(sent));
			}
		}

		for (const ascii of [false, true]) {
			expect(json(readRows(fullRows(sent, 'lines', ascii)))).toBe(json(sent));
			expect(json(readRows(fullRows(sent, 'raw', ascii)))).toBe(json(sent));
		}

		const card = cardOf(sent);
		const printed = callLines(approvalToJson(card));
		expect(json(readLines(printed.slice(printed.indexOf('{'))))).toBe(json(sent));
		const said = approvalLines({kind: 'approval', id: '7f3a', page: 'choose', read: 'card'}, card);
		expect(json(readSpoken(said.slice(said.indexOf('{'), said.indexOf('}') + 1)))).toBe(json(sent));
	},
);

describe('a text with line ends', () => {
	test('is numbered lines in a gutter that says where it begins and ends', () => {
		expect(rowsOf({path: '/a', content: 'a\n\n\tb  \nc', mode: 1})).toEqual([
			'  {',
			'    "path": "/a",',
			'    "content": ┌ 4 lines',
			'  1 │ a',
			'  2 │ ',
			'  3 │ ␉b␠␠',
			'  4 │ c',
			'    └ ends without a line end',
			'    "mode": 1',
			'  }',
		]);
	});

	test('that has a long line goes on with both sides and the gutter marked', () => {
		expect(rowsOf({content: `${'x'.repeat(40)}\n`}, 'lines', 40).slice(2, 4)).toEqual([
			`  1 │ ${'x'.repeat(33)}…`,
			` …  │ ${'x'.repeat(7)}`,
		]);
	});

	test('is marked on every row where the payload has it', () => {
		const {lines} = cardContent(cardOf({content: 'a\nb'}, {payloadPaths: ['content']}), 80, 'lines');
		expect(drawn(lines).slice(1, -1)).toEqual([
			'»   "content": ┌ 2 lines',
			'» 1 │ a',
			'» 2 │ b',
			'»   └ ends without a line end',
		]);
	});

	test('that is cut says so in place of its end', () => {
		const rows = rowsOf({content: 'line\n'.repeat(2000)});
		expect(rows[1]).toBe('    "content": ┌ the first 667 lines');
		expect(rows.at(-2)).toBe('      └ the rest is not shown');
	});

	test('has signs in a tone of their own, and the lines of a unified diff in those of what they do', () => {
		const {lines} = cardContent(cardOf({patch: '@@ -1,2 +1,2 @@\n a\n-b\t\n+c\n-not of it\n'}), 80, 'lines');
		const tones = lines.slice(2, 7).map(line => line.slice(4).map(({text, tone}) => `${tone} ${text}`));
		expect(tones).toEqual([
			['accent @@ -1,2 +1,2 @@'],
			['normal  a'],
			['removed -b', 'sign ␉'],
			['added +c'],
			['normal -not of it'],
		]);
	});
});

const numbered = (from: number, to: number) =>
	Array.from({length: to - from + 1}, (_, index) => `line ${from + index}\n`);
const longEdit = {
	old_string: [...numbered(1, 30), 'old\n', ...numbered(32, 40)].join(''),
	new_string: [...numbered(1, 30), 'new\n', ...numbered(32, 40)].join(''),
};

describe('an edit', () => {
	test('is a difference of both texts', () => {
		expect(rowsOf({file_path: '/a', old_string: 'a\nb\nc', new_string: 'a\nx\ny\nc\n', replace_all: false})).toEqual([
			'  {',
			'    "file_path": "/a",',
			'    "old_string": ┌ edit, 3 lines become 4 lines',
			'  1 1   │ a',
			'  2   - │ b',
			'  3   - │ c',
			'    2 + │ x',
			'    3 + │ y',
			'    4 + │ c',
			'        └ before the edit ends without a line end, after it with a line end',
			'    "new_string": └ the text after the edit, above',
			'    "replace_all": false',
			'  }',
		]);
	});

	test('is folded on the card, which is not read to its end until its unchanged lines are shown', () => {
		const folded = cardContent(cardOf(longEdit), 80, 'folded');
		expect([folded.foldedLines, folded.neededLines, folded.nextForm]).toEqual([33, undefined, 'lines']);
		expect(drawn(folded.lines).slice(2, 5)).toEqual(
			['           ├ 27 lines unchanged, not shown', '  28 28   │ line 28', '  29 29   │ line 29'].map(row =>
				row.replace('           ├', '          ├'),
			),
		);
		const all = cardContent(cardOf(longEdit), 80, 'lines');
		expect([all.foldedLines, all.neededLines, all.nextForm]).toEqual([0, all.lines.length, 'raw']);
	});

	test.each<[string, JsonObject]>([
		['equal texts', {old_string: 'a\n', new_string: 'a\n'}],
		['a text that is no text', {old_string: 'a\n', new_string: 1}],
		['a text that is masked', {old_string: 'a\nswordfish-42', new_string: 'b\n'}],
		['one text alone', {old_string: 'a\n'}],
	])('is none with %s', (_, sent) => {
		expect(rowsOf(sent).join('\n')).not.toContain('edit');
	});

	test('with everything changed, or of 100 MB, is shown as its texts, and nobody waits for it', {
		timeout: 60_000,
	}, () => {
		const changed = (letter: string, count: number) =>
			Array.from({length: count}, (_, line) => `${letter} ${line}\n`).join('');
		expect(rowsOf({old_string: changed('a', 300), new_string: 'x'})[1]).toContain('edit');
		const half = 'some words of a line\n'.repeat(2_500_000);
		for (const sent of [
			{old_string: changed('a', 9000), new_string: changed('b', 9000)},
			{old_string: half, new_string: `${half}x`},
		]) {
			const began = process.cpuUsage();
			const {rows, isAll} = argumentRows(sent, {payloadPaths: [], width: 80, form: 'folded'});
			expect(process.cpuUsage(began).user / 1000).toBeLessThan(3000);
			expect(drawn(rows.slice(1, 2))[0]).toMatch(/"old_string": ┌ (?:9,000|more than 200,000) lines$/u);
			expect(isAll).toBe(sent.old_string !== half);
		}
	});
});

test('edits of any lines read back, whole or folded and unfolded', () => {
	const line = constantFrom('a', 'b', '', ' ', '\t', '1 │ a', '-', '+ b', '└ ends with a line end', 'x'.repeat(50));
	const text = tuple(array(line, {maxLength: 25}), constantFrom('', '\n')).map(
		([lines, end]) => lines.join('\n') + end,
	);
	assert(
		property(text, text, constantFrom(40, 80), (before, after, width) => {
			const sent = {old_string: before, new_string: after};
			expect(json(readRows(rowsOf(sent, 'lines', width)))).toBe(json(sent));
			const {foldedLines, lines, neededLines} = cardContent(cardOf(sent), width, 'folded');
			if (foldedLines === 0) {
				expect(json(readRows(drawn(lines)))).toBe(json(sent));
			} else {
				expect(neededLines).toBeUndefined();
			}
		}),
		{numRuns: 500},
	);
});
