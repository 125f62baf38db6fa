import {type Snapshot} from '../../state/snapshot.ts';
import {type RowSubject} from '../../state/trace.ts';
import {entryId, traceCall, traceEntries} from '../pages/trace-page.ts';
import {callOfMode} from '../pages/row-page.ts';
import {pageCall} from '../pages/traced-row.ts';
import {type Move} from '../state/keymap.ts';
import {end, type TraceMode} from '../state/mode.ts';
import {openReview} from '../state/review.ts';
import {movedBy} from '../state/selection.ts';
import {stay, type Step, type UiContext, type UiState, withCall, withMode, withToast} from '../state/ui-state.ts';
import {pageRows} from '../text/layout.ts';

/** Moves to another line; beyond the last line of a part comes the next part. */
export function moveLine(ui: UiState, mode: TraceMode, move: Move, context: UiContext): Step {
	const {trace, entries, index} = traceEntries(mode, ui.view, context.snapshot);
	const last = entries.length - 1;
	const wanted = movedBy(move, {position: index, last, page: pageRows(ui.size)});
	const {number, of} = trace?.part ?? {number: 1, of: 1};
	if (wanted > last && index === last && number < of) {
		return askForPart(ui, {...mode, part: number + 1, picked: 'first'}, context);
	}

	if (wanted < 0 && index === 0 && number > 1) {
		return askForPart(ui, {...mode, part: number - 1, picked: 'last'}, context);
	}

	const target = entries[Math.min(last, Math.max(0, wanted))];
	return stay(target ? withMode(ui, {...mode, picked: {id: entryId(target)}}) : ui);
}

function askForPart(ui: UiState, mode: TraceMode, context: UiContext): Step {
	return withCall(withMode(ui, mode), traceCall(mode), context);
}

/** Opens the picked line: all of the row that it is about, or the request that waits. */
export function openLine(ui: UiState, mode: TraceMode, context: UiContext): Step {
	const {entries, index} = traceEntries(mode, ui.view, context.snapshot);
	const entry = entries[index];
	if (!entry) {
		return stay(ui);
	}

	// Picks the line by its id, so that lines before it do not move it.
	const behind: TraceMode = {...mode, picked: {id: entryId(entry)}};
	if (entry.kind === 'row') {
		return stay(withMode(ui, {kind: 'detail', id: mode.id, scroll: 0, behind}));
	}

	const {opens: subject} = entry.line;
	if (subject.kind === 'request') {
		const card = context.snapshot.approvals.find(({id}) => id === subject.id);
		return stay(card ? withMode(ui, openReview(card)) : withToast(ui, 'this is no longer waiting', 'busy'));
	}

	const {profile} = mode;
	const page = withMode(ui, {
		kind: 'page',
		subject,
		profile,
		scroll: isWritten(subject, context.snapshot) ? end : 0,
		behind,
	});
	return withCall(page, pageCall(subject, profile), context);
}

/** The text of a run is followed at its end; the cause of its waiting is at the top. */
function isWritten(subject: RowSubject, {runs}: Snapshot): boolean {
	const run = subject.kind === 'run' ? runs.find(({runId}) => runId === subject.runId) : undefined;
	return run?.state === 'running' && run.waitingFor === 'nothing';
}

/** The open page is asked for again once the connection with the gateway is back, and a trace when more of it has happened. */
export function followOpen(ui: UiState, context: UiContext): Step {
	const isBack = ui.console.state === 'lost' && context.snapshot.console.state === 'attached';
	const call = isBack ? callOfMode(ui.mode, ui.view, context.snapshot) : undefined;
	return call ? withCall(ui, call, context) : followTrace(ui, context);
}

/** The trace is asked for again, once, when more of it has happened since it was read. */
function followTrace(ui: UiState, context: UiContext): Step {
	const {mode} = ui;
	if (mode.kind !== 'trace') {
		return stay(ui);
	}

	const {snapshot} = context;
	const {trace} = traceEntries(mode, ui.view, snapshot);
	if (!trace || mode.askedSince === trace.readAt || !hasChanged(mode, trace, snapshot)) {
		return stay(ui);
	}

	const asked: TraceMode = {...mode, part: trace.part.number, askedSince: trace.readAt};
	// Its last part may have become another one.
	const {part: _, ...whole} = asked;
	const isLast = trace.part.number === trace.part.of;
	return withCall(withMode(ui, asked), traceCall(isLast ? whole : asked), context);
}

/** True if a row of the trace in the rings has changed since the shown trace was read. */
function hasChanged(
	{subject}: TraceMode,
	{runId, event, readAt}: NonNullable<Snapshot['trace']>,
	{runs, events, approvals, calls}: Snapshot,
): boolean {
	const isOfRun = (origin: Snapshot['calls'][number]['origin']) => origin.kind === 'run' && origin.runId === runId;
	const run = runs.findLast(row => row.runId === runId);
	if (run && Math.max(run.changedAt, run.delivering?.since ?? 0) >= readAt) {
		return true;
	}

	if (approvals.some(row => row.requestedAt >= readAt && isOfRun(row.origin))) {
		return true;
	}

	if (calls.some(row => row.startedAt >= readAt && isOfRun(row.origin))) {
		return true;
	}

	for (const row of events.toReversed()) {
		if (row.time < readAt) {
			return false;
		}

		const isPart =
			row.type === 'tool.finished'
				? isOfRun(row.origin) || row.callId === subject.id
				: row.type === 'webhook.settled'
					? row.eventId === event?.id
					: row.type === 'delivery.settled' && row.messageId === subject.id;
		if (isPart) {
			return true;
		}
	}

	return false;
}

/** The command behind the picked line of a trace, or of the page opened from it. */
export function pickedCommand({mode, view}: UiState, snapshot: Snapshot): string | undefined {
	const trace = mode.kind === 'page' ? mode.behind : mode;
	if (trace.kind !== 'trace') {
		return undefined;
	}

	const {entries, index} = traceEntries(trace, view, snapshot);
	const entry = entries[index];
	return entry?.kind === 'line' ? entry.line.command : undefined;
}
