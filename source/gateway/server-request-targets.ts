import {type ApprovalQueue} from '../approvals/approval-queue.ts';
import {type HoldCheck} from '../approvals/hold.ts';
import {type QuestionQueue} from '../approvals/question-queue.ts';
import {type RememberedRules} from '../approvals/remembered-rules.ts';
import {type Journal} from '../journal/journal.ts';
import {type Complete} from '../mcp/server-requests/sampling-request.ts';
import {createSamplingApproval} from '../mcp/server-requests/sampling-approval.ts';
import {type ServerRequestTargets} from '../mcp/server-requests/server-request-handlers.ts';
import {orderedId} from '../util/random-id.ts';
import {type ProfileContext} from './profiles/profile-context.ts';

/** Whom the tool servers of a profile may ask: a person through the question queue, and the configured model once that is approved. */
export function serverRequestTargets(
	{clock, paths, redactor}: Pick<ProfileContext, 'clock' | 'paths' | 'redactor'>,
	parts: {
		readonly questions: Pick<QuestionQueue, 'ask'>;
		readonly approvals: Pick<ApprovalQueue, 'ask'>;
		readonly rules: RememberedRules;
		readonly journal: Pick<Journal, 'recordDecision'>;
		readonly complete: () => Complete | undefined;
		readonly hold: HoldCheck;
	},
): ServerRequestTargets {
	const {questions, approvals, rules, journal, complete, hold} = parts;
	return {
		askPerson: questions.ask,
		complete,
		hold,
		approveSampling: createSamplingApproval({
			ask: approvals.ask,
			partsOf: redactor.partsOf,
			rules,
			recordDecision(request, {kind: outcome, ...rest}) {
				const time = clock.now();
				const {id = orderedId(time), server, tool, argumentsHash, requestedAt, origin, arguments: args} = request;
				const about = {id, server, tool, argumentsHash, requestedAt, origin, arguments: args};
				journal.recordDecision({...about, time, profile: paths.profile, outcome, ...rest});
			},
		}),
	};
}
