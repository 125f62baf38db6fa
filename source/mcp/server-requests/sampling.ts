import {type CreateMessageRequestParams, type CreateMessageResult} from '@modelcontextprotocol/client';
import {type ApprovalOutcome} from '../../approvals/approval-queue.ts';
import {type HoldCheck} from '../../approvals/hold.ts';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {errorText, Problem, toProblem} from '../../util/problem.ts';
import {type OpenRequests} from './open-requests.ts';
import {refusalText, type SamplingApproval, type SamplingCall, samplingName} from './sampling-approval.ts';
import {checkSampling} from './sampling-policy.ts';
import {type Complete, completionRequest, requestJson, samplingAsk} from './sampling-request.ts';

export type SamplingOptions = {
	readonly config: ServerConfig;
	readonly policy: NonNullable<ServerConfig['sampling']>;
	readonly clock: Clock;
	/** The configured model; undefined while there is none. */
	readonly complete: () => Complete | undefined;
	readonly approval: SamplingApproval;
	readonly hold: Pick<HoldCheck, 'pass'>;
	readonly requests: Pick<OpenRequests, 'origin' | 'onBehalf' | 'whileAsking'>;
	/** Logs a line about the server. */
	readonly warn: (text: string) => void;
};

/** Answers a sampling request of a server. Rejects with Problem `sampling_refused` or the model's own. */
export type Sample = (params: CreateMessageRequestParams, signal: AbortSignal) => Promise<CreateMessageResult>;

const minuteMilliseconds = 60_000;

/** Builds the handler of one server (docs/tool-servers.md, Sampling). */
export function createSampling(options: SamplingOptions): Sample {
	const {config, policy, clock, complete, approval, hold, requests, warn} = options;
	const heldSampling = ({origin, request}: Pick<SamplingCall, 'origin' | 'request'>) =>
		({kind: 'sampling', server: config.name, tool: samplingName, origin, arguments: requestJson(request)}) as const;
	let letThrough: readonly number[] = [];

	const refuse = (reason: string, caught?: unknown): Problem => {
		const why = caught === undefined ? '' : ` (${errorText(caught)})`;
		warn(`its request to the model was refused: ${reason}${why}`);
		return new Problem('sampling_refused', {message: `The request to the model was refused: ${reason}`});
	};

	const check = (params: CreateMessageRequestParams) => {
		const now = clock.elapsed();
		letThrough = letThrough.filter(time => now - time < minuteMilliseconds);
		const verdict = checkSampling(samplingAsk(params, letThrough.length), policy);
		if (verdict.kind === 'refused') {
			throw refuse(verdict.reason);
		}

		letThrough = [...letThrough, now];
		return verdict;
	};

	/** Resolves when the model may be asked. After each hold that the request waited for, it is evaluated again. */
	const allow = async (call: SamplingCall, signal: AbortSignal): Promise<void> => {
		let earlier: ApprovalOutcome | undefined;
		do {
			earlier = await approval({...call, earlier}, signal).catch(caught => {
				signal.throwIfAborted();
				// The server must not learn about faults of the journal.
				throw refuse('it cannot be approved now', caught);
			});
			if (earlier.kind !== 'approved') {
				throw refuse(refusalText(earlier));
			}
		} while ((await hold.pass(heldSampling(call), {signal})) === 'released');
	};

	const answer = async (
		{request, origin}: Pick<SamplingCall, 'request' | 'origin'>,
		signal: AbortSignal,
	): Promise<CreateMessageResult> => {
		const ask = complete();
		if (!ask) {
			throw refuse('no model is configured');
		}

		const limit = openDeadline(clock, policy.timeoutSeconds * 1000, {
			signal,
			reason: () => refuse(`the model took longer than ${policy.timeoutSeconds} s`),
		});
		try {
			const {model, text, stopReason} = await untilAborted(ask(request, {signal: limit.signal, origin}), limit.signal);
			return {model, stopReason, role: 'assistant', content: {type: 'text', text}};
		} catch (caught) {
			// The server sees only messages meant for it.
			throw toProblem(caught, 'sampling_refused', {message: 'The model did not answer'});
		} finally {
			limit.cancel();
		}
	};

	return async (params, signal) => {
		const origin = requests.origin();
		if (!origin) {
			throw refuse('no call of the server was under way');
		}

		const {model, maximumTokens} = check(params);
		const request = completionRequest(params, {...(model !== undefined && {model}), maximumTokens});
		return requests.onBehalf(signal, async signal => {
			await allow({config, request, origin, whileAsking: requests.whileAsking}, signal);
			const answered = await answer({request, origin}, signal);
			// A hold may have begun while the model worked; the server gets the answer after the release.
			await hold.pass(heldSampling({origin, request}), {signal});
			return answered;
		});
	};
}
