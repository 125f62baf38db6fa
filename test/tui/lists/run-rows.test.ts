import {expect, test} from 'vitest';
import {runStored} from '../../../source/runs/run-event.ts';
import {emptySnapshot} from '../../../source/state/snapshot.ts';
import {runListRow} from '../../../source/tui/lists/run-rows.ts';
import {drawUiGlyphs} from '../../../source/util/characters/ui-glyphs.ts';
import {sampleRun} from '../../helpers/journal-records.ts';
import {run, sampleTime, snapshotOf} from '../sample-events.ts';
import {keyNames} from '../../../source/tui/state/key-names.ts';

test.each([
	['nothing', '◐ running'],
	['approval', '▲ waits'],
	['answer', '▲ waits'],
] as const)(
	'a run that waits for %s begins with %s in its row and its details, at every width',
	(waitingFor, label) => {
		const [row] = snapshotOf([run('r1', {state: 'running', ...(waitingFor !== 'nothing' && {waitingFor})})]).runs.map(
			runListRow,
		);
		for (const width of [38, 78, 158]) {
			const line = row
				?.line(width, sampleTime, keyNames({readOnly: false, snapshot: emptySnapshot}))
				.map(({text}) => text);
			const state = row
				?.detail(width, sampleTime, keyNames({readOnly: false, snapshot: emptySnapshot}))[0]
				?.map(({text}) => text);
			expect(drawUiGlyphs(line?.join('') ?? '', 'unicode').startsWith(label)).toBe(true);
			expect(drawUiGlyphs(state?.join('') ?? '', 'unicode')).toContain(label);
		}
	},
);

test('a run that is read from the journal took as long as it did, however late it is read', () => {
	const record = sampleRun({id: 'r1', createdAt: sampleTime - 3_600_000});
	const stored = runStored({...record, state: 'finished', changedAt: record.createdAt + 2100});
	const [row] = snapshotOf([stored]).runs.map(runListRow);
	const textOf = (lines: ReadonlyArray<ReadonlyArray<{readonly text: string}>> = []) =>
		lines.map(line => line.map(({text}) => text).join('')).join('\n');
	const keys = keyNames({readOnly: false, snapshot: emptySnapshot});
	expect(textOf([row?.line(98, sampleTime, keys) ?? []])).toMatch(/2\.1 s$/u);
	expect(textOf(row?.detail(98, sampleTime, keys))).toMatch(/took +2\.1 s$/mu);
});

const step = (id: string, state: 'waiting' | 'running' | 'done') =>
	({type: 'run.step', runId: 'r1', step: {id, tool: 'mcp__files__read', arguments: '', state}}) as const;
const usage = {inputTokens: 1200, outputTokens: 34};

test.each([
	['its prompt and age while it runs', [run('r1', {state: 'running', prompt: 'Tidy up'})], 'Tidy up', '0:12'],
	[
		'what it calls now, its calls and its tokens',
		[run('r1', {state: 'running', prompt: 'Tidy up', usage}), step('1', 'done'), step('2', 'running')],
		'◐ mcp__files__read',
		'2 calls · 1,234 tok · 0:12',
	],
	[
		'what it waits for, and in which call',
		[run('r1', {state: 'running', prompt: 'Tidy up', waitingFor: 'approval'}), step('1', 'waiting')],
		'▲ waits for approval · ▲ mcp__files__read',
		'1 call · 0:12',
	],
	['how long it took', [run('r1', {state: 'finished', prompt: 'Tidy up', usage})], 'Tidy up', '1,234 tok · 0 ms'],
	['why it failed', [run('r1', {state: 'failed', reason: 'no model'})], 'no model', '0 ms'],
	[
		'which other gateway has it',
		[run('r1', {state: 'running', prompt: 'Tidy up', node: 'web-2'})],
		'web-2 · Tidy up',
		'0:12',
	],
	[
		'none once this one has taken it',
		[run('r1', {state: 'running', prompt: 'Tidy up', node: 'web-2'}), run('r1', {state: 'running'})],
		'"push"        Tidy up',
		'0:12',
	],
] as const)('the row of a run says %s', (_, events, note, end) => {
	const [row] = snapshotOf(events).runs.map(runListRow);
	const keys = keyNames({readOnly: false, snapshot: emptySnapshot});
	const line =
		row
			?.line(118, sampleTime + 12_000, keys)
			.map(({text}) => text)
			.join('') ?? '';
	expect(drawUiGlyphs(line, 'unicode')).toContain(note);
	expect(drawUiGlyphs(line, 'unicode').endsWith(` ${end}`)).toBe(true);
});
