import {type Rule, ruleInWords, type RuleOrigin} from '../approvals/rule.ts';
import {ruleVerdict, type RuleVerdict} from '../approvals/rule-verdict.ts';
import {type AskingRule} from '../state/approval-event.ts';
import {type Origin} from '../state/origin.ts';
import {isJsonObject, isList, type JsonObject, type JsonValue} from '../util/json-text.ts';
import {type Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type UntrustedTexts} from './untrusted-texts.ts';
import {type ValidatedCall} from './validate-call.ts';

/** The rules that hold now, or why none can be read: then no call is made (docs/rules.md, Mistakes in rules). */
export type RuleState =
	| {readonly kind: 'valid'; readonly rules: readonly Rule[]}
	| {readonly kind: 'invalid'; readonly problem: Pick<Problem, 'message'>};

/**
Where a call comes from, as rules see it: first what outsiders may have started. The run of a job that a webhook fired comes from both; a run that
a person started comes from that person.
*/
export function ruleOrigins(origin: Origin): readonly [RuleOrigin, ...RuleOrigin[]] {
	switch (origin.kind) {
		case 'command-line':
			return [{kind: 'command'}];
		case 'dashboard':
			return [{kind: 'person'}];
		case 'endpoint':
		case 'demo':
			return [{kind: 'endpoint', name: origin.client}];
		case 'run': {
			const {route, job = ''} = origin;
			const ofJob = job === '' ? [] : [{kind: 'job', name: job} as const];
			return route === '' ? [ofJob[0] ?? {kind: 'person'}] : [{kind: 'route', name: route}, ...ofJob];
		}
	}
}

type JudgedPart = Pick<ValidatedCall, 'tool' | 'arguments' | 'origin'>;

/** What the caller has read that outsiders may have written. */
type Read = Pick<UntrustedTexts, 'holds'> | undefined;

/** The verdict of the rules about a call. Of two origins both can deny or ask, but only the first allows: its payload is what the run works on. */
export function verdictOfRules(
	rules: readonly Rule[],
	{tool, arguments: args, origin}: JudgedPart,
	untrustedTexts: Read,
): RuleVerdict {
	const [first, ...further] = ruleOrigins(origin).map(origin =>
		ruleVerdict(rules, {
			server: tool.server,
			tool: tool.tool,
			registeredName: tool.name,
			arguments: args,
			inputSchema: tool.definition.inputSchema,
			origin,
			...(untrustedTexts && {isUntrusted: untrustedTexts.holds}),
		}),
	);
	const verdicts = [...(first ? [first] : []), ...further];
	return (
		verdicts.find(({kind}) => kind === 'deny') ?? verdicts.find(({kind}) => kind === 'ask') ?? first ?? {kind: 'none'}
	);
}

/** The rule that asks, as a card shows it, and the rule itself. */
export function askingRule(verdict: RuleVerdict): {readonly rule?: AskingRule & {readonly of: Rule}} {
	if (verdict.kind !== 'ask') {
		return {};
	}

	const {rule, undecided} = verdict;
	const reason = rule.reason === undefined ? '' : ` (${rule.reason})`;
	const doubt = undecided ? 'it cannot be said whether this rule matches: ' : '';
	const words = `${doubt}rule ${rule.id} ${ruleInWords(rule)}${reason}`;
	return {rule: {id: rule.id, words: safeText(words, {maximumCharacters: mostRuleCharacters}), of: rule}};
}

const mostRuleCharacters = 2000;

/** The cost of a look grows with the arguments, so those of a huge call are all taken for untrusted. */
const mostValues = 2000;
const mostNames = 100;

/** The names of the top-level arguments in which a value stands in untrusted text, for later judgements of the recorded call. */
export function untrustedArguments(args: JsonObject, untrustedTexts: Read): readonly string[] {
	if (!untrustedTexts) {
		return [];
	}

	let values = 0;
	const isUntrusted = (value: JsonValue): boolean => {
		values++;
		if (values > mostValues) {
			return true;
		}

		if (typeof value === 'string' || typeof value === 'number') {
			return untrustedTexts.holds(String(value));
		}

		return isList(value) ? value.some(isUntrusted) : isJsonObject(value) && Object.values(value).some(isUntrusted);
	};

	return Object.entries(args)
		.slice(0, mostNames)
		.flatMap(([name, value]) => (isUntrusted(value) ? [name] : []));
}
