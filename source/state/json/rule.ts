import {type JsonRow} from '../entities/json-kind.ts';
import {type ruleFields} from '../entities/rule.ts';

/** `rules list --json`, one row: a rule of config.yaml, one that was stored from a card, or a remembered approval. */
export type RuleJson = JsonRow<typeof ruleFields>;

/** `rules test --json`: what the rules say about a call, and the id of the one that decides. */
export type RuleTestJson = {
	readonly verdict: 'deny' | 'ask' | 'allow' | 'none';
	readonly rule: string | null;
	readonly undecided: boolean;
};
