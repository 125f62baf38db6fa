import {type RememberedRule} from '../../approvals/remembered-rules.ts';
import {approvalInWords, type Rule, ruleInWords} from '../../approvals/rule.ts';
import {type StoredRule} from '../../approvals/stored-rules.ts';
import {type RuleUse} from '../../journal/journal.ts';
import {safeAsker} from '../../state/origin.ts';
import {type RuleRow, type RulesProblem, type ViewEvent} from '../../state/view-event.ts';
import {problemLine} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type HandlerContext} from './handler-context.ts';

/** The parts of a profile that its rules are read from. */
export type RuleParts = {
	readonly context: Pick<HandlerContext['profile']['context'], 'current' | 'paths' | 'unusable' | 'redactor'>;
	readonly tools: Pick<HandlerContext['profile']['tools'], 'rules' | 'storedRules' | 'listRuleUses'>;
};

/** The rules of a profile, as its console shows them (docs/rules.md, Rules in the dashboard). */
export async function ruleList(parts: RuleParts): Promise<Extract<ViewEvent, {type: 'view.rules'}>> {
	const {context, tools} = parts;
	const problem = problemOf(parts);
	return {
		type: 'view.rules',
		rules: allRules(parts, await tools.listRuleUses()),
		...(problem && {problem: {...problem, reason: showFor(context)(problem.reason, longestWords)}}),
		keptDays: context.current().config.journal.maxAgeDays,
	};
}

/** The rules of config.yaml that hold now, stored ones, and remembered approvals. */
export function allRules(
	{context, tools}: Omit<RuleParts, 'tools'> & {readonly tools: Pick<RuleParts['tools'], 'rules' | 'storedRules'>},
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
function showFor({redactor}: Pick<RuleParts['context'], 'redactor'>): Show {
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

/** Askers of a rule that a list has. */
const maxAskers = 10;

function safeUse({asker, uses}: RuleUse['askers'][number]): RuleUse['askers'][number] {
	return {asker: safeAsker(asker), uses};
}

function useOf(use: RuleUse | undefined): Pick<RuleRow, 'uses' | 'askers' | 'lastUsedAt'> {
	return use
		? {uses: use.uses, askers: use.askers.slice(0, maxAskers).map(safeUse), lastUsedAt: use.lastUsedAt}
		: {uses: 0};
}

/** The rules of config.yaml that hold now; none while they cannot be read. */
export function configuredRules({current}: Pick<RuleParts['context'], 'current'>): readonly Rule[] {
	const {rules} = current().config;
	return rules.kind === 'valid' ? rules.rules : [];
}

/** The problem that keeps rules from being read. Without former rules, no tool is called meanwhile. */
function problemOf({context, tools}: RuleParts): RulesProblem | undefined {
	const stored = tools.rules.problem();
	const {rules} = context.current().config;
	if (rules.kind === 'invalid' || stored !== undefined) {
		const reason = rules.kind === 'invalid' ? problemLine(rules.problem, context.paths.directory) : stored;
		return {reason: reason ?? '', inForce: 'no-tool-calls'};
	}

	const unusable = context.unusable();
	return unusable && {reason: problemLine(unusable, context.paths.directory), inForce: 'former-rules'};
}
