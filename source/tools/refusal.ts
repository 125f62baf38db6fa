import {type ApprovalOutcome} from '../approvals/approval-queue.ts';
import {Problem} from '../util/problem.ts';
import {problemCodes} from '../util/problem-codes.ts';

/** What the caller of a refused call is told; undefined when the call was approved. The ends are kept apart (docs/approvals.md, How approvals end). */
export function refusal(outcome: ApprovalOutcome): Problem | undefined {
	switch (outcome.kind) {
		case 'approved':
			return undefined;
		case 'denied':
			return new Problem('denied', {message: withReason(`Denied by ${outcome.by}`, outcome.message)});
		case 'no_channel':
			return new Problem('no_channel', {message: withReason(problemCodes.no_channel.meaning, outcome.message)});
		case 'timed_out':
		case 'cancelled':
			return new Problem(outcome.kind);
	}
}

function withReason(text: string, reason: string | undefined): string {
	return reason ? `${text}: ${reason}` : text;
}
