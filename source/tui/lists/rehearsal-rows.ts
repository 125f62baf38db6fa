import {type RehearsalRow, type Snapshot} from '../../state/snapshot.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {type ChangedCallRow, type RehearsalProgress, type VerdictCounts} from '../../state/view-event.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {cell, type Line, span} from '../text/span.ts';
import {glyphs, ruleText} from '../../state/entities/status-text.ts';
import {labelled, labelledStatus, type ListRow, repeatedText} from './list-row.ts';
import {toolText} from '../../util/safe-text.ts';
import {groupedNumber} from '../../state/number-text.ts';

type Figures = Extract<RehearsalProgress, {state: 'over'}>;

/** The compared outcomes: their names and meanings. */
type Comparison = Record<'before' | 'after', {readonly name: string; readonly words: string}> & {
	readonly without: string | undefined;
};

/** The rows of a rehearsal: how far it is or why it failed; or its figures, then the calls whose verdict changes, newest first. */
export function rehearsalRows({rehearsal}: Pick<Snapshot, 'rehearsal'>): readonly ListRow[] {
	if (!rehearsal) {
		return [];
	}

	const {progress, profile} = rehearsal;
	switch (progress.state) {
		case 'running': {
			const text = `trying the rules on the recorded calls, ${groupedNumber(progress.calls)} so far`;
			return [noteRow('running', [span(`${glyphs.running} `, 'busy'), span(uiText`${text} · Esc cancels`)], text)];
		}

		case 'failed': {
			const {reason} = progress;
			return [noteRow('failed', [span(`${glyphs.bad} `, 'bad'), span(reason)], reason)];
		}

		case 'over': {
			const comparison = comparisonOf(rehearsal);
			return [
				...figureRows(progress, comparison),
				...progress.changed.map(call => changedCallRow(call, {comparison, profile})),
			];
		}
	}
}

/** Number of listed calls. */
export function countRehearsed({rehearsal}: Pick<Snapshot, 'rehearsal'>): number {
	return rehearsal?.progress.state === 'over' ? rehearsal.progress.changed.length : 0;
}

function comparisonOf({without}: RehearsalRow): Comparison {
	return without === undefined
		? {
				before: {name: 'then', words: 'as decided then'},
				after: {name: 'now', words: 'by the current rules'},
				without,
			}
		: {before: {name: 'with', words: 'with all rules'}, after: {name: 'without', words: 'without this one'}, without};
}

function noteRow(id: string, line: Line, text: string): ListRow {
	return {id, fields: () => ({state: id}), line: () => line, detail: width => labelled(id, text, width)};
}

/** The figures, then the two outcomes. */
function figureRows(figures: Figures, comparison: Comparison): readonly ListRow[] {
	const row = (id: string, line: ListRow['line']): ListRow => ({
		id,
		fields: () => ({state: id}),
		line,
		detail: width => figureDetail(figures, comparison, width),
	});
	const counts = (outcome: 'before' | 'after') =>
		row(outcome, width => countsLine(comparison[outcome], figures[outcome], width));
	return [
		row('summary', width => [span(summary(figures, width < 60 ? 'short' : 'long'), 'strong')]),
		...(figures.calls === 0 ? [] : [counts('after'), counts('before')]),
	];
}

function summary({calls, since, reach, changes}: Figures, wording: 'short' | 'long'): string {
	if (calls === 0) {
		return wording === 'short' ? 'no recorded calls' : 'no calls are recorded, so there is nothing to try rules on';
	}

	const differ = `${changes === 0 ? 'none' : groupedNumber(changes)} ${changes === 1 ? 'differs' : 'differ'}`;
	if (wording === 'short') {
		return `${counted(calls, 'call')}, ${differ}`;
	}

	const recorded = `${reach === 'all-calls' ? '' : 'the newest '}${counted(calls, 'recorded call')}`;
	return `${recorded}${since === undefined ? '' : ` since ${dateAndTime(since).slice(0, 16)}`}: ${differ}`;
}

const verdicts = ['allow', 'ask', 'deny'] as const;
const verdictWords = {allow: 'allowed', ask: 'asked about', deny: 'denied'} as const;

