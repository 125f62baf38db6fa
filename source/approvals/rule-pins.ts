import {type Clock} from '../util/clock.ts';
import {errorText} from '../util/problem.ts';
import {memoizeByObject} from '../util/memoize.ts';
import {definitionDifference} from './definition-difference.ts';
import {type ApprovalRules, type DefinedTool, type RulePin, type RuleStore} from './remembered-rules.ts';
import {type RuleVerdict} from './rule-verdict.ts';
import {type Rule} from './rule.ts';

/** The result of comparing a tool with the definition that a rule was written for. */
type PinCheck =
	| {readonly kind: 'pinned'}
	/** The definition is another one, or the tool was not there when the rule was first used; in words that are safe to show. */
	| {readonly kind: 'changed'; readonly difference: string}
	| {readonly kind: 'failed'; readonly message: string};

/** The definitions that rules were first used with (docs/rules.md, Changed definitions). */
export type RulePins = {
	/** The rules among these that were first used with another definition of the tool, and how it differs, in words that are safe to show. */
	readonly changes: (rules: readonly Rule[], tool: DefinedTool) => readonly RuleChange[];
	/**
	At the first use of a rule, `matching` are pinned: all tools that it matches then; without them nothing is. Resolves once that is on disk, and
	never rejects.
	*/
	readonly check: (
		rule: Rule,
		tool: DefinedTool,
		matching: (() => readonly DefinedTool[]) | undefined,
	) => Promise<PinCheck>;
	/** Pins what a deny or ask rule is first used with. One that denies whatever the arguments are needs no pin. Never rejects. */
	readonly noteUse: (
		verdict: RuleVerdict,
		tool: DefinedTool,
		matching: (rule: Rule) => () => readonly DefinedTool[],
	) => Promise<void>;
	/**
	Pins the tools of each deny rule on arguments that is evaluated for the first time: a later definition may read arguments in another way. They
	count at once and are written behind, so that no call waits for a disk.
	*/
	readonly noteEvaluated: (
		rules: readonly Rule[],
		tool: DefinedTool,
		matching: (rule: Rule) => () => readonly DefinedTool[],
	) => void;
	/** A person has seen the definition and approved it. Never rejects: a pin that cannot be written asks again. */
	readonly pin: (rule: Rule, tool: DefinedTool) => Promise<void>;
};

type RuleChange = {readonly rule: Rule; readonly difference: string};

/** All pins of a profile together, and the largest definition that is kept to show what changed. */
const maxPins = 5000;
const longestDefinition = 20_000;

/** Opens the pins of one profile, in the file of the remembered approvals. The oldest pins make room for those of allow rules. */
export function createRulePins(options: {
	readonly clock: Clock;
	readonly store: RuleStore;
	readonly warn: (text: string) => void;
}): RulePins {
	const {warn} = options;
	const pinned = createPinStore(options);
	const check: RulePins['check'] = async (rule, tool, matching) => {
		try {
			if (matching && pinned.pinsOf(rule).length === 0) {
				await pinned.begin(rule, firstPins(rule, tool, matching));
			}

			return compare(
				pinned.pinsOf(rule).find(pin => isSame(pin, tool)),
				tool,
			);
		} catch (caught) {
			const message = errorText(caught);
			warn(`The rule ${rule.id} allows nothing, because its tools cannot be pinned: ${message}`);
			return {kind: 'failed', message};
		}
	};

	return {
		check,
		async noteUse(verdict, tool, matching) {
			const isUsed = verdict.kind === 'ask' || verdict.kind === 'deny';
			if (isUsed && (verdict.rule.action === 'ask' || Object.keys(verdict.rule.arguments).length > 0)) {
				await check(verdict.rule, tool, matching(verdict.rule));
			}
		},
		noteEvaluated(rules, tool, matching) {
			const isKnown = pinned.isPinned();
			for (const rule of rules) {
				if (rule.action === 'deny' && Object.keys(rule.arguments).length > 0 && !isKnown(rule)) {
					void pinned.beginBehind(rule, firstPins(rule, tool, matching(rule)));
				}
			}
		},
		changes(rules, tool) {
			const others = pinned.pinsOfTool(tool).filter(pin => pin.fingerprint !== tool.fingerprint);
			return others.flatMap(pin => {
				const rule = rules.find(({id}) => id === pin.rule);
				return rule ? [{rule, difference: differenceFrom(pin, tool)}] : [];
			});
		},
		async pin(rule, tool) {
			await pinned
				.change(all => withPin(all, rule, tool), {rule, tool})
				.catch((caught: unknown) =>
					warn(`The rule ${rule.id} asks again, because its tool cannot be pinned: ${errorText(caught)}`),
				);
		},
	};
}

