import {type ApprovalDecision, type ApprovalOutcome} from '../approvals/approval-queue.ts';
import {type RememberedScope} from '../approvals/remembered-rules.ts';
import {type Rule} from '../approvals/rule.ts';
import {type TaskApproval} from '../journal/rows/task-rows.ts';
import {type ApprovalRequest, type RuleMark} from '../state/approval-event.ts';

/** The decision of the approval check: not needed, remembered, allowed by a rule, or made by a rule or a person now. */
export type Authorization =
	| {readonly kind: 'free'}
	| {readonly kind: 'remembered'; readonly scope: RememberedScope; readonly rule: RuleMark}
	| RuledCall
	| {
			readonly kind: 'asked';
			readonly outcome: ApprovalOutcome;
			/** The request that a person was shown; absent after an internal error. */
			readonly request?: AskedRequest | undefined;
			/** The rule that asked. */
			readonly rule?: Rule | undefined;
	  };

/** The decision of a rule. */
export type RuledCall = {
	readonly kind: 'allowed' | 'denied';
	readonly rule: Rule;
	/** The request that a person was shown until the rules changed. */
	readonly request?: AskedRequest | undefined;
};

type AskedRequest = Pick<ApprovalRequest, 'id' | 'requestedAt'>;

/** The outcome of a decision of a person or a rule; undefined when none was needed. */
export function decisionOutcome(verdict: Authorization): ApprovalOutcome | undefined {
	switch (verdict.kind) {
		case 'free':
			return undefined;
		case 'remembered':
			return {kind: 'approved', scope: verdict.scope, by: 'remembered rule'};
		case 'allowed':
			return {kind: 'approved', scope: 'once', by: ruleName(verdict.rule)};
		case 'denied': {
			const {reason} = verdict.rule;
			return {kind: 'denied', by: ruleName(verdict.rule), ...(reason !== undefined && {message: reason})};
		}

		case 'asked':
			return verdict.outcome;
	}
}

/** The decision of a rule as an answer to what a person was asked. */
export function ruleDecision({kind, rule}: RuledCall): Pick<ApprovalDecision, 'verdict' | 'by'> {
	const {reason: message} = rule;
	return {
		verdict:
			kind === 'allowed' ? {kind: 'approve', scope: 'once'} : {kind: 'deny', ...(message !== undefined && {message})},
		by: ruleName(rule),
	};
}

/** The rule as the one that decided. */
function ruleName({id}: Pick<Rule, 'id'>): string {
	return `rule ${id}`;
}

/** True if a person approved this once, and for the same rule: a wider approval is remembered, or was revoked since. */
export function isAnswered(earlier: Authorization, rule: Pick<Rule, 'id'> | undefined): boolean {
	return (
		earlier.kind === 'asked' &&
		earlier.outcome.kind === 'approved' &&
		earlier.outcome.scope === 'once' &&
		earlier.rule?.id === rule?.id
	);
}

/** True if this was decided about the call before, by the same rule. */
export function isSameDecision(verdict: Authorization, earlier: Authorization | undefined): boolean {
	return verdict.kind === 'asked'
		? verdict === earlier
		: verdict.kind === earlier?.kind && ruleOf(verdict)?.id === ruleOf(earlier)?.id;
}

function ruleOf(verdict: Authorization): Pick<Rule, 'id'> | undefined {
	return 'rule' in verdict ? verdict.rule : undefined;
}

/** The decision of a person at an earlier gateway; undefined when nobody decided, or the rule that asked is gone. */
export function earlierVerdict(approval: TaskApproval | undefined, rules: readonly Rule[]): Authorization | undefined {
	const rule = rules.find(one => one.id === approval?.rule);
	if (approval?.by === undefined || (approval.rule !== undefined && !rule)) {
		return undefined;
	}

	const {id, requestedAt, by} = approval;
	const outcome = {kind: 'approved', scope: 'once', by} as const;
	return {kind: 'asked', outcome, request: {id, requestedAt}, ...(rule && {rule})};
}
