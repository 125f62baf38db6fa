import {type RememberedRules} from '../../approvals/remembered-rules.ts';
import {type EvaluatedCall, ruleVerdict} from '../../approvals/rule-verdict.ts';
import {ruleInWords} from '../../approvals/rule.ts';
import {storedId, type StoredRules} from '../../approvals/stored-rules.ts';
import {hookInputSchema, isHookServer} from '../../config/hooks/hook-tools.ts';
import {parseRule} from '../../config/rules/rule-entry.ts';
import {type RuleEntry} from '../../config/rules/rule-schema.ts';
import {sectionWithoutFile} from '../../config/values/section.ts';
import {type GatewayHandlers} from '../../control/methods.ts';
import {rememberedToJson, ruleToJson} from '../../control/to-wire.ts';
import {type Journal} from '../../journal/journal.ts';
import {type ParamsOf, type ResultOf} from '../../state/api.ts';
import {type RuleJson, type RuleTestJson} from '../../state/json/rule.ts';
import {calledName, type RegisteredTool} from '../../tools/registered-tool.ts';
import {safeAsker} from '../../state/origin.ts';
import {readNamedId} from '../../util/id-part.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {validRules} from '../stores/rule-store.ts';
import {assertMayAllow, type Caller, type HandlerContext} from './handler-context.ts';
import {configuredRules, ruleList, type RuleParts} from './rule-rows.ts';

type RuleHandlers = Pick<GatewayHandlers, 'rules.list' | 'rules.view' | 'rules.test' | 'rules.add' | 'rules.revoke'>;

/** The rules of a profile, their addition, and the removal of those that a person stored. */
export function ruleHandlers({profile: {context, tools}, caller}: HandlerContext): RuleHandlers {
	const {find: findTool} = tools.catalogue;
	const methods = ruleMethods(tools, {caller, context, findTool, listUses: tools.listRuleUses});
	return {
		'rules.list': methods.list,
		'rules.view': () => ruleList({context, tools}),
		'rules.test': methods.test,
		async 'rules.add'(params) {
			const added = await methods.add(params);
			if (added.answer === 'added') {
				const text = `${caller.name} stored the rule ${added.id}: ${ruleInWords(readRule(params.rule))}`;
				context.publish({type: 'log', level: 'info', area: 'approvals', text: safeText(text)});
				await tools.approvals.evaluateAgain();
			}

			return added;
		},
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

/** Reads a rule that is written as in config.yaml. Throws the problem of its first mistake. */
function readRule(written: JsonObject): RuleEntry {
	const reading = parseRule(written, sectionWithoutFile('rule'));
	if (reading.kind === 'broken') {
		throw reading.problem;
	}

	return reading.value;
}

const additionDenied = {
	message: 'Commands may not add allow rules here (`approvals.cli: deny`)',
	remedy: 'Write it into `approvals.rules` of config.yaml, or propose one on a card in the dashboard: `sluice`',
};
const removalDenied = {
	message: 'Commands may not remove deny and ask rules here (`approvals.cli: deny`)',
	remedy: 'Remove it in the dashboard: `sluice`, then R',
};

type RuleSources = {
	readonly caller: Caller;
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
		readonly storedRules: Pick<StoredRules, 'list' | 'add' | 'remove'>;
	},
	{caller, context, findTool, listUses}: RuleSources,
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
		/** Rejects with `commands_denied` for an allow rule of a command, where the configuration keeps commands from allowing. */
		add: async ({rule: written, mode}: ParamsOf<'rules.add'>): Promise<ResultOf<'rules.add'>> => {
			const rule = readRule(written);
			if (rule.action === 'allow') {
				assertMayAllow(caller, context, additionDenied);
			}

			const id = storedId(rule);
			if (mode === 'check') {
				return {id, answer: stored().some(one => one.id === id) ? 'known' : 'new'};
			}

			return {id, answer: await storedRules.add(rule)};
		},
		/** By its id or a part of it. Rejects with `ambiguous_id`, and as `add` for a deny or ask rule: without it calls go on. */
		revoke: async (typed: string) => {
			const all = valid();
			const id =
				readNamedId(
					[...all, ...rules.list()].map(rule => rule.id),
					typed,
				) ?? typed;
			const found = all.find(rule => rule.id === id);
			switch (found?.source) {
				case 'config':
					return {answer: 'configured' as const};
				case 'stored':
					if (found.action !== 'allow') {
						assertMayAllow(caller, context, removalDenied);
					}

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
				inputSchema: isHookServer(server) ? hookInputSchema : isFound ? found.definition.inputSchema : undefined,
				origin: {kind: 'command'},
			});
			return verdict.kind === 'none'
				? {verdict: 'none', rule: null, undecided: false}
				: {verdict: verdict.kind, rule: verdict.rule.id, undecided: verdict.undecided};
		},
	};
}

const maxNameCharacters = 200;

/** The requests of a profile that persons decided, counted by who asked and by tool (docs/dashboard.md, Who asks). */
export function askerHandlers({
	profile: {context, tools},
}: Pick<HandlerContext, 'profile'>): Pick<GatewayHandlers, 'askers.view'> {
	return {
		async 'askers.view'() {
			const counts = await tools.countAsked({profile: context.paths.profile});
			return {
				type: 'view.askers',
				counts: counts.map(count => ({
					...count,
					asker: safeAsker(count.asker),
					server: safeText(count.server, {maximumCharacters: maxNameCharacters}),
					tool: safeText(count.tool, {maximumCharacters: maxNameCharacters}),
				})),
			};
		},
	};
}
