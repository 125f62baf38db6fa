import {hashRule} from '../config/rules/rule-entry.ts';
import {type RuleEntry} from '../config/rules/rule-schema.ts';
import {type Clock} from '../util/clock.ts';
import {memoizeByObject} from '../util/memoize.ts';
import {errorText, Problem} from '../util/problem.ts';
import {type ApprovalRules, type DefinedTool, type RuleStore} from './remembered-rules.ts';
import {withPin} from './rule-pins.ts';
import {type Rule} from './rule.ts';

/** A rule by argument that a person stored at a card or added with a command. */
export type StoredRule = Rule & {readonly storedAt: number};

/** The rules by argument in the file of the remembered approvals (docs/rules.md, Rules from a card). */
export type StoredRules = {
	/** In the order in which they were stored; the same list as long as nothing changes. None while the file cannot be read: then every call is refused. */
	readonly list: () => readonly StoredRule[];
	/**
	Stores a rule. `tool`: it holds for this definition, which the person has seen; without one it is pinned at its first use. `mayStore` is asked last:
	what it throws is what this rejects with, and nothing is stored. Also rejects when the file cannot be changed. A rule that is there already is not
	stored twice.
	*/
	readonly add: (
		rule: RuleEntry,
		shown?: {readonly tool: DefinedTool; readonly mayStore: () => void},
	) => Promise<'added' | 'known'>;
	/** `failed`: it holds no more, but will again after a restart, because the file cannot be written. */
	readonly remove: (id: string) => Promise<'revoked' | 'unknown' | 'failed'>;
};

/** More than anybody looks through. */
const maxStored = 1000;

/** Opens the stored rules of one profile. */
export function createStoredRules(options: {
	readonly clock: Clock;
	readonly store: RuleStore;
	readonly warn: (text: string) => void;
}): StoredRules {
	const {clock, store, warn} = options;
	/** The ids of rules whose removal could not be written. */
	const removed = new Set<string>();
	const list = () => {
		try {
			const rules = rulesIn(store.read());
			return removed.size === 0 ? rules : rules.filter(({id}) => !removed.has(id));
		} catch {
			return none;
		}
	};

	return {
		list,
		async add(rule, shown) {
			const id = storedId(rule);
			let answer: 'added' | 'known' = 'known';
			await store.update(file => {
				shown?.mayStore();
				const stored = file.stored ?? [];
				const isKnown = stored.some(one => storedId(one.rule) === id);
				if (!isKnown && stored.length >= maxStored) {
					throw new Problem('bad_usage', {
						message: `${maxStored} rules are already stored. Remove one with \`sluice rules remove ID\``,
					});
				}

				answer = isKnown ? 'known' : 'added';
				const withRule = isKnown ? file : {...file, stored: [...stored, {rule, storedAt: clock.now()}]};
				return shown ? {...withRule, pins: [...withPin(file.pins ?? [], {id}, shown.tool)]} : withRule;
			}, clock);
			removed.delete(id);
			return answer;
		},
		async remove(id) {
			if (!list().some(rule => rule.id === id)) {
				return 'unknown';
			}

			removed.add(id);
			try {
				await store.update(file => withoutRule(file, id), clock);
				removed.delete(id);
				return 'revoked';
			} catch (caught) {
				warn(`The rule ${id} is removed until the gateway stops, because that cannot be stored: ${errorText(caught)}`);
				return 'failed';
			}
		},
	};
}

const none: readonly StoredRule[] = [];

/** The rules by argument of the file; the same list for the same content. */
export const rulesIn = memoizeByObject(({stored}: ApprovalRules): readonly StoredRule[] =>
	(stored ?? []).map(({rule, storedAt}) => ({...rule, id: storedId(rule), source: 'stored', storedAt})),
);

/** The rules of config.yaml and the stored ones behind them; the same list for the same two, since rules are prepared once for each list. */
export function withStored(configured: readonly Rule[], stored: readonly Rule[]): readonly Rule[] {
	return stored.length === 0 ? configured : joined(configured)(stored);
}

const joined = memoizeByObject((configured: readonly Rule[]) =>
	memoizeByObject((stored: readonly Rule[]): readonly Rule[] => [...configured, ...stored]),
);

/** The id that a rule has once it is stored: it follows from what the rule does. */
export function storedId(rule: RuleEntry): string {
	return `${storedPrefix}${hashRule(rule).slice(0, 8)}`;
}

/** The ids of remembered approvals begin otherwise. */
export const storedPrefix = 'stored-';

function withoutRule({stored = [], pins = [], ...file}: ApprovalRules, id: string): ApprovalRules {
	return {
		...file,
		stored: stored.filter(({rule}) => storedId(rule) !== id),
		pins: pins.filter(pin => pin.rule !== id),
	};
}
