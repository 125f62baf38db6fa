import {type Journal, type RunEnd, type RunRecord, type RunRow} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock, untilAborted} from '../util/clock.ts';
import {type GiveToCaller} from './event-callers.ts';
import {type RunEnded} from './failure-notices.ts';
import {type AnswerDelivery, type DeliverAnswer} from './run-answers.ts';
import {reportUnreadNotes, runAppeared, runChanged, runStored} from './run-event.ts';
import {type ProfileOf} from './run-profile.ts';
import {
	endingOfAbort,
	endingOfDelivery,
	reportedFailure,
	type RunEnding,
	type WorkEnd,
	type WorkOptions,
} from './run-ending.ts';
import {createRunReport, type RunReport} from './run-report.ts';
import {nextRunState} from './run-state.ts';

/** The payload of an event, as text. Rejects with `storage_unavailable`. */
export type PayloadOf = (eventId: string) => Promise<string | undefined>;

type ExecuteOptions = {
	readonly journal: Pick<
		Journal,
		'finishRun' | 'requeueRun' | 'findConversation' | 'findRun' | 'putModelTurn' | 'markNotesRead' | 'listUnreadNotes'
	>;
	readonly clock: Clock;
	readonly deliverAnswer: DeliverAnswer;
	readonly giveToCaller?: GiveToCaller;
	readonly profileOf: ProfileOf;
	readonly payloadOf: PayloadOf;
	/** Called for a run that ended, for the message about one that failed. */
	readonly ended: RunEnded;
};

/** Creates the function that executes a taken run to its end (model, delivery, state) or requeues it. It rejects only with `storage_unavailable`. */
export function createExecuteRun(options: ExecuteOptions): (run: RunRecord, options: WorkOptions) => Promise<WorkEnd> {
	const {journal, clock, deliverAnswer, giveToCaller, profileOf, payloadOf, ended} = options;
	/** The number of times that requeued runs were taken, by their ids. */
	const tries = new Map<string, number>();

	const answerAndDeliver = async (
		run: RunRecord,
		{signal, slot}: Pick<WorkOptions, 'signal' | 'slot'>,
		{report, toEnd}: {readonly report: RunReport; readonly toEnd: (ending: RunEnding) => RunEnd},
	): Promise<RunEnding> => {
		signal.throwIfAborted();
		const [history, payload] = await Promise.all([
			run.conversation === undefined ? undefined : journal.findConversation(run.conversation),
			payloadOf(run.firstEventId ?? run.eventId),
		]);
		const unreadNotes = () => journal.listUnreadNotes(run.id);
		const asked = {signal, slot, history, payload, unreadNotes, report: report.report};
		const replying = profileOf(run.profile).agent.answer(run, asked);
		const reply = await untilAborted(replying, signal);
		const decide = createDecide(run, delivery => ({
			...endingOfDelivery(delivery, {signal, stage: report.stage()}),
			reply,
		}));
		const delivery = await deliverAnswer(run, reply.text, {
			signal,
			endOf(part) {
				const ending = decide(part);
				return isQueuedAgain(ending) ? undefined : toEnd(ending);
			},
		});
		return decide(delivery);
	};

	const fail = (run: RunRecord, caught: unknown, report: RunReport): RunEnding => {
		const count = (tries.get(run.id) ?? 0) + 1;
		const {publish} = profileOf(run.profile);
		const ending = reportedFailure(run.id, caught, {stage: report.stage(), tries: count, publish});
		if (ending.step === 'requeue') {
			tries.set(run.id, count);
		}

		return ending;
	};

	return async (run, {signal, slot, onAsked}) => {
		const {publish} = profileOf(run.profile);
		const startedAt = clock.now();
		publish(runAppeared(run, 'running', {startedAt}));
		const report = createRunReport(run, {journal, publish, signal, onAsked});
		const toEnd = ({step, reason, reply}: RunEnding): RunEnd => {
			const result = {...report.result(), ...(reply && {answer: reply.text}), startedAt};
			return {state: nextRunState('running', step), reason, result, conversation: reply?.conversation};
		};

		const ending = await answerAndDeliver(run, {signal, slot}, {report, toEnd}).catch((caught: unknown) =>
			signal.aborted
				? endingOfAbort(signal, {stage: report.stage(), stopped: 'the gateway stopped'})
				: fail(run, caught, report),
		);
		report.close();
		const end = toEnd(ending);
		if (isQueuedAgain(ending)) {
			const {state, reason} = end;
			const isQueued = await journal.requeueRun(run.id, reason ?? '');
			publish(isQueued ? runChanged(run, state, {reason}) : await takenOver(run, journal));
			return ending.step === 'withhold' ? 'withheld' : 'requeued';
		}

		tries.delete(run.id);
		const storedBy = await storeEnd(run, {ending, end}, {journal, publish, ended});
		void (storedBy === 'this-gateway' && reportUnreadNotes(run, {journal, publish}));
		await (storedBy === 'this-gateway' && !ending.reply && giveToCaller?.(run, {kind: 'failed'}));
		return 'over';
	};
}

/** Creates the decision about a run by the delivery of its answer. The row written with the end of a single message stays, even if somebody cancels the run meanwhile; of several, the journal decides. */
function createDecide(
	{deliver}: RunRecord,
	endingOf: (delivery: AnswerDelivery) => RunEnding,
): (delivery: AnswerDelivery) => RunEnding {
	let decided: RunEnding | undefined;
	return delivery => {
		decided = (deliver.length < 2 ? decided : undefined) ?? endingOf(delivery);
		return decided;
	};
}

/** Stores the end of a run, unless the journal has given it one with its messages, and publishes it. Returns the gateway whose end it is. */
async function storeEnd(
	run: RunRecord,
	{ending, end}: {readonly ending: RunEnding; readonly end: RunEnd},
	{
		journal,
		publish,
		ended,
	}: {
		readonly journal: Pick<Journal, 'findRun' | 'finishRun'>;
		readonly publish: Publish;
		readonly ended: RunEnded;
	},
): Promise<'this-gateway' | 'another-gateway'> {
	const decided = await endOfMessages(run, ending, journal);
	if (decided) {
		publish(runStored(decided));
		ended(run, decided);
		return 'this-gateway';
	}

	const {
		state,
		reason,
		result: {startedAt: _, ...facts},
	} = end;
	// True, too, when the run ended together with the delivery of its answer.
	const isFinished = await journal.finishRun(run.id, end);
	publish(isFinished ? runChanged(run, state, {reason, ...facts}) : await takenOver(run, journal));
	if (!isFinished) {
		return 'another-gateway';
	}

	ended(run, end);
	return 'this-gateway';
}

/** The run with the end that the journal has given it, by the rows of several messages; undefined while it has none. */
async function endOfMessages(
	{id, deliver}: RunRecord,
	{reply}: RunEnding,
	journal: Pick<Journal, 'findRun'>,
): Promise<RunRow | undefined> {
	const stored = reply && deliver.length > 1 ? await journal.findRun(id).catch(() => undefined) : undefined;
	return stored?.state === 'running' ? undefined : stored;
}

function isQueuedAgain({step}: RunEnding): boolean {
	return step === 'requeue' || step === 'withhold';
}

/** The event of a run that another gateway interrupted because it declared this one dead; it may have sent the answer, too. */
async function takenOver(run: RunRecord, journal: Pick<Journal, 'findRun'>) {
	const stored = await journal.findRun(run.id).catch(() => undefined);
	return stored ? runStored(stored) : runChanged(run, 'interrupted', {});
}
