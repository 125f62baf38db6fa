import {isSilentAnswer, silentAnswer} from '../agent/run-task.ts';
import {type DeliveryResult} from '../delivery/deliver.ts';
import {
	answerWaits,
	type OutgoingMessage,
	type Journal,
	type RunEnd,
	type RunRecord,
	type RunRow,
} from '../journal/journal.ts';
import {callerTarget} from '../state/event-caller.ts';
import {type Publish} from '../state/event.ts';
import {type Problem} from '../util/problem.ts';
import {type ProblemCode} from '../util/problem-codes.ts';
import {type GiveToCaller} from './event-callers.ts';
import {deliveredLater} from './message-state.ts';
import {type LeftMessages, type Outbox} from './outbox.ts';
import {resultOfAll} from './delivery-results.ts';
import {runStored} from './run-event.ts';
import {type Failure, type NoteFailure} from './failure-notices.ts';
import {reportProblem} from './run-problems.ts';
import {type DeliverStored} from './send-stored-message.ts';

/** The outcome of delivering a run's answer. `silent`: there was nothing to deliver; `shown`: it goes only to the dashboard; `retrying`: it did not arrive and is sent again; `uncertain`: it may have arrived. */
export type AnswerDelivery =
	| {readonly kind: 'delivered' | 'silent' | 'shown' | 'retrying'}
	| {readonly kind: 'failed' | 'uncertain'; readonly reason: string; readonly code?: ProblemCode};

/** Delivers the answer to a run, a model's or a person's. What `endOf` says of the end of the run is written together with that of the delivery, where there is one. Never rejects. */
export type DeliverAnswer = (
	run: RunRecord,
	text: string,
	options: {readonly signal: AbortSignal; readonly endOf: (delivery: AnswerDelivery) => RunEnd | undefined},
) => Promise<AnswerDelivery>;

/** Creates the function that delivers answers to the targets of their runs, and to the senders of their events. */
export function createDeliverAnswer(deliver: DeliverStored, give: GiveToCaller = async () => undefined): DeliverAnswer {
	return async (run, text, {signal, endOf}) => {
		await give(run, isSilentAnswer(text) ? {kind: 'silent'} : {kind: 'text', text}, signal);
		const {id: runId, eventId, profile, deliver: destinations, deliveryId, route, job} = run;
		if (destinations.length === 0) {
			return {kind: 'shown'};
		}

		if (text.trim() === silentAnswer) {
			return {kind: 'silent'};
		}

		const about = {text, deliveryId, route, ...(job !== undefined && {job}), profile, eventId, runId};
		const results = await deliver(
			destinations.map(destination => ({...about, ...destination})),
			{signal, endOf: ended => endOf(deliveryOf(ended))},
		);
		return deliveryOf(resultOfAll(destinations, results));
	};
}

function deliveryOf(result: DeliveryResult): AnswerDelivery {
	return result.kind === 'delivered' || result.kind === 'retrying'
		? {kind: result.kind}
		: {kind: result.kind, reason: result.problem.message, code: result.problem.code};
}

/** The publisher of a profile; without a name, of the first one. */
type PublishOf = (profile?: string) => Publish;

/** Publishes how a run ended whose message was sent later than it wrote it, or that it is still an inbox item. */
export function createPublishEnd({
	journal,
	publishOf,
	noteFailure,
}: {
	readonly journal: Pick<Journal, 'findRun' | 'setRunState' | 'findMessage'>;
	readonly publishOf: PublishOf;
	/** Default: nobody has to know. */
	readonly noteFailure?: NoteFailure;
}): (answer: OutgoingMessage, result: DeliveryResult) => Promise<void> {
	return async (message, result) => {
		const {runId, target, others} = message;
		// The sender of the event is one more target of its run, which ends by the others.
		if (target === callerTarget) {
			return;
		}

		const run = runId === undefined ? undefined : await journal.findRun(runId);
		if (noteFailure) {
			const failure = await failureOf(message, {run, result, journal});
			void (failure && noteFailure(failure));
		}

		// Its message became uncertain before the run was interrupted.
		if (run?.state === 'interrupted' && (result.kind === 'failed' || result.kind === 'uncertain')) {
			const reason = partReason(message, result);
			await journal.setRunState(run.id, 'failed', reason);
			publishOf(run.profile)(runStored({...run, state: 'failed', reason}));
			return;
		}

		const reasons: ReadonlyArray<string | undefined> =
			result.kind === 'delivered' ? Object.values(deliveredLater) : [result.problem.message, answerWaits];
		// Any other end stays.
		if (run && (others || run.state === 'inbox' || reasons.includes(run.reason))) {
			publishOf(run.profile)(runStored(run));
		}
	};
}

/** The failure of a message that is not sent again by itself; undefined for one that a person cancelled, or answers again, and for one that is about a failure. */
async function failureOf(
	message: OutgoingMessage,
	{
		run,
		result,
		journal,
	}: {
		readonly run: RunRow | undefined;
		readonly result: DeliveryResult;
		readonly journal: Pick<Journal, 'findMessage'>;
	},
): Promise<Failure | undefined> {
	const {profile, route, job, runId, eventId, deliveryId, onFailure = run?.onFailure, about} = message;
	const isFailed = result.kind === 'failed' || result.kind === 'uncertain';
	if (!isFailed || result.problem.code === 'cancelled' || about !== undefined || run?.state === 'inbox') {
		return undefined;
	}

	// At a stop a message of which nothing has arrived waits for the next start.
	const {state} = (await journal.findMessage(message.id)) ?? {};
	return state === 'failed' || state === 'outcome_uncertain'
		? {profile, route, job, reason: partReason(message, result), runId, eventId, deliveryId, onFailure}
		: undefined;
}

function partReason({target, others}: OutgoingMessage, {problem}: {readonly problem: Problem}): string {
	return others ? `${target}: ${problem.message}` : problem.message;
}

/** After a start: sends the undelivered answers of an earlier process, and ends their runs. Never rejects. */
export async function resumeAnswers(
	left: LeftMessages,
	options: Parameters<typeof createPublishEnd>[0] & {readonly outbox: Pick<Outbox, 'resume'>},
): Promise<void> {
	const {outbox, publishOf} = options;
	try {
		await outbox.resume(left, createPublishEnd(options));
	} catch (caught) {
		reportProblem(publishOf(), caught, 'answers of the last start');
	}
}
