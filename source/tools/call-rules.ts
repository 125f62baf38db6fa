import {callVerdict} from '../approvals/call-verdict.ts';
import {type DefinedTool} from '../approvals/remembered-rules.ts';
import {type ProposalSubject} from '../approvals/rule-proposal.ts';
import {type Rule, ruleInWords} from '../approvals/rule.ts';
import {type RuleVerdict} from '../approvals/rule-verdict.ts';
import {type CallEvaluation} from '../journal/rows/records.ts';
import {type AskingRule, type RuleMark} from '../state/approval-event.ts';
import {isJsonObject, isList, type JsonObject, type JsonValue, ownMember} from '../util/json-text.ts';
import {type Problem} from '../util/problem.ts';
import {type FindSecrets} from '../util/redact.ts';
import {safeText} from '../util/safe-text.ts';
import {shownJson, fullLimits} from '../util/shown-json.ts';
import {definitionJson, type RegisteredTool} from './registered-tool.ts';
import {type UntrustedTexts} from './untrusted-texts.ts';
import {type ValidatedCall} from './validate-call.ts';

/** The rules that hold now, or why none can be read: then no call is made (docs/rules.md, Mistakes in rules). */
export type RuleState =
	| {readonly kind: 'valid'; readonly rules: readonly Rule[]}
	| {readonly kind: 'invalid'; readonly problem: Pick<Problem, 'message'>};

/** The rules, where they can be read. */
export function readableRules(state: RuleState): readonly Rule[] | undefined {
	return state.kind === 'valid' ? state.rules : undefined;
}

/** True if the rules are the same as at an earlier moment, in the same order; the list may be another object. */
export function areRulesOf(earlier: readonly Rule[] | undefined, state: RuleState): boolean {
	const now = readableRules(state);
	return (
		now === earlier ||
		(now?.length === earlier?.length && now?.every((rule, index) => rule === earlier?.[index]) === true)
	);
}

type EvaluatedPart = Pick<ValidatedCall, 'tool' | 'arguments' | 'origin'>;

/** The texts that the caller has read and outsiders may have written. */
type Read = Pick<UntrustedTexts, 'holds'> | undefined;

/** The verdict of the rules about a call that is made now. */
export function verdictOfRules(
	rules: readonly Rule[],
	{tool, arguments: args, origin}: EvaluatedPart,
	untrustedTexts: Read,
): RuleVerdict {
	return callVerdict(rules, evaluatedCall({tool, arguments: args, origin}, untrustedTexts));
}

/** A call as a person may make a rule from it. */
export function proposalSubject(call: EvaluatedPart, untrustedTexts: Read, partsOf: FindSecrets): ProposalSubject {
	const masks = {names: 'secret', partsOf} as const;
	return {
		...evaluatedCall(call, untrustedTexts),
		definition: definedTool(call.tool),
		isMasked: name =>
			shownJson({[name]: ownMember(call.arguments, name) ?? null}, {room: fullLimits, masks}).maskedValues > 0,
	};
}

function evaluatedCall({tool, arguments: args, origin}: EvaluatedPart, untrustedTexts: Read) {
	return {
		server: tool.server,
		tool: tool.tool,
		registeredName: tool.name,
		arguments: args,
		inputSchema: tool.definition.inputSchema,
		origin,
		...(untrustedTexts && {isUntrusted: untrustedTexts.holds}),
	};
}

/** A tool as rules and remembered approvals know it. */
export function definedTool({server, tool, fingerprint, definition}: RegisteredTool): DefinedTool {
	return {server, tool, fingerprint, definition: definitionJson(definition)};
}

/** The rule that asks, as a card shows it, and the rule itself. */
export function askingRule(verdict: RuleVerdict): {readonly rule?: AskingRule & {readonly of: Rule}} {
	if (verdict.kind !== 'ask') {
		return {};
	}

	const {rule, undecided} = verdict;
	const doubt = undecided ? 'this rule may or may not match: ' : '';
	const words = `${doubt}${ruleWithReason(rule)}`;
	return {rule: {id: rule.id, words: safeText(words, {maximumCharacters: maxRuleCharacters}), of: rule}};
}

const maxRuleCharacters = 2000;

/** A rule with its id and reason in words, which are not yet safe to show. */
function ruleWithReason(rule: Rule): string {
	const reason = rule.reason === undefined ? '' : ` (${rule.reason})`;
	return `rule ${rule.id} ${ruleInWords(rule)}${reason}`;
}

/** A list of tools has so many rules of each, and so much of each rule. */
const maxListedRules = 5;
const maxListedCharacters = 300;

/** The first of some rules in words that are safe to show, and how many more there are. */
export function listRules(rules: readonly Rule[]): readonly string[] {
	const listed = rules
		.slice(0, maxListedRules)
		.map(rule => safeText(ruleWithReason(rule), {maximumCharacters: maxListedCharacters}));
	const more = rules.length - listed.length;
	return more > 0 ? [...listed, more === 1 ? '1 more rule' : `${more} more rules`] : listed;
}

/** The cost of a look grows with the arguments, so those of a huge call are all taken for untrusted. */
const maxValues = 2000;
/** So many arguments are looked at; those behind them are taken for untrusted. */
const maxNames = 100;

/** The names of the top-level arguments of which a value is in untrusted text, for later evaluations of the recorded call. */
function untrustedArguments(args: JsonObject, untrustedTexts: Read): readonly string[] {
	if (!untrustedTexts) {
		return [];
	}

	let values = 0;
	const isUntrusted = (value: JsonValue): boolean => {
		values++;
		if (values > maxValues) {
			return true;
		}

		if (typeof value === 'string' || typeof value === 'number') {
			return untrustedTexts.holds(String(value));
		}

		return isList(value) ? value.some(isUntrusted) : isJsonObject(value) && Object.values(value).some(isUntrusted);
	};

	return Object.entries(args).flatMap(([name, value], index) =>
		index >= maxNames || isUntrusted(value) ? [name] : [],
	);
}

/** The part of a decision that the journal keeps, for rules that are tried on recorded calls later. */
export function evaluationOf(
	{tool, arguments: args}: Pick<ValidatedCall, 'tool' | 'arguments'>,
	decided: {readonly kind: CallEvaluation['decision']; readonly rule?: RuleMark | undefined},
	untrustedTexts: Read,
): CallEvaluation {
	const untrusted = untrustedArguments(args, untrustedTexts);
	const {kind, rule} = decided;
	return {
		fingerprint: tool.fingerprint,
		decision: kind,
		...(rule && {rule: {id: rule.id, action: rule.action, source: rule.source}}),
		...(untrusted.length > 0 && {untrusted}),
	};
}
