import {type WaitingTime} from '../../approvals/waiting-time.ts';
import {type Journal} from '../../journal/journal.ts';
import {type TimeLeft} from '../../journal/rows/request-rows.ts';
import {type TaskApproval, type TaskCall, type TaskClient} from '../../journal/rows/task-rows.ts';
import {type CallContent} from '../../mcp/connection.ts';
import {type Clock} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {earlierVerdict} from '../authorization.ts';
import {type CallTool, type ToolCall, type ToolOutcome} from '../call-tool.ts';
import {type CallOptions, type CallTask} from '../validate-call.ts';
import {endpointLimits} from './limits.ts';
import {startTaskTime, type TaskTime} from './task-time.ts';
import {createWaitTimer, type WaitTimer} from './wait-timer.ts';

/** The outcome of a call, and its server's response, if any. */
export type EndedCall = {
	readonly outcome: ToolOutcome;
	readonly answer: CallContent | undefined;
	readonly server: string;
};

/** The call of a task, as it is made, and made again after a start of the gateway. */
type RunCall = Omit<TaskCall, 'subject'>;

/** The callbacks of a call for its client. */
export type CallWatch = Pick<CallOptions, 'onProgress' | 'onAsking' | 'onHeld' | 'onQuestion' | 'askCaller'>;

/** A call that may become a task, or is one (docs/endpoint.md, Tasks). */
export type TaskRun = {
	readonly id: string;
	readonly client: TaskClient;
	readonly call: RunCall;
	/** `over`: nothing more happens to it here. */
	readonly phase: () => RunState['phase'];
	/** Makes the call. */
	readonly attempt: (callTool: CallTool, call: ToolCall, watch?: CallWatch) => Promise<EndedCall>;
	/** Decides about the end of an attempt: it is the end of the task, or the task waits on, here or elsewhere. */
	readonly settle: (ended: EndedCall) => 'ended' | 'again' | 'left';
	/** Prepares another attempt; the signal aborts it. */
	readonly renew: () => AbortSignal;
	/** Says what an approval is for now. `changed`: one that was given before counts no more, and a person is to be asked again. */
	readonly evaluate: (subject: string) => 'same' | 'changed';
	/** Ends the task for that reason, or the attempt. */
	readonly cancel: (reason: string) => void;
	/** Ends an attempt whose call was not sent: it is evaluated again, here or, when this gateway stops, elsewhere. */
	readonly interrupt: (next: 'again' | 'left') => void;
	/** Waits no longer for a call that was sent. */
	readonly abort: () => void;
	/** The client has hung up, which ends a call that was not handed over. */
	readonly cut: (reason: unknown) => void;
	/** The reason for which the task was ended. */
	readonly cancelled: () => string | undefined;
	readonly approval: () => TaskApproval | undefined;
	/** Resolves with the time of its creation once the client may have the id: then the task is the caller. */
	readonly handedOver: Promise<number>;
	readonly close: () => void;
};

export type TaskRunOptions = {
	readonly clock: Clock;
	/** The time of the task, which stands still while everything is held. */
	readonly time: WaitingTime;
	readonly journal: Pick<
		Journal,
		'createTask' | 'beginTask' | 'changeTask' | 'releaseTask' | 'removeTask' | 'setTaskTime'
	>;
	readonly id: string;
	readonly profile: string;
	readonly client: TaskClient;
	readonly call: RunCall;
	readonly subject: string;
	readonly ttlMilliseconds: number;
	/** The task as an earlier gateway left it. */
	readonly taken?: {readonly approval: TaskApproval | undefined; readonly left: TimeLeft} | undefined;
	/** Called when a task cannot be written. */
	readonly onProblem: (caught: unknown) => void;
};

type RunState = {
	phase: 'possible' | 'handed-over' | 'over';
	controller: AbortController;
	subject: string;
	approval: TaskApproval | undefined;
	/** The subject of an approval that is given now. */
	subjectNow: string;
	/** The approval, or request, of an earlier gateway counts. */
	earlier: 'counts' | 'none';
	/** The call that may have been sent. */
	callId: string | undefined;
	next: 'again' | 'left' | undefined;
	cancelled: string | undefined;
	/** A write of the task; one that failed may be on disk all the same. */
	written: Promise<void> | undefined;
	expiry: TaskTime | undefined;
};

/** Creates it; nothing is called yet. */
export function createTaskRun(options: TaskRunOptions): TaskRun {
	const {clock, journal, id, taken} = options;
	const state: RunState = {
		phase: taken ? 'handed-over' : 'possible',
		controller: new AbortController(),
		subject: options.subject,
		subjectNow: options.subject,
		approval: taken?.approval,
		earlier: taken ? 'counts' : 'none',
		callId: undefined,
		next: undefined,
		cancelled: undefined,
		written: undefined,
		expiry: undefined,
	};
	const keep = (approval: TaskApproval | undefined) => {
		state.approval = approval;
		if (state.phase === 'handed-over') {
			journal.changeTask(id, {subject: state.subject, approval});
		}
	};

	const ends = createEnds(options, state);
	const handOver = createHandOver(options, state, ends.beginTime);
	const task = createCallTask(options, state, keep);
	return {
		...ends,
		id,
		client: options.client,
		call: options.call,
		phase: () => state.phase,
		approval: () => state.approval,
		cancelled: () => state.cancelled,
		handedOver: handOver.done,
		evaluate(subject) {
			const isSame = subject === state.subject;
			state.subjectNow = subject;
			if (!isSame) {
				state.earlier = 'none';
				keep(undefined);
			}

			return isSame ? 'same' : 'changed';
		},
		async attempt(callTool, call, {onAsking, ...watch} = {}) {
			let answer: CallContent | undefined;
			const noted = handOver.waits.watching({
				...watch,
				onAsking(isAsking, requestId) {
					if (isAsking && requestId !== undefined) {
						keep({id: requestId, requestedAt: clock.now()});
					}

					onAsking?.(isAsking, requestId);
				},
			});
			const onAnswer = (given: CallContent) => void (answer = given);
			const outcome = await callTool(call, {...watch, ...noted, signal: state.controller.signal, onAnswer, task});
			handOver.waits.end();
			return {outcome, answer, server: options.call.server};
		},
		close() {
			handOver.waits.end();
			state.expiry?.cancel();
			if (state.phase === 'possible') {
				// Written, or perhaps written, but never handed out.
				void state.written?.then(() => journal.removeTask(id));
			}

			state.phase = 'over';
		},
	};
}

