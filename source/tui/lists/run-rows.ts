import {type RunStep} from '../../state/work-event.ts';
import {type RunRow} from '../../state/snapshot.ts';
import {runEntity} from '../../state/entities/run.ts';
import {callText, stepText} from '../../state/entities/status-text.ts';
import {shownName} from '../../util/safe-text.ts';
import {markdownLines} from '../text/markdown-lines.ts';
import {type Line, span} from '../text/span.ts';
import {wrapToWidth} from '../text/text-width.ts';
import {entityRow} from './entity-row.ts';
import {rememberRows, wrappedLines} from './list-row.ts';

/** The row of a run or an inbox item. */
export const runListRow = rememberRows((run: RunRow) => entityRow(runEntity, run, textLines));

/** The texts below the facts of a run: prompt, tool calls and answer. */
function textLines(run: RunRow, {width}: {readonly width: number}): Line[] {
	return [
		...section('prompt', wrappedLines(run.prompt || '(no prompt was stored)', width)),
		...(run.steps.length === 0
			? []
			: [[], [span(' tool calls', 'dim')], ...run.steps.flatMap(step => stepLines(step, width))]),
		...section(run.answer === '' ? 'answer so far' : 'answer', markdownLines(run.answer || run.text, width)),
	];
}

function section(title: string, lines: readonly Line[]): readonly Line[] {
	return lines.length === 0 ? [] : [[], [span(` ${title}`, 'dim')], ...lines];
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