/** The pins of the file, and those that are on their way there. */
function createPinStore({clock, store, warn}: Parameters<typeof createRulePins>[0]) {
	/** By rule: those that are being written, or could not be. */
	const early = new Map<string, readonly RulePin[]>();

	/** Changes the file; `approved` is known from it alone then. */
	const change = async (
		make: (pins: readonly RulePin[]) => readonly RulePin[],
		approved?: {readonly rule: Rule; readonly tool: DefinedTool},
	) => {
		await store.update((file): ApprovalRules => {
			const before = file.pins ?? [];
			const after = make(before);
			return after === before ? file : {...file, pins: after.slice(-maxPins)};
		}, clock);
		if (approved) {
			const {rule, tool} = approved;
			const unwritten = early.get(rule.id);
			if (unwritten) {
				early.set(
					rule.id,
					unwritten.filter(pin => !isSame(pin, tool)),
				);
			}
		}
	};

	/** Of two first uses at once, the first one on disk decides. */
	const begin = (rule: Rule, pins: readonly RulePin[]) => {
		const room = (all: readonly RulePin[]) => (rule.action === 'allow' ? maxPins : maxPins - all.length);
		return change(all => (all.some(pin => pin.rule === rule.id) ? all : [...all, ...pins.slice(0, room(all))]));
	};

	return {
		change,
		begin,
		async beginBehind(rule: Rule, pins: readonly RulePin[]): Promise<void> {
			early.set(rule.id, pins);
			try {
				await begin(rule, pins);
				early.delete(rule.id);
			} catch (caught) {
				const why = errorText(caught);
				warn(
					`The definitions at the first use of rule ${rule.id} cannot be stored, and are known only until this gateway stops: ${why}`,
				);
			}
		},
		pinsOf({id}: Rule): readonly RulePin[] {
			const stored = (store.read().pins ?? []).filter(pin => pin.rule === id);
			return stored.length > 0 ? stored : (early.get(id) ?? []);
		},
		pinsOfTool(tool: DefinedTool): readonly RulePin[] {
			const stored = pinsByTool(store.read()).get(toolKey(tool)) ?? [];
			return [...stored, ...[...early.values()].flatMap(pins => pins.filter(pin => isSame(pin, tool)))];
		},
		/** Finds out whether a rule has pins. */
		isPinned(): (rule: Rule) => boolean {
			const pinned = pinnedRules(store.read());
			return ({id}) => pinned.has(id) || early.has(id);
		},
	};
}

/** The pins of a rule at its first use: the tool of the call, and all others that it matches then. */
function firstPins(rule: Rule, tool: DefinedTool, matching: () => readonly DefinedTool[]): readonly RulePin[] {
	return [tool, ...matching().filter(other => !isSame(other, tool))].map(one => pinOf(rule, one)).slice(0, maxPins);
}

/** The rules that have pins. */
const pinnedRules = memoizeByObject(({pins = []}: ApprovalRules) => new Set(pins.map(({rule}) => rule)));

/** The pins of each tool; the file stays the same object until it changes. */
const pinsByTool = memoizeByObject(({pins = []}: ApprovalRules) => Map.groupBy(pins, toolKey));

function toolKey({server, tool}: Pick<DefinedTool, 'server' | 'tool'>): string {
	return JSON.stringify([server, tool]);
}

function compare(pin: RulePin | undefined, tool: DefinedTool): PinCheck {
	if (!pin) {
		return {kind: 'changed', difference: 'The tool is new: it did not exist when the rule was first used'};
	}

	if (pin.fingerprint === tool.fingerprint) {
		return {kind: 'pinned'};
	}

	return {kind: 'changed', difference: differenceFrom(pin, tool)};
}

function differenceFrom({definition}: RulePin, tool: DefinedTool): string {
	const difference = definition && definitionDifference(definition, tool.definition);
	return difference ?? 'It has been replaced since the rule was first used';
}

/** The pins once a person has seen this definition and approved it for a rule. */
export function withPin(pins: readonly RulePin[], rule: Pick<Rule, 'id'>, tool: DefinedTool): readonly RulePin[] {
	const others = pins.filter(pin => pin.rule !== rule.id || !isSame(pin, tool));
	return [...others, pinOf(rule, tool)].slice(-maxPins);
}

function pinOf({id}: Pick<Rule, 'id'>, {server, tool, fingerprint, definition}: DefinedTool): RulePin {
	const isShort = JSON.stringify(definition).length <= longestDefinition;
	return {rule: id, server, tool, fingerprint, ...(isShort && {definition})};
}

function isSame(one: Pick<DefinedTool, 'server' | 'tool'>, other: Pick<DefinedTool, 'server' | 'tool'>): boolean {
	return one.server === other.server && one.tool === other.tool;
}
