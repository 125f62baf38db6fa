import {
	type ApprovalRules,
	approvalRulesSchema,
	createRememberedRules,
	type RememberedRules,
} from '../../approvals/remembered-rules.ts';
import {createRulePins, type RulePins} from '../../approvals/rule-pins.ts';
import {
	createStoredRules,
	rulesIn,
	type StoredRule,
	type StoredRules,
	withStored,
} from '../../approvals/stored-rules.ts';
import {type Rule} from '../../approvals/rule.ts';
import {type DocumentKind, type Documents} from '../../config/values/stored-document.ts';
import {type Publish} from '../../state/event.ts';
import {safeText} from '../../util/safe-text.ts';
import {Problem, problemLine} from '../../util/problem.ts';
import {type OpenProfile} from '../documents/open-profile.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';

/** Opens the remembered approvals of a profile. */
export function createProfileRules({
	documents,
	clock,
	publish,
}: Pick<OpenProfile, 'documents' | 'clock' | 'publish'>): RememberedRules {
	return createRememberedRules({store: createRuleStore(documents), clock, publish});
}

/** Opens the definitions that the rules of a profile hold for. */
export function createProfilePins({
	documents,
	clock,
	publish,
}: Pick<OpenProfile, 'documents' | 'clock' | 'publish'>): RulePins {
	return createRulePins({store: createRuleStore(documents), clock, warn: warnOf(publish)});
}

/** Opens the stored rules by argument. */
export function createProfileStoredRules({
	documents,
	clock,
	publish,
}: Pick<OpenProfile, 'documents' | 'clock' | 'publish'>): StoredRules {
	return createStoredRules({store: createRuleStore(documents), clock, warn: warnOf(publish)});
}

function warnOf(publish: Publish) {
	return (text: string) => publish({type: 'log', level: 'warning', area: 'approvals', text: safeText(text)});
}

/** The rules of config.yaml, and the stored ones behind them. Throws `rules_invalid` with what is wrong in the former. */
export function validRules(
	{current}: Pick<ProfileContext, 'current'>,
	stored: readonly StoredRule[],
): ReadonlyArray<Rule & Partial<StoredRule>> {
	const {rules} = current().config;
	if (rules.kind === 'invalid') {
		throw new Problem('rules_invalid', {message: problemLine(rules.problem)});
	}

	return withStored(rules.rules, stored);
}

/** All rules of a profile, as they are stored now. Throws `rules_invalid`, or `config_unreadable` for the stored ones. */
export function readRules(context: Pick<OpenProfile, 'current' | 'documents'>): readonly Rule[] {
	return validRules(context, rulesIn(createRuleStore(context.documents).read()));
}

const ruleDocument: DocumentKind<ApprovalRules> = {
	name: 'approval-rules',
	schema: approvalRulesSchema,
	fallback: {rules: []},
};

/** Stored rules of a profile: remembered approvals, rules by argument, and pins of the tools they hold for. */
export function createRuleStore({open}: Documents) {
	return open(ruleDocument);
}