/** `now     ✔ 900 allowed  ◇ 200 asked about  ✖ 134 denied  by the current rules`; in a narrow list, glyphs and numbers. */
function countsLine({name, words}: Comparison['before'], counts: VerdictCounts, width: number): Line {
	const isNarrow = width < 60;
	const cells = verdicts.map(verdict => {
		const {glyph, tone} = ruleText[verdict];
		const text = `${glyph} ${groupedNumber(counts[verdict])}`;
		return isNarrow ? cell(text, 10, tone) : cell(`${text} ${verdictWords[verdict]}`, 21, tone);
	});
	return [cell(name, 8, 'dim'), ...cells, ...(width < 100 ? [] : [span(words, 'dim')])];
}

function figureDetail(figures: Figures, {before, after, without}: Comparison, width: number): Line[] {
	const {calls, since, reach, changes, changed} = figures;
	const counts = (outcome: 'before' | 'after') =>
		verdicts.map(verdict => `${groupedNumber(figures[outcome][verdict])} ${verdictWords[verdict]}`).join(', ');
	const unknown = calls - verdicts.reduce((sum, verdict) => sum + figures.before[verdict], 0);
	const listed =
		changes > changed.length ? `${groupedNumber(changes)}, the newest ${groupedNumber(changed.length)} are listed` : '';
	return [
		...labelled('without', without, width),
		...labelled(
			'calls',
			reach === 'all-calls' ? groupedNumber(calls) : `the newest ${groupedNumber(calls)} of more`,
			width,
		),
		...labelled('since', since === undefined ? '' : dateAndTime(since), width),
		...labelled(after.name, `${counts('after')}: ${after.words}`, width),
		...labelled(before.name, `${counts('before')}: ${before.words}`, width),
		...labelled('no verdict', unknown === 0 ? '' : `${counted(unknown, 'call')} then, refused before that`, width),
		...labelled('changes', listed === '' ? groupedNumber(changes) : listed, width),
		[],
		[span(' nothing was sent', 'dim')],
		...labelled('left out', 'approvals for a run or until Sluice stops', width),
	];
}

function changedCallRow(
	call: ChangedCallRow,
	{comparison, profile}: {readonly comparison: Comparison; readonly profile: string},
): ListRow {
	const {callId, time, server, tool, before, after, rule = ''} = call;
	const line = (width: number) => changedCallLine(call, width);
	return {
		id: callId,
		copy: callId,
		fields: () => ({server, tool, before, after, rule, id: callId, profile}),
		repeats: {at: time, text: () => repeatedText(server, tool, before, after, rule), line},
		line,
		detail: width => changedCallDetail(call, comparison, width),
	};
}

/** First what became of it, then what becomes of it. */
function changedCallLine({time, server, tool, before, after, rule = ''}: ChangedCallRow, width: number): Line {
	const [from, to] = [ruleText[before], ruleText[after]];
	const name = toolText({server, tool});
	return width < 60
		? [span(`${from.glyph} `, from.tone), span('> ', 'dim'), span(`${to.glyph} `, to.tone), span(name, 'strong')]
		: [
				cell(dateAndTime(time).slice(5, 16), 12, 'dim'),
				cell(`${from.glyph} ${from.word}`, 8, from.tone),
				span('> ', 'dim'),
				cell(`${to.glyph} ${to.word}`, 8, to.tone),
				cell(name, Math.max(24, Math.floor(width / 4)), 'strong'),
				span(rule, 'dim'),
			];
}

function changedCallDetail(call: ChangedCallRow, {before, after, without}: Comparison, width: number): Line[] {
	return [
		...labelled('without', without, width),
		labelledStatus(before.name, ruleText[call.before]),
		labelledStatus(after.name, ruleText[call.after]),
		...labelled('rule', call.rule, width),
		...labelled('tool', toolText(call), width),
		...labelled('time', dateAndTime(call.time), width),
		...labelled('call', call.callId, width),
	];
}

function counted(number: number, noun: string): string {
	return `${groupedNumber(number)} ${noun}${number === 1 ? '' : 's'}`;
}
