import {type CallEnd, type CallRecord, type Journal} from '../journal/journal.ts';
import {type CallEvaluation} from '../journal/rows/records.ts';
import {isDeeperThan, isJsonObject, type JsonObject} from '../util/json-text.ts';
import {type Clock} from '../util/clock.ts';
import {callOutcome, type ToolOutcome} from './tool-outcome.ts';
import {
	type CallOptions,
	type CallTask,
	deepestArguments,
	originOfTask,
	type ToolCall,
	type ValidatedCall,
} from './validate-call.ts';

/** Writes the rows of calls. */
export type CallJournal = {
	readonly journal: Pick<Journal, 'startCall' | 'finishCall' | 'recordCall'>;
	readonly clock: Clock;
};

/** The time that a call of a read-only tool runs before the journal gets its start. Most calls have ended by then and are one row. */
const readOnlyStartMilliseconds = 250;

/** The row of a call that may be sent now. */
type JournalStart = {
	/** `evaluation` is the last one: a call that waited was evaluated again. */
	readonly finish: (end: CallEnd, evaluation: CallEvaluation | undefined) => void;
};

/**
Resolves when the call may be sent, once a journal is back that is away. One that changes nothing waits for no disk, unless it is that of a task: without
a row it was not sent.
*/
export async function journalStart(
	record: CallRecord,
	{journal, clock}: CallJournal,
	{signal, task}: Pick<CallOptions, 'signal' | 'task'>,
): Promise<JournalStart> {
	await task?.begin(record.id, signal);
	if (record.readOnly && task?.caller() !== 'handed-over') {
		return startBehind(record, {journal, clock});
	}

	await journal.startCall(record, {signal});
	return {
		finish(end, evaluation) {
			if (evaluation !== record.judged) {
				journal.recordCall({...record, ...(evaluation && {judged: evaluation})}, end);
			}

			journal.finishCall(record.id, end);
		},
	};
}

/** The start of a call that may go without its row, which then has no start. */
function startBehind(record: CallRecord, {journal, clock}: CallJournal): JournalStart {
	let started: Promise<'started' | 'missing'> | undefined;
	const timer = clock.after(readOnlyStartMilliseconds, () => {
		started = journal.startCall(record).then(
			() => 'started',
			() => 'missing',
		);
	});
	return {
		finish(end, evaluation) {
			timer.cancel();
			const ended = {...record, ...(evaluation && {judged: evaluation})};
			if (!started) {
				journal.recordCall(ended, end);
				return;
			}

			void started.then(start =>
				start === 'started' && evaluation === record.judged
					? journal.finishCall(record.id, end)
					: journal.recordCall(ended, end),
			);
		},
	};
}

/** The row of a call before it is sent. */
export function callRecord(
	id: string,
	call: ValidatedCall,
	when: {readonly time: number; readonly profile: string},
	task: CallTask | undefined,
): CallRecord {
	const {server, tool, readOnly} = call.tool;
	const {arguments: args} = call;
	const origin = callerOrigin(call, task);
	return {id, ...when, server, tool, arguments: args, origin, ...(readOnly && {readOnly})};
}

/** The origin of a call by its caller: its connection, or the task that it was handed over to. */
export function callerOrigin({origin}: Pick<ToolCall, 'origin'>, task: CallTask | undefined) {
	return originOfTask(origin, task?.caller() === 'handed-over' ? task : undefined);
}

/** Records a call that was not sent: without arguments if they were the reason. */
export function recordUnsent(
	{journal, clock, profile}: CallJournal & {readonly profile: string},
	made: {
		readonly id: string;
		readonly call: ToolCall;
		readonly server: string;
		readonly tool: string;
		readonly evaluation?: CallEvaluation | undefined;
		readonly outcome: ToolOutcome;
		/** Milliseconds. */
		readonly ms: number;
	},
): void {
	const {id, call, server, tool, evaluation, outcome, ms} = made;
	const {arguments: args, origin} = call;
	const stored: JsonObject = isJsonObject(args) && !isDeeperThan(args, deepestArguments) ? args : {};
	const about = {id, time: clock.now(), profile, server, tool, arguments: stored, origin};
	journal.recordCall({...about, ...(evaluation && {judged: evaluation})}, callEnd(outcome, Math.round(ms)));
}

/** The end of a call, with the result for its caller. */
export function callEnd(outcome: ToolOutcome, ms: number): CallEnd {
	if (outcome.kind === 'error') {
		const {code, message} = outcome.error;
		return {outcome: callOutcome(outcome), code, ms, result: {text: message}};
	}

	const {result: text, structuredContent} = outcome;
	return {outcome: callOutcome(outcome), ms, result: {text, ...(structuredContent && {structuredContent})}};
}
