import {type RunRow} from '../state/snapshot.ts';
import {timeOfDay} from '../state/time-text.ts';
import {type ListRow, labelled, rememberRows} from './list-row.ts';
import {cell, type Line, span} from './span.ts';
import {runWords} from './status-words.ts';
import {wrapToWidth} from './text-width.ts';

/** The row of a run or an inbox item. */
export const runListRow = rememberRows(
	(run: RunRow): ListRow => ({
		id: run.runId,
		fields: () => ({
			state: run.state,
			route: run.route,
			event: run.event,
			delivery: run.deliveryId,
			id: run.runId,
			reason: run.reason,
			prompt: run.prompt,
			profile: run.profile,
		}),
		line: width => runLine(run, width),
		detail: width => runDetail(run, width),
	}),
);

function runLine(run: RunRow, width: number): Line {
	const {glyph, word, tone} = runWords[run.state];
	const prompt = run.reason || run.prompt.replaceAll('\n', ' ');
	if (width < 60) {
		return [span(`${glyph} `, tone), cell(word, 11, tone), cell(run.route, 12, 'strong'), span(` ${prompt}`, 'dim')];
	}

	return [
		span(`${glyph} `, tone),
		cell(word, 12, tone),
		cell(timeOfDay(run.startedAt), 9, 'dim'),
		cell(run.route, 16, 'strong'),
		span(' '),
		cell(run.event, 16),
		span(' '),
		span(prompt, 'dim'),
	];
}

function runDetail(run: RunRow, width: number): Line[] {
	const {glyph, word, tone} = runWords[run.state];
	return [
		[span(' state      ', 'dim'), span(`${glyph} ${word}`, tone), span(` since ${timeOfDay(run.changedAt)}`, 'dim')],
		...labelled('reason', run.reason, width),
		...labelled('route', run.route, width),
		...labelled('event', run.event, width),
		...labelled('delivery', run.deliveryId, width),
		...labelled('run', run.runId, width),
		...labelled('profile', run.profile, width),
		[],
		[span(' prompt', 'dim')],
		...wrapToWidth(run.prompt || '(no prompt was kept)', width - 2).map((text): Line => [span(` ${text}`)]),
	];
}
