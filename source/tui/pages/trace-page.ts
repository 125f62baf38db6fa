import {type GatewayCall} from '../../state/gateway-call.ts';
import {missingText} from '../state/ui-state.ts';
import {wrapToWidth} from '../text/text-width.ts';
import {type Snapshot, type TraceRow} from '../../state/snapshot.ts';
import {preciseTimeOfDay, timeOfDay, tookText} from '../../state/time-text.ts';
import {
	lineTimes,
	shareTexts,
	type TimeShare,
	type TimeUse,
	type TraceLine,
	type TraceStatus,
	useWords,
} from '../../state/trace.ts';
import {shownId} from '../../util/id-part.ts';
import {type ListRow} from '../lists/list-row.ts';
import {viewRows} from '../lists/view-rows.ts';
import {type ViewName} from '../lists/view-table.ts';
import {keyNames} from '../state/key-names.ts';
import {type TraceMode} from '../state/mode.ts';
import {type Screen} from '../state/screen.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {cell, type Line, pickedLine, ruleLine, type Span, span} from '../text/span.ts';
import {
	approvalText,
	callText,
	glyphs,
	noteText,
	runText,
	type StatusLabel,
	stepText,
	deliveryText,
	turnText,
	webhookText,
} from '../../state/entities/status-text.ts';

/** A line that can be picked: of the trace, or the row itself from which it was opened. */
export type TraceEntry =
	| {readonly kind: 'line'; readonly line: TraceLine}
	| {readonly kind: 'row'; readonly row: ListRow};

/** The entries of a trace's page, and the picked one. Without a trace the gateway has not replied yet. */
export type TraceEntries = {
	readonly trace: TraceRow | undefined;
	readonly entries: readonly TraceEntry[];
	readonly index: number;
};

/** The lines of a trace. A job's own row comes first, and that of what the journal does not have (any more) is all there is. */
export function traceEntries(mode: TraceMode, view: ViewName, snapshot: Snapshot): TraceEntries {
	const trace = shownTrace(mode, snapshot);
	if (!trace) {
		return {trace, entries: [], index: 0};
	}

	const isAlone = trace.lines.length === 0 || mode.subject.kind === 'job';
	const row = isAlone ? viewRows(view, snapshot, '').find(({id}) => id === mode.id) : undefined;
	const lines = trace.lines.map((line): TraceEntry => ({kind: 'line', line}));
	const entries = row ? [{kind: 'row', row} as const, ...lines] : lines;
	const indexOf = (id: string | undefined) => entries.findIndex(entry => entryId(entry) === id);
	const {picked} = mode;
	const index =
		picked === 'first'
			? 0
			: picked === 'last'
				? entries.length - 1
				: indexOf(typeof picked === 'string' ? trace.picked : picked.id);
	return {trace, entries, index: Math.max(0, index)};
}

/** The id by which a line is picked. */
export function entryId(entry: TraceEntry): string {
	return entry.kind === 'row' ? 'row' : entry.line.id;
}

/** The trace that the gateway has sent for a page. */
export function shownTrace({subject, part}: TraceMode, {trace}: Snapshot): TraceRow | undefined {
	const isSame = trace?.subject.kind === subject.kind && trace.subject.id === subject.id;
	return isSame && (part === undefined || part === trace.part.number) ? trace : undefined;
}

/** The call that asks the gateway for a trace. */
export function traceCall({subject, profile, part}: TraceMode): GatewayCall {
	return {method: 'traces.view', params: {subject, ...(part !== undefined && {part})}, profile};
}

/** The title and the lines of the page, as many as fit: the picked line is among them, and below them is what the time was spent on. It has no cursor where the keys mean something else. */
export function tracePage(
	mode: TraceMode,
	screen: Pick<Screen, 'ui' | 'snapshot' | 'size' | 'now' | 'readOnly'>,
	height: number,
	cursor: 'shown' | 'hidden' = 'shown',
): {readonly title: string; readonly lines: readonly Line[]} {
	const {ui, snapshot, size, now} = screen;
	const width = size.columns;
	const {trace, entries, index} = traceEntries(mode, ui.view, snapshot);
	if (!trace) {
		const missing = wrapToWidth(missingText(ui, traceCall(mode)), width - 2);
		return {title: `Trace ${shownId(mode.subject.id)}`, lines: missing.map(text => [span(` ${text}`, 'dim')])};
	}

	const times = timeLines(trace.shares, width, height);
	const notes = noteLines(trace);
	const rows = Math.max(1, height - times.length - notes.length);
	const top = Math.max(0, Math.min(entries.length - rows, index - Math.floor((rows - 1) / 2)));
	const ofDay = isNarrow(width) ? timeOfDay : preciseTimeOfDay;
	const whens = lineTimes(
		trace.lines.map(({at}) => at),
		trace.startedAt,
		ofDay,
	);
	const shown = entries.slice(top, top + rows).map((entry, offset): Line => {
		const isPicked = top + offset === index && cursor === 'shown';
		const line = [
			span(isPicked ? '> ' : '  ', 'accent'),
			...(entry.kind === 'row'
				? entry.row.line(width - 2, now, keyNames(screen))
				: lineSpans(entry.line, {when: whens[trace.lines.indexOf(entry.line)] ?? '', width})),
		];
		return isPicked ? pickedLine(line, width) : line;
	});
	const gap: readonly Line[] = times.length > 0 && shown.length < rows ? [[]] : [];
	return {title: traceTitle(trace), lines: [...shown, ...notes, ...gap, ...times]};
}