/** The ways in which an attempt ends. */
function createEnds(options: TaskRunOptions, state: RunState) {
	const {journal, id, taken} = options;
	const abort = (message: string) => state.controller.abort(new Problem('cancelled', {message}));
	const cancel = (reason: string) => {
		state.cancelled ??= reason;
		abort(reason);
	};

	const beginTime = (left: TimeLeft) => {
		state.expiry = startTaskTime(options, left, () => cancel('The time of the task is over'));
	};

	if (taken) {
		beginTime(taken.left);
	}

	return {
		cancel,
		beginTime,
		abort: () => abort('The gateway stopped'),
		cut(reason: unknown) {
			if (state.phase === 'possible') {
				state.controller.abort(reason);
			}
		},
		interrupt(next: 'again' | 'left') {
			state.next = next;
			if (state.callId === undefined) {
				abort(next === 'left' ? 'The gateway stopped' : 'The client or the server of the task was changed');
			}
		},
		renew() {
			if (state.cancelled === undefined && state.next === undefined) {
				state.controller = new AbortController();
			}

			state.callId = undefined;
			return state.controller.signal;
		},
		settle({outcome}: EndedCall) {
			const {next, cancelled, controller} = state;
			if (next === undefined || cancelled !== undefined || !controller.signal.aborted || !isUnsent(outcome)) {
				return 'ended';
			}

			if (state.callId !== undefined) {
				journal.releaseTask(id);
			}

			if (next === 'again') {
				state.next = undefined;
			}

			return next;
		},
	};
}

/** True if a call that was aborted has had no effect. */
function isUnsent(outcome: ToolOutcome): boolean {
	return outcome.kind === 'error' && outcome.error.code === 'cancelled' && !outcome.error.outcomeUncertain;
}

/** Writes the task once its call has waited long. One that cannot be written goes on as a call of its connection, and is written later. */
function createHandOver(
	{clock, time, journal, id, profile, client, call, ttlMilliseconds, onProblem}: TaskRunOptions,
	state: RunState,
	beginTime: (left: TimeLeft) => void,
): {readonly done: Promise<number>; readonly waits: WaitTimer} {
	const done = Promise.withResolvers<number>();
	const write = async () => {
		const {subject, approval, callId} = state;
		const described = {...call, subject};
		const left = {milliseconds: ttlMilliseconds, time: time.state()};
		const createdAt = await journal.createTask({id, profile, client, call: described, approval, callId, left});
		if (state.phase === 'possible' && !state.controller.signal.aborted) {
			state.phase = 'handed-over';
			beginTime(left);
			done.resolve(createdAt);
		}
	};

	const waits = createWaitTimer(clock, endpointLimits.taskMilliseconds, () => {
		if (state.phase === 'possible') {
			state.written = write().catch((caught: unknown) => {
				onProblem(caught);
				waits.again();
			});
		}
	});
	return {done: done.promise, waits};
}

/** The task as its call sees it. */
function createCallTask(
	{journal, id, ttlMilliseconds}: TaskRunOptions,
	state: RunState,
	keep: (approval: TaskApproval) => void,
): CallTask {
	return {
		id,
		leftMilliseconds: () => state.expiry?.leftMilliseconds() ?? ttlMilliseconds,
		get approvalId() {
			return state.earlier === 'counts' ? state.approval?.id : undefined;
		},
		caller() {
			return state.phase === 'handed-over' ? (state.next === 'left' ? 'left' : 'handed-over') : 'possible';
		},
		earlier: rules => (state.earlier === 'counts' ? earlierVerdict(state.approval, rules) : undefined),
		decided(verdict) {
			if (verdict.kind === 'asked' && verdict.outcome.kind === 'approved' && verdict.request) {
				const {request, outcome, rule} = verdict;
				state.subject = state.subjectNow;
				keep({id: request.id, requestedAt: request.requestedAt, by: outcome.by, rule: rule?.id});
			}
		},
		async begin(callId, signal) {
			await state.written;
			const isMaybeWritten = state.written !== undefined || state.phase === 'handed-over';
			const isBegun = !isMaybeWritten || (await journal.beginTask(id, callId, {signal}));
			if (!isBegun && state.phase === 'handed-over') {
				throw new Problem('cancelled', {message: 'The call was not made, because its task has ended'});
			}

			state.callId = callId;
		},
	};
}
