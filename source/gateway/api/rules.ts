import {type RememberedRules} from '../../approvals/remembered-rules.ts';
import {type EvaluatedCall, ruleVerdict} from '../../approvals/rule-verdict.ts';
import {type StoredRules} from '../../approvals/stored-rules.ts';
import {type GatewayHandlers} from '../../control/methods.ts';
import {rememberedToJson, ruleToJson} from '../../control/to-wire.ts';
import {type Journal} from '../../journal/journal.ts';
import {type ResultOf} from '../../state/api.ts';
import {type RuleJson, type RuleTestJson} from '../../state/json/rule.ts';
import {calledName, type RegisteredTool} from '../../tools/registered-tool.ts';
import {readNamedId} from '../../util/id-part.ts';
import {Problem} from '../../util/problem.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {validRules} from '../stores/rule-store.ts';
import {type HandlerContext} from './handler-context.ts';
import {configuredRules, ruleList, type RuleParts} from './rule-rows.ts';

type RuleHandlers = Pick<GatewayHandlers, 'rules.list' | 'rules.view' | 'rules.test' | 'rules.revoke'>;

/** The rules of a profile, and the removal of those that a person stored. */
export function ruleHandlers({profile: {context, tools}, caller}: HandlerContext): RuleHandlers {
	const methods = ruleMethods(tools, {context, findTool: tools.catalogue.find, listUses: tools.listRuleUses});
	return {
		'rules.list': methods.list,
		'rules.view': () => ruleList({context, tools}),
		'rules.test': methods.test,
		'rules.revoke': ({id}) => (caller.kind === 'console' ? removeShown(id, {context, tools}) : methods.revoke(id)),
	};
}

/** Removes a rule that a console has shown, also while config.yaml cannot be read. */
async function removeShown(id: string, {context, tools}: RuleParts): Promise<ResultOf<'rules.revoke'>> {
	if (configuredRules(context).some(rule => rule.id === id)) {
		const message = 'This rule stands in config.yaml: remove it there, under `approvals.rules`, and reload';
		throw new Problem('bad_usage', {message});
	}

	const isStored = tools.storedRules.list().some(rule => rule.id === id);
	const answer = await (isStored ? tools.storedRules.remove(id) : tools.rules.revoke(id));
	if (answer === 'failed') {
		const message = 'Removed for now, but that could not be stored; it will apply again after a restart';
		throw new Problem('config_unreadable', {message});
	}

	return {answer};
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
