import {
	type ApprovalRules,
	approvalRulesSchema,
	createRememberedRules,
	type RememberedRules,
} from '../../approvals/remembered-rules.ts';
import {createRulePins, type RulePins} from '../../approvals/rule-pins.ts';
import {type EvaluatedCall, ruleVerdict} from '../../approvals/rule-verdict.ts';
import {
	createStoredRules,
	rulesIn,
	type StoredRule,
	type StoredRules,
	withStored,
} from '../../approvals/stored-rules.ts';
import {type Rule} from '../../approvals/rule.ts';
import {type DocumentKind, type Documents} from '../../config/values/stored-document.ts';
import {rememberedToJson, ruleToJson} from '../../control/to-wire.ts';
import {type RuleJson, type RuleTestJson} from '../../control/wire.ts';
import {type Journal} from '../../journal/journal.ts';
import {openConfiguredJournal} from '../journal/configured-journal.ts';
import {type Publish} from '../../state/event.ts';
import {calledName, type RegisteredTool} from '../../tools/registered-tool.ts';
import {safeText} from '../../util/safe-text.ts';
import {readNamedId} from '../../util/id-part.ts';
import {Problem, problemLine} from '../../util/problem.ts';
import {type OpenProfile, loadOpenProfile} from '../profiles/open-profile.ts';
import {type ProfileContext, type RuntimeContext} from '../profiles/profile-context.ts';

/** Opens the remembered approvals of a profile. */
export function openRules({
	documents,
	clock,
	publish,
}: Pick<OpenProfile, 'documents' | 'clock' | 'publish'>): RememberedRules {
	return createRememberedRules({store: openRuleStore(documents), clock, publish});
}

/** Opens the definitions that the rules of a profile hold for. */
export function openPins({documents, clock, publish}: Pick<OpenProfile, 'documents' | 'clock' | 'publish'>): RulePins {
	return createRulePins({store: openRuleStore(documents), clock, warn: warnOf(publish)});
}

/** Opens the rules by argument that were stored from cards. */
export function openStoredRules({
	documents,
	clock,
	publish,
}: Pick<OpenProfile, 'documents' | 'clock' | 'publish'>): StoredRules {
	return createStoredRules({store: openRuleStore(documents), clock, warn: warnOf(publish)});
}

function warnOf(publish: Publish) {
	return (text: string) => publish({type: 'log', level: 'warning', area: 'approvals', text: safeText(text)});
}

type RuleSources = {
	readonly context: Pick<ProfileContext, 'current'>;
	/** By its registered name. */
	readonly findTool: (name: string) => RegisteredTool | undefined;
	/** As far as the journal goes back. */
	readonly listUses: Journal['listRuleUses'];
};

type TestedCall = Pick<EvaluatedCall, 'server' | 'tool' | 'arguments'>;

/** The rules as commands see them: the same through the socket and in a process of its own. */
export function ruleMethods(
	{
		rules,
		storedRules,
	}: {
		readonly rules: Pick<RememberedRules, 'list' | 'revoke'>;
		readonly storedRules: Pick<StoredRules, 'list' | 'remove'>;
	},
	{context, findTool, listUses}: RuleSources,
) {
	const stored = storedRules.list;
	const valid = () => validRules(context, stored());
	return {
		list: async (): Promise<RuleJson[]> => {
			const rows = [...valid().map(ruleToJson), ...rules.list().map(rememberedToJson)];
			const uses = new Map((await listUses()).map(use => [use.rule, use]));
			return rows.map(row => {
				const use = uses.get(row.id);
				return use ? {...row, uses: use.uses, last_used_at: use.lastUsedAt} : row;
			});
		},
		/** By its id or a part of it. Rejects with `ambiguous_id`. */
		revoke: async (typed: string) => {
			const all = valid();
			const id =
				readNamedId(
					[...all, ...rules.list()].map(rule => rule.id),
					typed,
				) ?? typed;
			switch (all.find(rule => rule.id === id)?.source) {
				case 'config':
					return {answer: 'configured' as const};
				case 'stored':
					return {answer: await storedRules.remove(id)};
				case undefined:
					return {answer: await rules.revoke(id)};
			}
		},
		test: ({server, tool, arguments: args}: TestedCall): RuleTestJson => {
			const name = calledName(server, tool);
			const found = findTool(name);
			const isFound = found?.server === server && found.tool === tool;
			const verdict = ruleVerdict(valid(), {
				server,
				tool,
				registeredName: name,
				arguments: args,
				inputSchema: isFound ? found.definition.inputSchema : undefined,
				origin: {kind: 'command'},
			});
			return verdict.kind === 'none'
				? {verdict: 'none', rule: null, undecided: false}
				: {verdict: verdict.kind, rule: verdict.rule.id, undecided: verdict.undecided};
		},
	};
}

/** The rules of config.yaml, and the stored ones behind them. Throws `rules_invalid` with what is wrong in the former. */
function validRules(
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
	return validRules(context, rulesIn(openRuleStore(context.documents).read()));
}

/** Opens the rules in this process, for one command. Rejects with the Problem of what cannot be read. */
export async function openRuleAccess(runtime: RuntimeContext) {
	const context = await loadOpenProfile(runtime);
	openRuleStore(context.documents).read();
	const listUses = async () => {
		const journal = await openConfiguredJournal(context);
		try {
			return await journal.listRuleUses();
		} finally {
			await journal.close();
		}
	};

	const stores = {rules: openRules(context), storedRules: openStoredRules(context)};
	const {list, revoke, test} = ruleMethods(stores, {context, findTool: () => undefined, listUses});
	return {list, revoke, test: async (call: TestedCall) => test(call), close: () => undefined};
}

const ruleDocument: DocumentKind<ApprovalRules> = {
	name: 'approval-rules',
	schema: approvalRulesSchema,
	fallback: {rules: []},
};

/** What a profile stores of the rules that always hold: remembered approvals, rules by argument, and what rules hold for. */
export function openRuleStore({open}: Documents) {
	return open(ruleDocument);
}