function traceTitle({title, part}: TraceRow): string {
	const parts = part.of > 1 ? [`part ${part.number} of ${part.of}`] : [];
	return `Trace ${[...title, ...parts].join(uiText` · `)}`;
}

function noteLines({lines, part: {number, of}}: TraceRow): readonly Line[] {
	if (lines.length === 0) {
		return [[span(' the journal has no record of it', 'dim')]];
	}

	const next = number < of ? 'scroll on for the next' : 'this is the last';
	return of === 1 ? [] : [[span(uiText` part ${number} of ${of} · ${next}`, 'notice')]];
}

/** When, glyph and word, and the facts. */
function lineSpans(
	{status, subject, facts}: TraceLine,
	{when, width}: {readonly when: string; readonly width: number},
): readonly Span[] {
	const {glyph, word, tone} = statusLabel(status);
	return [
		span(`${when.padStart(isNarrow(width) ? 8 : 12)} `, 'dim'),
		span(`${glyph} `, tone),
		cell(word, isNarrow(width) ? 10 : 14, tone),
		span(subject, 'strong'),
		...(facts.length === 0 ? [] : [span(`${subject === '' ? '' : '  '}${facts.join(uiText` · `)}`)]),
	];
}

function isNarrow(width: number): boolean {
	return width < 60;
}

function statusLabel(status: TraceStatus): StatusLabel {
	switch (status.of) {
		case 'request':
			return {glyph: glyphs.up, word: 'received', tone: 'normal'};
		case 'event':
			return webhookText[status.is];
		case 'run':
			return status.is === 'running' ? {...runText.running, word: 'run'} : runText[status.is];
		case 'turn':
			return turnText[status.is];
		case 'note':
			return noteText[status.is];
		case 'approval':
			return status.is === 'asked' ? {...stepText.waiting, word: 'asked'} : approvalText[status.is];
		case 'call':
			return status.is === 'running'
				? stepText.running
				: status.is === 'ok'
					? {...callText.ok, word: 'called'}
					: callText[status.is];
		case 'delivery':
			return status.is === 'sending' ? {...stepText.running, word: 'sending'} : deliveryText[status.is];
	}
}

const uses: Readonly<Record<TimeUse, Omit<StatusLabel, 'word'>>> = {
	person: {glyph: glyphs.approval, tone: 'notice'},
	calls: {glyph: glyphs.up, tone: 'good'},
	delivery: {glyph: uiText`✔`, tone: 'good'},
	checks: {glyph: glyphs.open, tone: 'normal'},
	queue: {glyph: uiText`–`, tone: 'dim'},
	model: {glyph: glyphs.running, tone: 'busy'},
	rest: {glyph: uiText`·`, tone: 'dim'},
};

/** The uses of time: a bar, and the same in words, the longest first. A low screen has only the words. */
function timeLines(shares: readonly TimeShare[], width: number, height: number): readonly Line[] {
	const whole = shares.reduce((sum, {ms}) => sum + ms, 0);
	if (whole === 0 || height < 4) {
		return [];
	}

	const words = shareTexts(shares).flatMap(({use, text}): readonly Span[] => {
		const {glyph, tone} = uses[use];
		return [span(` ${glyph} ${useWords[use]}`, tone), span(` ${text} `, 'dim')];
	});
	if (height < 10 || shares.length === 1) {
		return [words];
	}

	const bar = shares.map(({use}, index) => {
		const {glyph, tone} = uses[use];
		return span(glyph.repeat(barCells(shares, width - 2)[index] ?? 0), tone);
	});
	return [ruleLine(`where ${tookText(whole)} went`, width), [span(' '), ...bar], words];
}

/** Number of cells for each share of a bar: proportional, and in sum the width. */
export function barCells(shares: readonly TimeShare[], width: number): readonly number[] {
	const whole = shares.reduce((sum, {ms}) => sum + ms, 0);
	const exact = shares.map(({ms}) => (whole === 0 ? 0 : (ms / whole) * width));
	const cells = exact.map(Math.floor);
	const left = whole === 0 ? 0 : width - cells.reduce((sum, count) => sum + count, 0);
	const largest = exact
		.map((share, index) => ({index, rest: share - Math.floor(share)}))
		.toSorted((first, second) => second.rest - first.rest)
		.slice(0, left);
	return cells.map((count, index) => count + (largest.some(one => one.index === index) ? 1 : 0));
}
