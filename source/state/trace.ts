import {preciseTimeOfDay, tookText} from './time-text.ts';
import {type ApprovalOutcomeName, type CallOutcome} from './approval-event.ts';
import {type RunNoteState, type RunStatus, type WebhookOutcomeName} from './work-event.ts';

/** The row that a trace is opened from: a row of the journal by its id, or a job by its name. */
export type TraceSubject = {readonly kind: (typeof traceKinds)[number]; readonly id: string};

/** The kinds of rows with a trace. */
export const traceKinds = ['event', 'run', 'call', 'decision', 'delivery', 'job'] as const;

/** A row of the journal that a page shows whole. */
export type RowSubject =
	| {readonly kind: 'event'; readonly eventId: string}
	| {readonly kind: 'run'; readonly runId: string}
	/** A tool call: its arguments and its result. */
	| {readonly kind: 'call'; readonly callId: string}
	/** A settled approval, by the id of its request. */
	| {readonly kind: 'decision'; readonly id: string}
	/** A delivered message, by its id in the journal. */
	| {readonly kind: 'delivery'; readonly id: string};

/** The subject of a line and its state. */
export type TraceStatus =
	| {readonly of: 'request'; readonly is: 'received'}
	| {readonly of: 'event'; readonly is: WebhookOutcomeName}
	| {readonly of: 'run'; readonly is: RunStatus}
	| {readonly of: 'turn'; readonly is: 'asking' | 'answered' | 'unanswered'}
	| {readonly of: 'note'; readonly is: RunNoteState}
	| {readonly of: 'approval'; readonly is: 'asked' | ApprovalOutcomeName}
	| {readonly of: 'call'; readonly is: 'running' | CallOutcome}
	| {readonly of: 'delivery'; readonly is: 'sending' | 'delivered' | 'retrying' | 'failed' | 'outcome_uncertain'};

/** One thing that happened. Texts are safe to show and have no line breaks. */
export type TraceLine = {
	/** Names it among the lines of its trace, also after the trace was read again. */
	readonly id: string;
	/** Milliseconds since the epoch. */
	readonly at: number;
	readonly status: TraceStatus;
	/** The tool, the target or the model; may be empty. */
	readonly subject: string;
	readonly facts: readonly string[];
	/** The row or the waiting request that Enter opens. */
	readonly opens: RowSubject | {readonly kind: 'request'; readonly id: string};
	/** The command that shows or repeats it. */
	readonly command?: string;
};

/** Uses of time; where two overlap, the first of them counts. */
export const timeUses = ['person', 'calls', 'delivery', 'checks', 'queue', 'model', 'rest'] as const;

export type TimeUse = (typeof timeUses)[number];

/** The uses of time, in words. */
export const useWords: Readonly<Record<TimeUse, string>> = {
	person: 'waited for you',
	calls: 'calls',
	delivery: 'delivery',
	checks: 'checks',
	queue: 'in the queue',
	model: 'model',
	rest: 'rest',
};

/** The total time of one use, in milliseconds; the shares sum to the whole. */
export type TimeShare = {readonly use: TimeUse; readonly ms: number};

/** One request or run and everything that came of it, in the sequence in which it happened; long ones in parts. */
export type Trace = {
	readonly subject: TraceSubject;
	/** Short ids, route, state: what the title says. */
	readonly title: readonly string[];
	readonly lines: readonly TraceLine[];
	/** The line that is about the subject. */
	readonly picked?: string;
	readonly shares: readonly TimeShare[];
	readonly part: {readonly number: number; readonly of: number};
	/** When it was read from the journal, in milliseconds since the epoch. */
	readonly readAt: number;
	/** When the first of it happened, in milliseconds since the epoch. */
	readonly startedAt: number;
	/** The event that began it, and the run of its calls. */
	readonly event?: {readonly id: string; readonly route: string; readonly event: string};
	readonly runId?: string;
};

/** When the lines of a trace happened: the first with its time of day, the others with the time since then. */
export function lineTimes(
	times: readonly number[],
	startedAt: number,
	timeOf: (time: number) => string = preciseTimeOfDay,
): readonly string[] {
	return times.map((at, index) => (index === 0 ? timeOf(at) : `+${tookText(Math.max(0, at - startedAt))}`));
}

/** The longest first, each with its part of the whole: `4.6 s (90 %)`. */
export function shareTexts(
	shares: readonly TimeShare[],
): ReadonlyArray<{readonly use: TimeUse; readonly text: string}> {
	const whole = shares.reduce((sum, {ms}) => sum + ms, 0);
	return shares
		.toSorted((first, second) => second.ms - first.ms)
		.map(({use, ms}) => ({use, text: `${tookText(ms)} ${percentText(ms / whole)}`.trim()}));
}

/** `(90 %)`; nothing where it is all. */
function percentText(share: number): string {
	const percent = Math.round(share * 100);
	return share === 1 ? '' : percent === 0 ? '(< 1 %)' : percent === 100 ? '(> 99 %)' : `(${percent} %)`;
}
