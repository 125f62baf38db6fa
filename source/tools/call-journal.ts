import {type CallEnd, type CallRecord, type Journal} from '../journal/journal.ts';
import {type Clock} from '../util/clock.ts';
import {type CallEvaluation} from './call-rules.ts';
import {callOutcome, type ToolOutcome} from './tool-outcome.ts';
import {type ValidatedCall} from './validate-call.ts';

/** Writes the rows of calls. */
export type CallJournal = {
	readonly journal: Pick<Journal, 'startCall' | 'finishCall' | 'recordCall'>;
	readonly clock: Clock;
};

/** The time that a call of a read-only tool runs before the journal gets its start. Most calls have ended by then and are one row. */
const readOnlyStartMilliseconds = 250;

/** The row of a call that may be sent now. */
type JournalStart = {
	/** `judged` is what counted in the end, where the call was judged again since. */
	readonly finish: (end: CallEnd, judged: CallEvaluation | undefined) => void;
};

/** Resolves when the call may be sent, once a journal is back that is away. One that changes nothing waits for no disk. */
export async function journalStart(
	record: CallRecord,
	{journal, clock}: CallJournal,
	signal: AbortSignal,
): Promise<JournalStart> {
	if (record.readOnly) {
		return startBehind(record, {journal, clock});
	}

	await journal.startCall(record, {signal});
	return {
		finish(end, judged) {
			if (judged !== record.judged) {
				journal.recordCall({...record, ...(judged && {judged})}, end);
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
		finish(end, judged) {
			timer.cancel();
			const ended = {...record, ...(judged && {judged})};
			if (!started) {
				journal.recordCall(ended, end);
				return;
			}

			void started.then(start =>
				start === 'started' && judged === record.judged
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
): CallRecord {
	const {server, tool, readOnly} = call.tool;
	const {origin, arguments: args} = call;
	return {id, ...when, server, tool, arguments: args, origin, ...(readOnly && {readOnly})};
}

/** The end of a call, with the result for its caller. */
export function callEnd(outcome: ToolOutcome, ms: number): CallEnd {
	if (outcome.kind === 'error') {
		const {code, message} = outcome.error;
		return {outcome: callOutcome(outcome), code, ms, answer: {text: message}};
	}

	const {result: text, structuredContent} = outcome;
	return {outcome: callOutcome(outcome), ms, answer: {text, ...(structuredContent && {structuredContent})}};
}
