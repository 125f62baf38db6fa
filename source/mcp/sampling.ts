import {type CreateMessageRequestParams, type CreateMessageResult} from '@modelcontextprotocol/client';
import {type ApprovalOutcome} from '../approvals/desk.ts';
import {type SamplingPolicy} from '../config/server-asks.ts';
import {type ServerConfig} from '../config/server-entry.ts';
import {type Clock, openDeadline, untilAborted} from '../util/clock.ts';
import {Problem} from '../util/problem.ts';
import {type Complete} from './completion.ts';
import {type OpenRequests} from './open-requests.ts';
import {type SamplingGate} from './sampling-gate.ts';
import {judgeSampling} from './sampling-policy.ts';
import {completionRequest, samplingAsk} from './sampling-request.ts';

export type SamplingOptions = {
	readonly config: ServerConfig;
	readonly policy: SamplingPolicy;
	readonly clock: Clock;
	readonly complete: Complete;
	readonly gate: SamplingGate;
	readonly requests: Pick<OpenRequests, 'origin' | 'onBehalf'>;
	/** A line of the log about the server. */
	readonly remark: (text: string) => void;
};

/** Answers a sampling request of a server. Rejects with Problem `sampling_refused` or the model's own. */
export type Sample = (params: CreateMessageRequestParams, signal: AbortSignal) => Promise<CreateMessageResult>;

const minuteMilliseconds = 60_000;

/** Builds the answerer of one server (spec/decisions.md, D6). */
export function createSampling(options: SamplingOptions): Sample {
	const {config, policy, clock, complete, gate, requests, remark} = options;
	let letThrough: readonly number[] = [];

	const refuse = (reason: string): Problem => {
		remark(`its request to the model was refused: ${reason}`);
		return new Problem('sampling_refused', {message: `The request to the model was refused: ${reason}`});
	};

	const judge = (params: CreateMessageRequestParams) => {
		const now = clock.elapsed();
		letThrough = letThrough.filter(time => now - time < minuteMilliseconds);
		const verdict = judgeSampling(samplingAsk(params, letThrough.length), policy);
		if (verdict.kind === 'refused') {
			throw refuse(verdict.reason);
		}

		letThrough = [...letThrough, now];
		return verdict;
	};

	const answer = async (request: Parameters<Complete>[0], signal: AbortSignal): Promise<CreateMessageResult> => {
		const limit = openDeadline(clock, policy.timeoutSeconds * 1000, {
			signal,
			reason: () => refuse(`the model took longer than ${policy.timeoutSeconds} s`),
		});
		try {
			const {model, text, stopReason} = await untilAborted(complete(request, {signal: limit.signal}), limit.signal);
			return {model, stopReason, role: 'assistant', content: {type: 'text', text}};
		} finally {
			limit.cancel();
		}
	};

	return async (params, signal) => {
		const origin = requests.origin();
		if (!origin) {
			throw refuse('no call of the server was under way');
		}

		const {model, maximumTokens} = judge(params);
		const request = completionRequest(params, {...(model !== undefined && {model}), maximumTokens});
		return requests.onBehalf(signal, async signal => {
			const outcome = await gate({config, request, origin}, signal);
			if (outcome.kind !== 'approved') {
				throw refuse(wordsOf(outcome));
			}

			return answer(request, signal);
		});
	};
}

function wordsOf(outcome: Exclude<ApprovalOutcome, {kind: 'approved'}>): string {
	switch (outcome.kind) {
		case 'denied':
			return 'a person denied it';
		case 'timed_out':
			return 'nobody approved it in time';
		case 'no_channel':
			return 'nobody can be asked';
		case 'cancelled':
			return 'it was withdrawn';
	}
}
