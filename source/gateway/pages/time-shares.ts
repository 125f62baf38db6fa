import {type RunRow} from '../../journal/rows/records.ts';
import {type Interval, type TraceRows} from '../../journal/rows/trace.ts';
import {timeUses, type TimeShare, type TimeUse} from '../../state/trace.ts';
import {timeOfId} from '../../util/random-id.ts';
import {type LineOptions} from './trace-lines.ts';
import {isOpenRun} from '../../state/work-event.ts';

/** One use of time, from start to end, in milliseconds since the epoch. */
type TimeSpan = {readonly use: TimeUse; readonly from: number; readonly to: number};

/** The time from `start` to `end`, divided by what it was spent on: nothing is counted twice, so that the shares sum to the whole. Shares of nothing are left out. */
export function timeShares(spans: readonly TimeSpan[], start: number, end: number): readonly TimeShare[] {
	const whole = Math.max(start, end);
	const within = (time: number) => Math.min(Math.max(time, start), whole);
	const edges = spans
		.flatMap(({use, from, to}) => (to > from ? [edge(within(from), use, 1), edge(within(to), use, -1)] : []))
		.toSorted((first, second) => first.at - second.at);
	const spent = new Map<TimeUse, number>();
	const open = new Map<TimeUse, number>();
	let at = start;
	for (const {at: next, use, change} of [...edges, edge(whole, 'rest', 0)]) {
		const current = timeUses.find(one => (open.get(one) ?? 0) > 0) ?? 'rest';
		spent.set(current, (spent.get(current) ?? 0) + next - at);
		open.set(use, (open.get(use) ?? 0) + change);
		at = next;
	}

	return timeUses.flatMap(use => {
		const ms = spent.get(use) ?? 0;
		return ms > 0 ? [{use, ms}] : [];
	});
}

function edge(at: number, use: TimeUse, change: -1 | 0 | 1) {
	return {at, use, change};
}

/** From the first to the last thing of all parts of a trace, and what the time was spent on. */
export function traceTimes(
	{event, run, messages, calls, decisions, waits, work}: TraceRows,
	{now, pending}: Pick<LineOptions, 'now' | 'pending'>,
): {readonly shares: readonly TimeShare[]; readonly startedAt: number; readonly ms: number} {
	const isOver = !run || !isOpenRun(run);
	const end = isOver ? undefined : now;
	const span = (use: TimeSpan['use'], from: number, to: number | undefined): TimeSpan => ({use, from, to: to ?? now});
	const asked: readonly Interval[] = [...waits, ...pending.map(({requestedAt}) => [requestedAt, undefined] as const)];
	const queuedUntil = run?.result?.startedAt ?? (run?.state === 'queued' ? now : run?.changedAt);
	const spans = [
		...asked.map(([from, to]) => span('person', from, to)),
		...work.map(([from, to]) => span('calls', from, to ?? (isOver ? from : now))),
		...messages.map(({id, changedAt}) => span('delivery', timeOfId(id) ?? changedAt, changedAt)),
		...(event ? [span('checks', event.time, event.time + event.ms)] : []),
		...(run ? runSpans(run, queuedUntil, end) : []),
	].map(one => ({...one, to: Math.min(one.to, now)}));
	const marks = [...spans.flatMap(({from, to}) => [from, to]), ...calls.map(call => call.time)];
	const ends = [...marks, ...decisions.map(({time}) => time), ...messages.map(({changedAt}) => changedAt)];
	// One by one: there may be more of them than a call takes arguments.
	const first = ends.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
	const last = ends.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY);
	const shares = timeShares(spans, first, end ?? last);
	return {shares, startedAt: first, ms: shares.reduce((sum, {ms}) => sum + ms, 0)};
}

/** Without the time at which it left the queue, all of a run that is over counts for the model. */
function runSpans(run: RunRow, queuedUntil: number | undefined, end: number | undefined): readonly TimeSpan[] {
	const {state, createdAt, changedAt, result} = run;
	const to = end ?? changedAt;
	if (state === 'inbox') {
		return [
			{use: 'queue', from: createdAt, to: changedAt},
			{use: 'person', from: changedAt, to},
		];
	}

	// A person answered what no model was asked.
	if (state === 'finished' && result?.model === undefined) {
		return [{use: 'person', from: createdAt, to}];
	}

	const isKnown = result?.startedAt !== undefined || state === 'queued' || state === 'running';
	const from = isKnown ? (queuedUntil ?? createdAt) : createdAt;
	return [
		{use: 'queue', from: createdAt, to: from},
		{use: 'model', from, to},
	];
}
