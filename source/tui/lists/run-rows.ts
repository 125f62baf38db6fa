import {type RunStep} from '../../state/work-event.ts';
import {type RunRow} from '../../state/snapshot.ts';
import {runGroup} from '../../state/waiting.ts';
import {runEntity} from '../../state/entities/run.ts';
import {callText, noteText, stepText} from '../../state/entities/status-text.ts';
import {shownName} from '../../util/safe-text.ts';
import {markdownLines} from '../text/markdown-lines.ts';
import {type Line, span} from '../text/span.ts';
import {wrapToWidth} from '../text/text-width.ts';
import {entityRow} from './entity-row.ts';
import {type ListRow, rememberList, rememberRows, wrappedLines} from './list-row.ts';

/** The row of a run or an inbox item. */
export const runListRow = rememberRows(
	(run: RunRow): ListRow => ({...entityRow(runEntity, run, textLines), group: runGroup(run)}),
);

const runListRows = rememberList(runListRow);

/** The rows of all runs: those that need a person first, then those at work, of each the newest first. */
export function runRows({runs}: {readonly runs: readonly RunRow[]}): readonly ListRow[] {
	return runListRows(runs).toReversed().toSorted(byGroup);
}

function byGroup({group: first = 0}: ListRow, {group: second = 0}: ListRow): number {
	return first - second;
}

/** The texts below the facts of a run: prompt, notes, tool calls and answer. */
function textLines(run: RunRow, {width}: {readonly width: number}): Line[] {
	return [
		...section('prompt', wrappedLines(run.prompt || '(no prompt was stored)', width)),
		...section(
			'notes',
			run.notes.flatMap(note => noteLines(note, width)),
		),
		...(run.steps.length === 0
			? []
			: [[], [span(' tool calls', 'dim')], ...run.steps.flatMap(step => stepLines(step, width))]),
		...section(run.answer === '' ? 'answer so far' : 'answer', markdownLines(run.answer || run.text, width)),
	];
}

function section(title: string, lines: readonly Line[]): readonly Line[] {
	return lines.length === 0 ? [] : [[], [span(` ${title}`, 'dim')], ...lines];
}

/** A note of a person: what became of it, who wrote it, and its text. */
function noteLines({state, by, text}: RunRow['notes'][number], width: number): Line[] {
	const {glyph, word, tone} = noteText[state];
	return [
		[span(` ${glyph} ${word}`, tone), span(` by ${by}`, 'dim')],
		...text.split('\n').flatMap(line => wrapToWidth(line, width - 4).map((part): Line => [span(`   ${part}`)])),
	];
}

/** A tool call of the run: the tool, its arguments, and the outcome. */
function stepLines(step: RunStep, width: number): Line[] {
	const {glyph, word, tone} = step.outcome === undefined ? stepText[step.state] : callText[step.outcome];
	return [
		[
			span(` ${glyph} `, tone),
			span(shownName(step.tool), 'strong'),
			span(` ${word}`, tone),
			span(` ${step.arguments}`, 'dim'),
		],
		...(step.summary === undefined || step.summary === ''
			? []
			: wrapToWidth(step.summary, width - 6).map((line): Line => [span(`     ${line}`)])),
	];
}
