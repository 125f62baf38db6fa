import {type Verdict} from '../state/person-answers.ts';
import {type ApprovalScope} from '../state/approval-event.ts';

/** The end of an approval; the ends are kept apart everywhere (docs/approvals.md, How approvals end). */
export type ApprovalOutcome =
	| {readonly kind: 'approved'; readonly scope: ApprovalScope; readonly by: string}
	| {readonly kind: 'denied'; readonly by: string; readonly message?: string}
	| {readonly kind: 'timed_out'}
	| {readonly kind: 'no_channel'; readonly message?: string}
	| {readonly kind: 'cancelled'};

/** The state of an approval. Everything but `pending` is final. */
export type ApprovalState = {readonly kind: 'pending'} | ApprovalOutcome;

/** The events of an approval. */
export type ApprovalEvent =
	| {readonly kind: 'answered'; readonly verdict: Verdict; readonly by: string}
	| {readonly kind: 'deadline-passed'}
	/** There is nobody who could be asked, for the reason in the message. */
	| {readonly kind: 'unreachable'; readonly message: string}
	/** The caller went away, its server was removed, or the gateway stops. */
	| {readonly kind: 'withdrawn'};

/** The next state: the first event decides, every later one changes nothing. */
export function nextApprovalState(state: ApprovalState, event: ApprovalEvent): ApprovalOutcome {
	return state.kind === 'pending' ? outcomeOf(event) : state;
}

function outcomeOf(event: ApprovalEvent): ApprovalOutcome {
	switch (event.kind) {
		case 'answered':
			return verdictOutcome(event.verdict, event.by);
		case 'deadline-passed':
			return {kind: 'timed_out'};
		case 'unreachable':
			return {kind: 'no_channel', message: event.message};
		case 'withdrawn':
			return {kind: 'cancelled'};
	}
}

/** The outcome that an answer of a person leads to. */
export function verdictOutcome(verdict: Verdict, by: string): ApprovalOutcome {
	switch (verdict.kind) {
		case 'approve':
			return {kind: 'approved', scope: verdict.scope, by};
		case 'deny':
			return {kind: 'denied', by, ...(verdict.message ? {message: verdict.message} : {})};
	}
}
