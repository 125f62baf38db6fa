import {allViews, type ViewName} from '../lists/view-table.ts';
import {type Scope} from './key-scope.ts';
import {type Action, keymap} from './keymap.ts';

/** How often the keys that the footer can offer were used in each list. */
export type KeyUses = Readonly<Partial<Record<ViewName, ListUses>>>;

type ListUses = Readonly<Partial<Record<Action, number>>>;

/** What stands at the end of every footer. */
export const lastActions: ReadonlySet<Action> = new Set<Action>(['help', 'quit']);

/** Where the keys of lists are looked up. */
const listScopes: ReadonlySet<Scope> = new Set<Scope>([
	...allViews,
	'list',
	'global',
	'servers',
	'you-list',
	'first-run',
]);

/** Esc is pressed often everywhere, and everybody knows it. */
const unmoved: ReadonlySet<Action> = new Set<Action>([...lastActions, 'back']);

/** What the footer of a list can put first: all that it offers, but for what keeps its place. */
export const countedActions: ReadonlySet<Action> = new Set(
	keymap
		.filter(({scope, hint, action}) => listScopes.has(scope) && hint !== undefined && !unmoved.has(action))
		.map(({action}) => action),
);

/** So often a key has to be used in a list before it is known to be wanted there. */
const enoughUses = 5;

/** At so many uses of one key all counts of its list are halved: what was used long ago weighs less. */
export const maxUses = 100;

/** The counts after an action of a list was used once more. */
export function withUse(uses: KeyUses, view: ViewName, action: Action): KeyUses {
	if (!countedActions.has(action)) {
		return uses;
	}

	const counts: ListUses = {...uses[view], [action]: (uses[view]?.[action] ?? 0) + 1};
	return {...uses, [view]: (counts[action] ?? 0) < maxUses ? counts : halved(counts)};
}

function halved(counts: ListUses): ListUses {
	return Object.fromEntries(Object.entries(counts).map(([action, count]) => [action, Math.floor(count / 2)]));
}

/** The actions that are used most in a list, the most used first; none before enough is known. */
export function mostUsed(uses: KeyUses, view: ViewName): readonly Action[] {
	const counts = Object.entries(uses[view] ?? {}) as ReadonlyArray<readonly [Action, number]>;
	return counts
		.filter(([, count]) => count >= enoughUses)
		.toSorted(([, first], [, second]) => second - first)
		.map(([action]) => action);
}
