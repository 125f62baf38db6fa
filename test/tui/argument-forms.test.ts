import {expect, test} from 'vitest';
import {type ReadFull} from '../../source/state/gateway-call.ts';
import {type JsonObject} from '../../source/util/json-text.ts';
import {createRedactor} from '../../source/util/redact.ts';
import {fullLimits, maskedJson, partLimits} from '../../source/util/shown-json.ts';
import {decision} from '../helpers/decision.ts';
import {openDashboard} from './open-dashboard.ts';
import {approval, server, started} from './sample-events.ts';

const masks = {names: 'secret', partsOf: createRedactor().partsOf} as const;

async function openCard(sent: JsonObject, size: {readonly columns?: number; readonly rows?: number} = {}) {
	const {value, ...hidden} = maskedJson(sent, {room: partLimits, masks});
	const readFull: ReadFull = async () => {
		const {value: whole, ...rest} = maskedJson(sent, {room: fullLimits, masks});
		return {server: 'github', tool: 'create_issue', description: '', arguments: whole, ...rest};
	};
	const card = approval('7f3a', {arguments: value, ...hidden, description: ''});
	const dashboard = await openDashboard({...size, readFull, events: [started(), server('github'), card]});
	await dashboard.press('A');
	await dashboard.shows('APPROVAL 1 of');
	return dashboard;
}

const same = Array.from({length: 20}, (_, line) => `line ${line + 1}\n`).join('');
const edit = {old_string: `${same}old\n`, new_string: `${same}new\n`};
const allowed = [decision({kind: 'approve', scope: 'once'})];

test('an edit with folded lines is only denied, and allowed once t has shown all of it', async () => {
	const {press, shows, hides, sent, turnToEnd} = await openCard(edit, {columns: 120, rows: 50});
	await shows('├ 17 lines unchanged, not shown');
	await shows('17 folded');
	await shows('t or v shows the rest; then it can be allowed');
	for (const key of ['a', 'a', 's', 's', 'w', 'w', 'p']) {
		await press(key);
	}

	expect(sent).toEqual([]);
	await press('t');
	await shows('  1  1   │ line 1');
	await hides('folded');
	await turnToEnd();
	await shows('all shown');
	await press('a');
	expect(sent).toEqual(allowed);
});

test('an edit with folded lines is denied without a look at them', async () => {
	const {press, shows, sent} = await openCard(edit);
	await shows('├ 17 lines unchanged, not shown');
	await press('d');
	expect(sent).toEqual([decision({kind: 'deny'})]);
});

test('v folds nothing, says that it was read to its end, and the folded card can be allowed then', async () => {
	const {press, shows, hides, sent, turnToEnd} = await openCard(edit);
	await press('v');
	await shows('  1  1   │ line 1');
	await hides('read to the end');
	await turnToEnd(' ');
	await shows('read to the end');
	await press('g');
	await shows('read to the end');
	await press('\u001B');
	await shows('17 lines unchanged');
	await shows('all shown');
	await press('a');
	expect(sent).toEqual(allowed);
});

test('another form has to be read again, and the keys are armed again for it', async () => {
	const {clock, terminal, press, shows, sent, turnToEnd} = await openCard({content: 'a\nb\n'});
	await shows('all shown');
	await press('t');
	await shows('"content": "a\\nb\\n"');
	terminal.type('a');
	await clock.settle();
	expect(sent).toEqual([]);
	await turnToEnd();
	await shows('all shown');
	await press('a');
	expect(sent).toEqual(allowed);
});

test('a long raw form is not read because its lines were', async () => {
	const {press, shows, hides, sent, turnToEnd} = await openCard({
		content: 'line\n'.repeat(3),
		list: Array.from({length: 40}, () => 0),
	});
	await turnToEnd();
	await shows('all shown');
	await press('t');
	await hides('all shown');
	await press('a');
	expect(sent).toEqual([]);
});

test('arguments without texts have one form, and say so', async () => {
	const {press, shows} = await openCard({content: 'a'});
	await shows('all shown');
	await press('t');
	await shows('the arguments look the same as raw JSON');
	await press('v');
	await press('t');
	await shows('the arguments look the same as raw JSON');
});

test('a resize in the middle keeps the form, and what was read has to be read again', async () => {
	const {press, shows, hides, sent, terminal, turnToEnd} = await openCard(edit, {columns: 80, rows: 24});
	await press('t');
	await turnToEnd();
	await shows('all shown');
	terminal.resize(60, 20);
	await hides('all shown');
	await shows('│ line 1');
	await press('a');
	expect(sent).toEqual([]);
	await turnToEnd();
	await shows('all shown');
	await press('a');
	expect(sent).toEqual(allowed);
});

test.each([
	[40, 10],
	[60, 20],
	[80, 24],
	[120, 40],
	[200, 60],
])('at %dx%d each row of a text has its gutter, and the keys say how to unfold', async (columns, rows) => {
	const {press, shows, terminal} = await openCard({...edit, text: `1 │ ${'x'.repeat(250)}\n└ ends`}, {columns, rows});
	await shows(columns < 60 || rows < 20 ? 't unfold' : 'Show the unchanged lines');
	await press('t');
	await press('G');
	await shows('└ ends');
	await press('K');
	await press('K');
	await shows('xxxxxxxxxx');
	const shown = await terminal.rows();
	const inText = shown.filter(row => /x{10}/u.test(row));
	expect(inText.length).toBeGreaterThan(0);
	expect(inText.every(row => /^ [ …][ \d]*│ /u.test(row))).toBe(true);
});
