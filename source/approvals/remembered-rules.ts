import {z} from 'zod';
import {parseRule} from '../config/rules/rule-entry.ts';
import {type RuleEntry} from '../config/rules/rule-schema.ts';
import {sectionWithoutFile} from '../config/values/section.ts';
import {type ApprovalScope} from '../state/approval-event.ts';
import {type Publish} from '../state/event.ts';
import {type Origin} from '../state/origin.ts';
import {type Clock} from '../util/clock.ts';
import {isJsonObject, type JsonObject} from '../util/json-text.ts';
import {errorText} from '../util/problem.ts';
import {randomId} from '../util/random-id.ts';
import {safeText, shownName} from '../util/safe-text.ts';
import {definitionDifference} from './definition-difference.ts';

const ruleSchema = z.object({
	id: z.string(),
	server: z.string(),
	/** The tool's own name at its server. */
	tool: z.string(),
	/** Hash of the definition that was approved. */
	fingerprint: z.string(),
	/** The definition itself, to show what changed. */
	definition: z.custom<JsonObject>(isJsonObject),
	/** A rule is void once another definition was seen; it never comes back, but its definition is what the next one is compared with. */
	state: z.enum(['valid', 'void']),
	/** Milliseconds since the epoch. */
	rememberedAt: z.number(),
});

const pinSchema = z.object({
	/** The id of the rule that holds for this definition. */
	rule: z.string(),
	server: z.string(),
	tool: z.string(),
	fingerprint: z.string(),
	/** To show what changed; absent for a long one. */
	definition: z.custom<JsonObject>(isJsonObject).optional(),
});

/** A rule by argument that a person stored. It is read as strictly as one of config.yaml: a misread rule could let something through. */
const storedRuleSchema = z.strictObject({
	rule: z.unknown().transform((written, context): RuleEntry => {
		const reading = parseRule(written, sectionWithoutFile('rule'));
		if (reading.kind === 'read') {
			return reading.value;
		}

		context.addIssue({code: 'custom', message: reading.problem.message});
		return z.NEVER;
	}),
	/** Milliseconds since the epoch. */
	storedAt: z.number(),
});

/** The content of `approval-rules.json`. */
export const approvalRulesSchema = z.object({
	/** Remembered approvals. */
	rules: z.array(ruleSchema),
	/** Rules by argument (`stored-rules`). */
	stored: z.array(storedRuleSchema).optional(),
	pins: z.array(pinSchema).optional(),
});

/** The definition of a tool that an allow rule holds for (`rule-pins`). */
export type RulePin = z.infer<typeof pinSchema>;

type Rule = z.infer<typeof ruleSchema>;

export type ApprovalRules = z.infer<typeof approvalRulesSchema>;

/** The lifetime of a remembered approval: until its run ends, until the gateway stops, or until it is revoked. */
export type RememberedScope = Exclude<ApprovalScope, 'once'>;

/** A remembered approval as it is listed. */
export type RememberedRule = Rule & {readonly scope: RememberedScope};

/** A tool as it is defined now. */
export type DefinedTool = {
	readonly server: string;
	readonly tool: string;
	readonly fingerprint: string;
	readonly definition: JsonObject;
};

/** The remembered approval for exactly this definition; `changed` says how it differs from the approved one. */
export type RuleMatch =
	| {readonly kind: 'remembered'; readonly rule: RememberedRule}
	| {readonly kind: 'changed'; readonly difference: string}
	| {readonly kind: 'none'};

