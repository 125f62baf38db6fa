import {type JsonObject} from '../util/json-text.ts';
import {type Rule, type RuleOrigin} from './rule.ts';

/** A call as rules see it. */
export type JudgedCall = {
	readonly server: string;
	/** The tool's own name at its server. */
	readonly tool: string;
	readonly registeredName: string;
	readonly arguments: JsonObject;
	/** Undefined when it is not known. */
	readonly inputSchema: JsonObject | undefined;
	readonly origin: RuleOrigin | undefined;
	/** Whether the text, or a fragment of it of 8 characters or more, stands in untrusted text the caller has read. */
	readonly isUntrusted?: (text: string) => boolean;
};

/** What the rules say about a call. `undecided`: the rule neither matches nor is it certain that it does not, so a person is asked. */
export type RuleVerdict =
	| {readonly kind: 'deny' | 'ask' | 'allow'; readonly rule: Rule; readonly undecided: boolean}
	| {readonly kind: 'none'};

/** The verdict of the rules about a call (docs/rules.md, Verdicts). Rules are prepared once for each list: pass the same list every time. */
export function ruleVerdict(rules: readonly Rule[], call: JudgedCall): RuleVerdict {
	const rule = rules.find(
		({action, server, tool}) => action !== 'allow' && server === call.server && tool === call.tool,
	);
	return rule ? {kind: rule.action, rule, undecided: false} : {kind: 'none'};
}
