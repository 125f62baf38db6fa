import {type Journal} from '../../journal/journal.ts';
import {type TraceRows} from '../../journal/rows/trace.ts';
import {tookText} from '../../state/time-text.ts';
import {type Trace, type TraceLine, type TraceSubject} from '../../state/trace.ts';
import {shownId} from '../../util/id-part.ts';
import {typedFlags} from '../../util/named-commands.ts';
import {quoted, safeText, shownName, toolText} from '../../util/safe-text.ts';
import {traceTimes} from './time-shares.ts';
import {type LineOptions, traceLines} from './trace-lines.ts';
import {groupedNumber, usdText} from '../../state/number-text.ts';

/** A trace from its rows: what happened and what the time was spent on (docs/dashboard.md, Traces). Without rows it has no lines. */
export function traceOf(subject: TraceSubject, rows: TraceRows | undefined, options: LineOptions): Trace {
	if (!rows) {
		return {
			subject,
			title: [shownId(subject.id)],
			lines: [],
			shares: [],
			readAt: options.now,
			startedAt: options.now,
			part: {number: 1, of: 1},
		};
	}

	const {part, run, event} = rows;
	const isOfRun = ({origin}: LineOptions['pending'][number]) => origin.kind === 'run' && origin.runId === run?.id;
	const pending = options.pending.filter(isOfRun);
	const lines = traceLines(rows, {...options, pending});
	const {shares, startedAt, ms} = traceTimes(rows, {...options, pending});
	return {
		subject,
		title: titleOf(rows, subject, ms),
		lines,
		...pickedLine(lines, rows, subject),
		shares,
		readAt: options.now,
		startedAt,
		part,
		...(event && {event: {id: event.id, route: safeText(event.route), event: safeText(event.event)}}),
		...(run && {runId: run.id}),
	};
}

/** Parts of a trace that are read for one document: it has to fit into one line of the control socket. */
const maxParts = 4;

/** The reads behind the trace of a stored row. */
type TraceSources = Omit<LineOptions, 'flags'> & {readonly journal: Pick<Journal, 'findTrace'>};

/** The trace of a stored row with its first calls and its last ones. */
export async function storedTrace(
	subject: TraceSubject,
	profile: string,
	{journal, ...options}: TraceSources,
): Promise<Pick<Trace, 'lines' | 'shares'>> {
	const flags = typedFlags({profile});
	const read = async (part: number) =>
		traceOf(subject, await journal.findTrace({subject, profile, part}), {...options, flags});
	const first = await read(1);
	const {of} = first.part;
	const others = Array.from({length: Math.min(of, maxParts) - 1}, (_, index) => index + 2);
	const later: Trace[] = [];
	for (const part of of > maxParts ? [...others.slice(0, -1), of] : others) {
		later.push(await read(part));
	}

	return {lines: [first, ...later].flatMap(({lines}) => lines), shares: first.shares};
}

/** A title is cut at 100 characters. */
const shortName = {maximumCharacters: 60} as const;

/** The subject of a trace, its outcome and its duration. */
function titleOf(
	{event, run, calls, decisions, messages, spent}: TraceRows,
	subject: TraceSubject,
	ms: number,
): readonly string[] {
	const [call] = calls;
	const about = call ?? decisions[0];
	const {usage, microUsd} = run?.result?.usage ? run.result : spent;
	const route = event?.route ?? run?.route ?? '';
	const from = run?.job === undefined ? route && shownName(route, shortName) : `job ${run.job}`;
	const alone = about ? toolText(about, shortName) : (messages[0]?.target ?? '');
	return [
		shownId(event?.id ?? run?.id ?? subject.id),
		event || run ? from : alone,
		eventName(event ?? run),
		run?.state ?? event?.outcome.replaceAll('_', ' ') ?? '',
		ms > 0 ? tookText(ms) : '',
		usage ? `${groupedNumber(usage.inputTokens + usage.outputTokens)} tokens` : '',
		microUsd === undefined ? '' : usdText(microUsd),
	]
		.filter(Boolean)
		.map(text => safeText(text, {maximumCharacters: 100}));
}

/** Its sender named the event; a run that no route started has a name of Sluice's own. */
function eventName({route, event}: {readonly route: string; readonly event: string} = {route: '', event: ''}): string {
	return route === '' || event === '' ? event : quoted(event, shortName);
}

/** The line that the trace was opened for. For a run it is what waits, else what was delivered, else how it ended. */
function pickedLine(
	lines: readonly TraceLine[],
	{decisions}: TraceRows,
	{kind, id}: TraceSubject,
): Pick<Trace, 'picked'> {
	const decision = decisions.find(one => (kind === 'call' ? one.callId === id : one.id === id));
	const wanted: Readonly<Record<TraceSubject['kind'], ReadonlyArray<(line: TraceLine) => boolean>>> = {
		event: [line => line.id === 'request'],
		call: [line => line.id === `call ${id}`, line => line.id === `decision ${decision?.id}`],
		decision: [line => line.id === `decision ${id}`, line => line.id === `call ${decision?.callId}`],
		delivery: [line => line.id === `delivery ${id}`],
		run: ofRun,
		job: ofRun,
	};
	const found = wanted[kind].map(isWanted => lines.findLast(isWanted)).find(line => line !== undefined);
	return found ? {picked: found.id} : {};
}

const ofRun = [
	(line: TraceLine) => line.opens.kind === 'request',
	(line: TraceLine) => line.status.of === 'delivery',
	(line: TraceLine) => line.status.of === 'run',
];
