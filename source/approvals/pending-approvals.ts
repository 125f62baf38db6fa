import {type ApprovalCard} from '../state/approval-event.ts';
import {type GatewayEventBody, type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {safeText} from '../util/safe-text.ts';
import {type ApprovalEvent, type ApprovalOutcome, nextApprovalState} from './approval-state.ts';

/** The approvals that wait for their end. */
export type PendingApprovals = {
	/** Announces the card and waits until something settles it: an answer, its deadline, the signal, a withdrawal. */
	readonly wait: (card: ApprovalCard, signal: AbortSignal | undefined) => Promise<ApprovalOutcome>;
	/** Ends a pending approval. False when it has ended before or never was. */
	readonly settle: (id: string, event: ApprovalEvent) => boolean;
	/** Ends an approval that was never announced. */
	readonly refuse: (card: ApprovalCard, event: ApprovalEvent) => ApprovalOutcome;
	readonly find: (id: string) => ApprovalCard | undefined;
	/** Oldest first. */
	readonly list: () => readonly ApprovalCard[];
};

type Entry = {readonly card: ApprovalCard; readonly conclude: (event: ApprovalEvent) => void};

/** Opens an empty list. */
export function createPendingApprovals(clock: Clock, publish: Publish): PendingApprovals {
	const entries = new Map<string, Entry>();

	/** The only way out of the list. Taking the entry away first lets exactly one event decide. */
	const settle = (id: string, event: ApprovalEvent): boolean => {
		const entry = entries.get(id);
		entries.delete(id);
		entry?.conclude(event);
		return entry !== undefined;
	};

	return {
		settle,
		wait: (card, signal) =>
			new Promise(resolve => {
				const onAbort = () => void settle(card.id, {kind: 'withdrawn'});
				const onDeadline = () => void settle(card.id, {kind: 'deadline-passed'});
				const deadline = clock.after(card.expiresAt - card.requestedAt, onDeadline);
				signal?.addEventListener('abort', onAbort, {once: true});
				entries.set(card.id, {
					card,
					conclude(event) {
						deadline.cancel();
						signal?.removeEventListener('abort', onAbort);
						const outcome = nextApprovalState({kind: 'pending'}, event);
						resolve(outcome);
						publish(settledEvent(card, outcome));
					},
				});
				publish({type: 'approval.requested', ...card});
			}),
		refuse(card, event) {
			const outcome = nextApprovalState({kind: 'pending'}, event);
			publish(settledEvent(card, outcome));
			return outcome;
		},
		find: id => entries.get(id)?.card,
		list: () => Array.from(entries.values(), entry => entry.card),
	};
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