/** Approvals that hold longer than one call (docs/connections.md, Results; docs/approvals.md, How approvals end). */
export type RememberedRules = {
	/** The reason that the file cannot be read, in words; undefined when it can. */
	readonly problem: () => string | undefined;
	/** Looks a tool up for a caller; a rule for another definition of it becomes void. While the file cannot be read, nothing is remembered. */
	readonly find: (tool: DefinedTool, origin?: Origin) => RuleMatch;
	/** Keeps an approval and replaces what was remembered for that tool. One that cannot be written holds until the gateway stops, one of a run is never written. */
	readonly remember: (tool: DefinedTool, scope: RememberedScope, origin?: Origin) => Promise<void>;
	/** Forgets the void approvals of a tool, so that it is compared with them no more: a person has seen the difference and approved it. */
	readonly forgetVoid: (tool: DefinedTool, origin?: Origin) => Promise<void>;
	/** Forgets what was approved for a run. */
	readonly endRun: (runId: string) => void;
	readonly list: () => readonly RememberedRule[];
	/** Takes a rule away. `failed`: it holds no more, but will again after a restart, because the file cannot be written. */
	readonly revoke: (id: string) => Promise<'revoked' | 'unknown' | 'failed'>;
};

/** The file behind the rules that always hold. It is read at every look, so that another process can revoke. */
export type RuleStore = {
	readonly read: () => ApprovalRules;
	/** Changes the rules that the file has then; the same rules, unchanged, write nothing. Rejects when the file cannot be changed. */
	readonly update: (change: (rules: ApprovalRules) => ApprovalRules, clock: Clock) => Promise<void>;
};

/** Opens the rules of one profile. */
export function createRememberedRules(options: {
	readonly clock: Clock;
	readonly publish: Publish;
	readonly store: RuleStore;
}): RememberedRules {
	const {clock, publish} = options;
	const warn = (text: string) => publish({type: 'log', level: 'warning', area: 'approvals', text: safeText(text)});
	const session = createRuleSet(createMemoryStore(), {clock, warn});
	const always = createRuleSet(options.store, {clock, warn});
	/** Kept here too, so that a rule whose file cannot be written does not come back. */
	const voided = new Set<string>();
	const runs = createRunRuleSet();
	const asVoid = (rule: Rule): Rule => (voided.has(rule.id) ? {...rule, state: 'void'} : rule);

	const scoped = (rules: readonly Rule[], scope: RememberedScope): readonly RememberedRule[] =>
		rules.map(rule => ({...asVoid(rule), scope}));
	const lasting = () => [...scoped(session.read(), 'session'), ...scoped(always.read(), 'always')];
	const list = () => [...scoped(runs.list(), 'run'), ...lasting()];

	const makeVoid = (rules: readonly RememberedRule[]) => {
		for (const rule of rules.filter(rule => rule.state === 'valid')) {
			voided.add(rule.id);
			// `voided` makes it void in this process before, or without, the file.
			if (rule.scope !== 'run') {
				void (rule.scope === 'session' ? session : always).update(all => all.map(asVoid));
			}

			warn(changeText(rule));
		}
	};

	return {
		list,
		problem: () => problemOf(options.store),
		endRun: runs.end,
		find(tool, origin) {
			const rules = [...scoped(runs.of(origin), 'run'), ...lasting()].filter(rule => isFor(rule, tool));
			const match = matchOf(rules, tool);
			if (match.kind !== 'remembered') {
				makeVoid(rules);
			}

			return match;
		},
		async remember({server, tool, fingerprint, definition}, scope, origin) {
			const id = randomId();
			const rule: Rule = {id, server, tool, fingerprint, definition, state: 'valid', rememberedAt: clock.now()};
			const others = (rules: readonly Rule[]) => rules.filter(other => !isFor(other, rule));
			if (scope === 'run') {
				return runs.update(origin, rules => [...others(rules), rule]);
			}

			await session.update(rules => (scope === 'session' ? [...others(rules), rule] : others(rules)));
			const kept = await always.update(rules => (scope === 'always' ? [...others(rules), rule] : others(rules)));
			if (scope === 'always' && kept === 'failed') {
				await session.update(rules => [...rules, rule]);
			}
		},
		async forgetVoid(tool, origin) {
			const others = (all: readonly Rule[]) => all.filter(one => !isFor(one, tool) || asVoid(one).state === 'valid');
			runs.update(origin, others);
			await Promise.all([session.update(others), always.update(others)]);
		},
		async revoke(id) {
			const rule = list().find(rule => rule.id === id);
			if (!rule) {
				return 'unknown';
			}

			voided.add(id);
			runs.remove(id);
			if (rule.scope === 'run') {
				return 'revoked';
			}

			const ruleSet = rule.scope === 'session' ? session : always;
			return (await ruleSet.update(rules => rules.filter(other => other.id !== id))) === 'kept' ? 'revoked' : 'failed';
		},
	};
}

