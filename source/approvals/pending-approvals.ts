import {type ApprovalRequest} from '../state/approval-event.ts';
import {type GatewayEventBody, type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {safeText} from '../util/safe-text.ts';
import {type ApprovalEvent, type ApprovalOutcome, nextApprovalState} from './approval-state.ts';
import {createPendingRequests, type PendingRequests} from './pending-requests.ts';

/** The approvals that wait for their end. */
export type PendingApprovals = PendingRequests<ApprovalRequest, ApprovalEvent, ApprovalOutcome>;

/** Opens an empty list. */
export function createPendingApprovals(clock: Clock, publish: Publish): PendingApprovals {
	return createPendingRequests<ApprovalRequest, ApprovalEvent, ApprovalOutcome>({
		clock,
		outcomeOf: event => nextApprovalState({kind: 'pending'}, event),
		deadlinePassed: {kind: 'deadline-passed'},
		withdrawn: {kind: 'withdrawn'},
		announce: request => publish({type: 'approval.requested', ...request}),
		onSettled: (request, outcome) => publish(settledEvent(request, outcome)),
	});
}

function settledEvent(request: ApprovalRequest, outcome: ApprovalOutcome): GatewayEventBody {
	const message = 'message' in outcome && outcome.message ? {message: safeText(outcome.message)} : {};
	return {
		type: 'approval.settled',
		id: request.id,
		server: request.server,
		tool: request.tool,
		outcome: outcome.kind,
		...('scope' in outcome ? {scope: outcome.scope} : {}),
		...('by' in outcome ? {by: outcome.by} : {}),
		...message,
	};
}
