import {type JsonObject} from '../../util/json-text.ts';

/** `rules list --json`, one row: a rule of config.yaml, one that was stored from a card, or a remembered approval. */
export type RuleJson = {
	readonly id: string;
	readonly source: 'config' | 'stored';
	readonly action: 'allow' | 'ask' | 'deny';
	/** Null: any. */
	readonly server: string | null;
	readonly tool: string | null;
	readonly arguments: JsonObject;
	readonly origin: JsonObject | null;
	readonly uses: number;
	readonly last_used_at: number | null;
	readonly words: string;
	/** `run`: until its run ends; `session`: until the gateway stops. */
	readonly scope: 'run' | 'session' | 'always';
	/** `void`: the definition of the tool changed since. */
	readonly state: 'valid' | 'void';
	/** Null for a rule of config.yaml. */
	readonly remembered_at: number | null;
};

/** `rules test --json`: what the rules say about a call, and the id of the one that decides. */
export type RuleTestJson = {
	readonly verdict: 'deny' | 'ask' | 'allow' | 'none';
	readonly rule: string | null;
	readonly undecided: boolean;
};
