import {type ApprovalCard} from '../state/approval-event.ts';
import {type GatewayEventBody, type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {safeText} from '../util/safe-text.ts';
import {type ApprovalEvent, type ApprovalOutcome, nextApprovalState} from './approval-state.ts';
import {createWaitingList, type WaitingList} from './waiting-list.ts';

/** The approvals that wait for their end. */
export type PendingApprovals = WaitingList<ApprovalCard, ApprovalEvent, ApprovalOutcome>;

/** Opens an empty list. */
export function createPendingApprovals(clock: Clock, publish: Publish): PendingApprovals {
	return createWaitingList<ApprovalCard, ApprovalEvent, ApprovalOutcome>({
		clock,
		outcomeOf: event => nextApprovalState({kind: 'pending'}, event),
		deadlinePassed: {kind: 'deadline-passed'},
		withdrawn: {kind: 'withdrawn'},
		announce: card => publish({type: 'approval.requested', ...card}),
		tellEnd: (card, outcome) => publish(settledEvent(card, outcome)),
	});
}

function settledEvent(card: ApprovalCard, outcome: ApprovalOutcome): GatewayEventBody {
	const message = 'message' in outcome && outcome.message ? {message: safeText(outcome.message)} : {};
	return {
		type: 'approval.settled',
		id: card.id,
		server: card.server,
		tool: card.tool,
		outcome: outcome.kind,
		...('scope' in outcome ? {scope: outcome.scope} : {}),
		...('by' in outcome ? {by: outcome.by} : {}),
		...message,
	};
}
