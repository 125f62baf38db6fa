import {type CallRow, type Journal} from '../../journal/journal.ts';
import {type AnsweredJson} from '../../state/json/approval.ts';
import {type CallOutcome} from '../../state/approval-event.ts';
import {type Clock, sleep} from '../../util/clock.ts';
import {type ProblemCode} from '../../util/problem-codes.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';

/** An allowed call that neither begins nor ends is followed so long; a hold or its server may keep it waiting much longer. */
const followMilliseconds = 30_000;

/** A call that began is followed so long: its server may have been woken, and offer other tools. */
const sendMilliseconds = 300;

/** The time between two reads of the rows of another gateway. */
const pollMilliseconds = 200;

/** Progress of an allowed call. `waiting`: it has neither begun nor ended. */
type CallProgress = 'waiting' | 'begun' | {readonly unsent: string | undefined};

/** Follows a call until it has begun or ended. */
type FollowedCall = {
	/** Resolves with `waiting` once the time is over, or the caller goes away. */
	readonly progress: (signal: AbortSignal) => Promise<CallProgress>;
	readonly close: () => void;
};

/** Allows a request, and reports a call that then ends without being sent, as after a change of its tool, or that still waits for its turn. */
export async function followingCall(
	call: FollowedCall,
	allow: () => Promise<AnsweredJson>,
	signal: AbortSignal,
): Promise<AnsweredJson> {
	try {
		const answered = await allow();
		return answered.answer === 'resolved' ? {...answered, ...progressJson(await call.progress(signal))} : answered;
	} finally {
		call.close();
	}
}

function progressJson(progress: CallProgress): Partial<AnsweredJson> {
	switch (progress) {
		case 'begun':
			return {};
		case 'waiting':
			return {call: 'waiting'};
		default:
			return {end: {outcome: 'cancelled', scope: null, by: null, message: progress.unsent ?? null}};
	}
}

/** Follows the call behind a request of this gateway by its events, from now on. */
export function followOwnCall(
	approvalId: string,
	{eventBus, clock}: Pick<ProfileContext, 'eventBus' | 'clock'>,
): FollowedCall {
	const over = Promise.withResolvers<CallProgress>();
	let stage: 'waiting' | 'begun' = 'waiting';
	const resolveStage = () => over.resolve(stage);
	let timer = clock.after(followMilliseconds, resolveStage);
	const close = eventBus.listen(event => {
		if (!('approvalId' in event) || event.approvalId !== approvalId) {
			return;
		}

		if (event.type === 'tool.finished') {
			const isUnsent = stage === 'waiting' || isUnsentEnd(event);
			over.resolve(isUnsent ? {unsent: event.summary} : 'begun');
			return;
		}

		stage = 'begun';
		timer.cancel();
		timer = clock.after(sendMilliseconds, resolveStage);
	});
	return {
		async progress(signal) {
			signal.addEventListener('abort', resolveStage, {once: true});
			return over.promise;
		},
		close() {
			timer.cancel();
			close();
		},
	};
}

/** Follows the call behind a request of another gateway by the rows of the journal that both share. */
export function followStoredCall(
	approvalId: string,
	{journal, clock}: {readonly journal: Pick<Journal, 'findDecision' | 'findCall'>; readonly clock: Clock},
): FollowedCall {
	const find = async () => {
		const decision = await journal.findDecision(approvalId);
		return decision?.callId === undefined ? undefined : journal.findCall(decision.callId);
	};

	return {
		async progress(signal) {
			const until = clock.elapsed() + followMilliseconds;
			let begunAt: number | undefined;
			while (!signal.aborted) {
				// While the rows cannot be read, nothing is known of the call.
				const progress = storedProgress(await find().catch(() => undefined));
				const now = clock.elapsed();
				begunAt ??= progress === 'begun' ? now : undefined;
				const isOver = now >= (begunAt === undefined ? until : begunAt + sendMilliseconds);
				if (isOver || progress === 'ended' || typeof progress === 'object') {
					return progress === 'ended' ? 'begun' : progress;
				}

				await sleep(clock, pollMilliseconds, signal).catch(() => undefined);
			}

			return begunAt === undefined ? 'waiting' : 'begun';
		},
		close: () => undefined,
	};
}

/** Progress of a call as its row has it. `ended`: it was sent and has its end. */
function storedProgress(call: CallRow | undefined): CallProgress | 'ended' {
	if (!call?.end) {
		return call ? 'begun' : 'waiting';
	}

	return isUnsentEnd(call.end) || refusals.has(call.end.code) ? {unsent: call.end.result?.text} : 'ended';
}

/** True for the end of a call that was withdrawn or refused after it was allowed. */
function isUnsentEnd({outcome, code}: {readonly outcome: CallOutcome; readonly code?: ProblemCode}): boolean {
	return unsentOutcomes.has(outcome) || code === 'unknown_tool';
}

const unsentOutcomes: ReadonlySet<CallOutcome> = new Set(['cancelled', 'denied', 'timed_out', 'no_channel']);

/** Codes of a call that failed before it was sent. */
const refusals: ReadonlySet<ProblemCode | undefined> = new Set(['invalid_arguments', 'storage_unavailable']);
