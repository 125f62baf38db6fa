import {type RememberedRule} from '../../approvals/remembered-rules.ts';
import {approvalInWords, type Rule, ruleInWords} from '../../approvals/rule.ts';
import {type StoredRule} from '../../approvals/stored-rules.ts';
import {type RuleUse} from '../../journal/journal.ts';
import {type Command} from '../../state/command.ts';
import {type RuleRow, type RulesProblem, type ViewEvent} from '../../state/view-event.ts';
import {Problem, problemLine} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandTargets} from './command-targets.ts';
import {showProposal, storeRule} from './propose-rule.ts';

type RuleCommand = Extract<Command, {type: 'show-rules' | 'revoke-rule' | 'propose-rule' | 'store-rule'}>;

/** Shows the rules of a profile, removes those that a person stored (docs/rules.md, Rules in the dashboard), and makes one from a waiting request. */
export async function handleRuleCommand(command: RuleCommand, targets: CommandTargets): Promise<void> {
	switch (command.type) {
		case 'propose-rule':
			return showProposal(command, targets);
		case 'store-rule':
			return storeRule(command, targets);
		case 'revoke-rule':
			await remove(command.id, targets);
			return targets.console.show(await ruleList(targets));
		case 'show-rules':
			return targets.console.show(await ruleList(targets));
	}
}

async function remove(id: string, {context, tools}: CommandTargets): Promise<void> {
	if (configuredRules(context).some(rule => rule.id === id)) {
		const message = 'This rule stands in config.yaml: remove it there, under `approvals.rules`, and reload';
		throw new Problem('bad_usage', {message});
	}

	const isStored = tools.storedRules.list().some(rule => rule.id === id);
	if ((await (isStored ? tools.storedRules.remove(id) : tools.rules.revoke(id))) === 'failed') {
		const message = 'Removed for now, but that could not be stored; it will apply again after a restart';
		throw new Problem('config_unreadable', {message});
	}
}

async function ruleList(targets: CommandTargets): Promise<Extract<ViewEvent, {type: 'view.rules'}>> {
	const {context, tools} = targets;
	const problem = problemOf(targets);
	return {
		type: 'view.rules',
		rules: allRules(targets, await tools.listRuleUses()),
		...(problem && {problem: {...problem, reason: showFor(context)(problem.reason, longestWords)}}),
		keptDays: context.current().config.journal.maxAgeDays,
	};
}

/** The rules of config.yaml that hold now, stored ones, and remembered approvals. */
export function allRules(
	{context, tools}: Pick<CommandTargets, 'context' | 'tools'>,
	listed: readonly RuleUse[] = [],
): readonly RuleRow[] {
	const uses = new Map(listed.map(use => [use.rule, use]));
	const show = showFor(context);
	return [
		...configuredRules(context).map(rule => ruleRow(rule, uses.get(rule.id), show)),
		...tools.storedRules.list().map(rule => ruleRow(rule, uses.get(rule.id), show)),
		...tools.rules.list().map(rule => rememberedRow(rule, uses.get(rule.id), show)),
	];
}

/** Makes a text safe to show, without secrets. */
function showFor({redactor}: Pick<CommandTargets['context'], 'redactor'>): Show {
	return (text, maximumCharacters) => safeText(redactor.redact(text), {maximumCharacters});
}

type Show = (text: string, maximumCharacters: number) => string;

const longestWords = 1000;
const longestName = 200;

function ruleRow(rule: Rule & Partial<StoredRule>, use: RuleUse | undefined, show: Show): RuleRow {
	const {id, source, action, server = '*', tool = '*', reason, storedAt: createdAt} = rule;
	return {
		id,
		source,
		action,
		server: show(server, longestName),
		tool: show(tool, longestName),
		words: show(ruleInWords(rule), longestWords),
		...(reason !== undefined && {reason: show(reason, longestWords)}),
		scope: 'always',
		state: 'valid',
		...(createdAt !== undefined && {createdAt}),
		...useOf(use),
	};
}

function rememberedRow(rule: RememberedRule, use: RuleUse | undefined, show: Show): RuleRow {
	const {id, server, tool, scope, state, rememberedAt: createdAt} = rule;
	return {
		id,
		source: 'stored',
		action: 'allow',
		server: show(server, longestName),
		tool: show(tool, longestName),
		words: show(approvalInWords(rule), longestWords),
		scope,
		state,
		createdAt,
		...useOf(use),
	};
}

function useOf(use: RuleUse | undefined): Pick<RuleRow, 'uses' | 'lastUsedAt'> {
	return use ? {uses: use.uses, lastUsedAt: use.lastUsedAt} : {uses: 0};
}

/** The rules of config.yaml that hold now; none while they cannot be read. */
function configuredRules({current}: CommandTargets['context']): readonly Rule[] {
	const {rules} = current().config;
	return rules.kind === 'valid' ? rules.rules : [];
}

/** What keeps rules from being read: no tool is called then, unless there are former rules to go on with. */
function problemOf({context, tools}: Pick<CommandTargets, 'context' | 'tools'>): RulesProblem | undefined {
	const stored = tools.rules.problem();
	const {rules} = context.current().config;
	if (rules.kind === 'invalid' || stored !== undefined) {
		const reason = rules.kind === 'invalid' ? problemLine(rules.problem, context.paths.directory) : stored;
		return {reason: reason ?? '', inForce: 'no-tool-calls'};
	}

	const unusable = context.unusable();
	return unusable && {reason: problemLine(unusable, context.paths.directory), inForce: 'former-rules'};
}