function problemOf(store: RuleStore): string | undefined {
	try {
		store.read();
		return undefined;
	} catch (caught) {
		return errorText(caught);
	}
}

/** The rules that were approved for runs that have not ended. */
function createRunRuleSet() {
	const rules = new Map<string, readonly Rule[]>();
	const of = (origin: Origin | undefined) => (origin?.kind === 'run' ? (rules.get(origin.runId) ?? []) : []);
	return {
		of,
		list: () => [...rules.values()].flat(),
		/** Without a run there is nothing to hold it. */
		update(origin: Origin | undefined, change: (rules: readonly Rule[]) => readonly Rule[]): void {
			if (origin?.kind === 'run') {
				rules.set(origin.runId, change(of(origin)));
			}
		},
		remove(id: string): void {
			for (const [runId, held] of rules) {
				const others = held.filter(rule => rule.id !== id);
				rules.set(runId, others);
			}
		},
		end: (runId: string) => void rules.delete(runId),
	};
}

/** The rules of a store. Neither throws nor rejects; writes only changes. */
type RuleSet = {
	readonly read: () => readonly Rule[];
	readonly update: (change: (rules: readonly Rule[]) => readonly Rule[]) => Promise<'kept' | 'failed'>;
};

function createRuleSet(
	store: RuleStore,
	{clock, warn}: {readonly clock: Clock; readonly warn: (text: string) => void},
): RuleSet {
	return {
		read() {
			try {
				return store.read().rules;
			} catch (caught) {
				warn(`Remembered approvals cannot be read, so none applies: ${errorText(caught)}`);
				return [];
			}
		},
		async update(change) {
			try {
				await store.update(file => {
					const after = change(file.rules);
					const isSame = after.length === file.rules.length && after.every((rule, index) => rule === file.rules[index]);
					return isSame ? file : {...file, rules: [...after]};
				}, clock);

				return 'kept';
			} catch (caught) {
				warn(`Remembered approvals cannot be written: ${errorText(caught)}`);
				return 'failed';
			}
		},
	};
}

function createMemoryStore(): RuleStore {
	let rules: ApprovalRules = {rules: []};
	return {
		read: () => rules,
		async update(change) {
			rules = change(rules);
		},
	};
}

function isFor(rule: Rule, tool: {readonly server: string; readonly tool: string}): boolean {
	return rule.server === tool.server && rule.tool === tool.tool;
}

/** Compares the approvals of a tool with its present definition; approvals of the run come first. */
function matchOf(rules: readonly RememberedRule[], tool: DefinedTool): RuleMatch {
	const rule = rules.find(({state, fingerprint}) => state === 'valid' && fingerprint === tool.fingerprint);
	const [last] = rules;
	return rule
		? {kind: 'remembered', rule}
		: last
			? {kind: 'changed', difference: differenceText(last, tool)}
			: {kind: 'none'};
}

function differenceText(rule: Rule, tool: DefinedTool): string {
	return (
		definitionDifference(rule.definition, tool.definition) ?? 'It has changed and changed back since it was approved'
	);
}

function changeText({server, tool}: Pick<RememberedRule, 'server' | 'tool'>): string {
	return `${server} changed the definition of ${shownName(tool)}, so its remembered approval no longer applies`;
}
