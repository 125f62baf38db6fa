import {type ApprovalOutcome, type ApprovalQueue, type Ask} from '../../approvals/approval-queue.ts';
import {type HoldCheck} from '../../approvals/hold.ts';
import {type QuestionQueue} from '../../approvals/question-queue.ts';
import {type RememberedRules} from '../../approvals/remembered-rules.ts';
import {type Journal} from '../../journal/journal.ts';
import {type Complete} from '../../mcp/server-requests/sampling-request.ts';
import {
	createSamplingApproval,
	type SamplingApproval,
	samplingName,
} from '../../mcp/server-requests/sampling-approval.ts';
import {type ServerRequestTargets} from '../../mcp/server-requests/server-request-handlers.ts';
import {type ApprovalRequest} from '../../state/approval-event.ts';
import {type CallClaims, claimCall} from '../../tools/claim-call.ts';
import {Problem} from '../../util/problem.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {createRecordDecision} from '../stores/asked-decisions.ts';

/** Whom the tool servers of a profile may ask: a person through the question queue, and the configured model once that is approved. */
export function serverRequestTargets(
	{clock, paths, redactor}: Pick<ProfileContext, 'clock' | 'paths' | 'redactor'>,
	parts: {
		readonly questions: Pick<QuestionQueue, 'ask' | 'finish'>;
		readonly approvals: Pick<ApprovalQueue, 'ask'>;
		readonly rules: RememberedRules;
		readonly journal: Pick<Journal, 'recordDecision'>;
		readonly claims: CallClaims;
		readonly complete: () => Complete | undefined;
		readonly hold: HoldCheck;
	},
): ServerRequestTargets {
	const {questions, approvals, rules, journal, claims, complete, hold} = parts;
	const approvalBy = (ask: Ask) =>
		createSamplingApproval({
			ask,
			partsOf: redactor.partsOf,
			rules,
			recordDecision: createRecordDecision({clock, paths}, journal),
		});
	return {
		askPerson: questions.ask,
		pageFinished: questions.finish,
		complete,
		hold,
		approveSampling: createClaimedApproval(approvalBy, approvals.ask, claims),
	};
}

/** More changes than people make while a request waits. */
const maxAttempts = 100;

/** An approval that is claimed in the journal before the model is asked, as that of a call is before the call is sent; it is evaluated again where that fails. */
function createClaimedApproval(
	approvalBy: (ask: Ask) => SamplingApproval,
	ask: Ask,
	claims: CallClaims,
): SamplingApproval {
	const requests = new WeakMap<ApprovalOutcome, ApprovalRequest>();
	const approve = approvalBy(async (proposed, options) => {
		let request: ApprovalRequest | undefined;
		const outcome = await ask(proposed, {
			...options,
			onRequest(made) {
				request = made;
				options.onRequest?.(made);
			},
		});
		if (request) {
			requests.set(outcome, request);
		}

		return outcome;
	});

	return async (call, signal) => {
		let {earlier} = call;
		for (let attempt = 1; attempt <= maxAttempts; attempt++) {
			const known = claims.knownDocuments();
			earlier = await approve({...call, earlier}, signal);
			if (earlier.kind !== 'approved') {
				return earlier;
			}

			signal.throwIfAborted();
			const asked = requests.get(earlier);
			const request = asked && {id: asked.id, argumentsHash: asked.argumentsHash};
			// Documents are read after the approval: the person may have changed them until then.
			const documents = asked ? claims.knownDocuments() : known;
			const claim = {callId: asked?.id ?? samplingName, documents, request};
			if ((await claimCall(claims, claim, {signal})) === 'claimed') {
				return earlier;
			}
		}

		throw new Problem('cancelled', {message: 'The rules changed before the model was asked'});
	};
}
