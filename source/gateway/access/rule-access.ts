import {approvalRulesSchema, createRememberedRules, type RememberedRules} from '../../approvals/remembered-rules.ts';
import {createRulePins, type RulePins} from '../../approvals/rule-pins.ts';
import {createJsonStore} from '../../config/values/json-store.ts';
import {ruleToJson} from '../../control/to-wire.ts';
import {type RuleJson} from '../../control/wire.ts';
import {safeText} from '../../util/safe-text.ts';
import {readNamedId} from '../../util/id-part.ts';
import {loadProfile, type ProfileContext, type RuntimeContext} from '../profiles/profile-context.ts';

/** Opens the remembered approvals of a state directory. */
export function openRules({
	paths,
	clock,
	publish,
}: Pick<ProfileContext, 'paths' | 'clock' | 'publish'>): RememberedRules {
	return createRememberedRules({store: openRuleStore(paths.directory), clock, publish});
}

/** Opens the definitions that the rules of a profile hold for. */
export function openPins({paths, clock, publish}: Pick<ProfileContext, 'paths' | 'clock' | 'publish'>): RulePins {
	const warn = (text: string) => publish({type: 'log', level: 'warning', area: 'approvals', text: safeText(text)});
	return createRulePins({store: openRuleStore(paths.directory), clock, warn});
}

/** The rules as commands see them: the same through the socket and in a process of its own. */
export function ruleMethods(rules: Pick<RememberedRules, 'list' | 'revoke'>) {
	return {
		list: (): RuleJson[] => rules.list().map(ruleToJson),
		/** By its id or a part of it. Rejects with `ambiguous_id`. */
		revoke: async (typed: string) => {
			const ids = rules.list().map(({id}) => id);
			return {answer: await rules.revoke(readNamedId(ids, typed) ?? typed)};
		},
	};
}

/** Opens the rules in this process, for one command. Rejects with the Problem of a file that cannot be read. */
export async function openRuleAccess(runtime: RuntimeContext) {
	const context = await loadProfile(runtime);
	openRuleStore(context.paths.directory).read();
	const {list, revoke} = ruleMethods(openRules(context));
	return {list: async () => list(), revoke, close: () => undefined};
}

/** The file of the rules that always hold. */
export function openRuleStore(directory: string) {
	return createJsonStore({directory, name: 'approval-rules', schema: approvalRulesSchema, fallback: {rules: []}});
}
