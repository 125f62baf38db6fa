import {randomBytes} from 'node:crypto';
import {
	type CallToolResult,
	type ElicitRequestParams,
	type InputRequiredResult,
	isSpecType,
	type ProgressNotificationParams,
	ProtocolError,
	ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import {type AskCaller, type AskingMode} from '../../approvals/ask-caller.ts';
import {type QuestionOutcome} from '../../approvals/question-queue.ts';
import {followSignal, whenAborted} from '../../util/abort-signal.ts';
import {type Timer} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {type AnswerCallOptions} from './answer-call.ts';
import {clientName, clientOutcome, elicitParams} from './ask-client.ts';
import {type EndpointTools} from './endpoint-tools.ts';
import {endpointLimits} from './limits.ts';

/** One request of a client of the stateless era for a call: the first, or one that brings what the answer before asked for. */
export type CallLeg = {
	/** The same for each request of a call: its tool and arguments. */
	readonly call: string;
	readonly modes: ReadonlySet<AskingMode>;
	/** The state that the answer before gave; undefined for the first request. */
	readonly state: string | undefined;
	readonly responses: Readonly<Record<string, unknown>> | undefined;
	readonly signal: AbortSignal;
	readonly progressToken: ProgressNotificationParams['progressToken'] | undefined;
	readonly notifyProgress: AnswerCallOptions['notifyProgress'];
};

/** The calls of one client that wait while it asks its person (docs/endpoint.md, Questions of servers). */
export type PausedCalls = {
	/**
	Begins a call, or goes on with a paused one. Resolves with its result, or with what the client has to ask first. Rejects with a `ProtocolError` for a
	state that is unknown, used, too old or of another call: nothing is called again then.
	*/
	readonly serve: (
		leg: CallLeg,
		run: (options: AnswerCallOptions) => Promise<CallToolResult>,
	) => Promise<CallToolResult | InputRequiredResult>;
	/** Cancels the paused calls. */
	readonly close: () => void;
};

/** A call between the requests of its client. */
type PausedCall = {
	readonly call: string;
	readonly next: (leg: CallLeg) => Promise<CallToolResult | 'asks'>;
	/** The questions that the client has to ask now. */
	readonly requests: () => Readonly<Record<string, ElicitRequestParams>>;
	/** The time that its questions have, in milliseconds. */
	readonly waitMilliseconds: () => number;
	readonly cancel: (message: string) => void;
};

/** Creates it for one client. The calls are in memory: a state says nothing to another client or gateway. */
export function createPausedCalls(tools: EndpointTools): PausedCalls {
	const paused = new Map<string, {readonly call: PausedCall; readonly timer: Timer}>();

	const drop = (state: string, message: string) => {
		const found = paused.get(state);
		paused.delete(state);
		found?.timer.cancel();
		found?.call.cancel(message);
	};

	const pause = (call: PausedCall): InputRequiredResult => {
		const [oldest] = paused.keys();
		if (oldest !== undefined && paused.size >= endpointLimits.pausedCalls) {
			drop(oldest, 'Too many calls of this client wait for an answer of its person');
		}

		const state = randomBytes(16).toString('base64url');
		const requests = Object.entries(call.requests()).map(([key, params]) => [
			key,
			{method: 'elicitation/create', params} as const,
		]);
		const milliseconds = call.waitMilliseconds() + endpointLimits.keepResultMilliseconds;
		const timer = tools.time.after({kind: 'for', milliseconds}, () =>
			drop(state, 'The client did not come back for the result'),
		);
		paused.set(state, {call, timer});
		return {resultType: 'input_required', inputRequests: Object.fromEntries(requests), requestState: state};
	};

	const takeUp = (leg: CallLeg, state: string): PausedCall => {
		const found = paused.get(state);
		if (found?.call.call !== leg.call) {
			throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState');
		}

		paused.delete(state);
		found.timer.cancel();
		return found.call;
	};

	return {
		async serve(leg, run) {
			const call = leg.state === undefined ? beginCall(leg, run, tools) : takeUp(leg, leg.state);
			const end = await call.next(leg);
			return end === 'asks' ? pause(call) : end;
		},
		close: () => [...paused.keys()].forEach(state => drop(state, 'The endpoint was closed')),
	};
}

type OpenQuestion = {
	readonly params: ElicitRequestParams;
	readonly milliseconds: number;
	readonly settle: (outcome: QuestionOutcome) => void;
	/** It was sent: the next request of the client brings its answer. */
	isSent: boolean;
};

/** The questions of one call that its client has to ask. */
function createOpenQuestions(modes: ReadonlySet<AskingMode>, tools: EndpointTools) {
	const questions = new Map<string, OpenQuestion>();
	let asked = Promise.withResolvers<'asked'>();

	let phase: 'open' | 'ended' = 'open';
	const askCaller: AskCaller = {
		// A call that has become a task goes on without its client.
		get modes() {
			return phase === 'open' ? modes : new Set<AskingMode>();
		},
		ask: (question, {timeoutSeconds, signal, elicitationId}) =>
			new Promise(resolve => {
				const milliseconds = timeoutSeconds * 1000;
				const settle = (outcome: QuestionOutcome) => {
					questions.delete(elicitationId);
					timer.cancel();
					endListening();
					resolve(outcome);
				};
				const timer = tools.time.after({kind: 'for', milliseconds}, () => settle({kind: 'timed_out'}));
				const params = withoutId(elicitParams(question, elicitationId, tools.redact));
				questions.set(elicitationId, {params, milliseconds, settle, isSent: false});
				const endListening = signal ? whenAborted(signal, () => settle({kind: 'cancelled'})) : () => undefined;
				if (signal?.aborted) {
					settle({kind: 'cancelled'});
				}

				asked.resolve('asked');
			}),
		finished: () => undefined,
	};

	return {
		askCaller,
		/** The client has the result of the call, or its task. */
		end: () => void (phase = 'ended'),
		/** Takes what the client brings; what it was sent and brings no answer to has ended. */
		takeAnswers({responses = {}}: CallLeg) {
			for (const [key, {settle, isSent}] of questions) {
				const answer = Object.hasOwn(responses, key) ? responses[key] : undefined;
				if (isSpecType.ElicitResult(answer)) {
					settle(clientOutcome(answer, clientName(tools)));
				} else if (isSent) {
					settle({kind: 'no_channel', message: 'the client came back without an answer'});
				}
			}
		},
		/** Resolves when there is something to ask, and `end` has not come first. */
		async next(end: Promise<'ended'>): Promise<'asked' | 'ended'> {
			for (;;) {
				if ((await Promise.race([end, asked.promise])) === 'ended') {
					return 'ended';
				}

				asked = Promise.withResolvers();
				if (questions.size > 0) {
					return 'asked';
				}
			}
		},
		requests() {
			questions.forEach(question => void (question.isSent = true));
			return Object.fromEntries(Array.from(questions, ([key, {params}]) => [key, params]));
		},
		waitMilliseconds: () => Math.max(0, ...Array.from(questions.values(), ({milliseconds}) => milliseconds)),
	};
}

function beginCall(
	first: CallLeg,
	run: (options: AnswerCallOptions) => Promise<CallToolResult>,
	tools: EndpointTools,
): PausedCall {
	const controller = new AbortController();
	const questions = createOpenQuestions(first.modes, tools);
	let leg: CallLeg | undefined = first;
	const result = run({
		signal: controller.signal,
		notifyProgress(params) {
			if (leg?.progressToken !== undefined) {
				leg.notifyProgress({...params, progressToken: leg.progressToken});
			}
		},
		askCaller: questions.askCaller,
	});
	const end = () => {
		questions.end();
		return 'ended' as const;
	};
	const ended = result.then(end, end);

	return {
		call: first.call,
		async next(taken) {
			leg = taken;
			const endListening = followSignal(controller, taken.signal);
			try {
				questions.takeAnswers(taken);
				return (await questions.next(ended)) === 'ended' ? await result : 'asks';
			} finally {
				endListening();
				leg = undefined;
			}
		},
		requests: () => questions.requests(),
		waitMilliseconds: questions.waitMilliseconds,
		cancel: message => controller.abort(new Problem('cancelled', {message})),
	};
}

/** In the stateless era a page has no id. */
function withoutId(params: ElicitRequestParams): ElicitRequestParams {
	if (params.mode !== 'url') {
		return params;
	}

	const {mode, message, url} = params;
	return {mode, message, url} as ElicitRequestParams;
}
