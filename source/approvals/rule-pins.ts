import {type Clock} from '../util/clock.ts';
import {errorText} from '../util/problem.ts';
import {fnmatch} from '../util/fnmatch.ts';
import {definitionDifference} from './definition-difference.ts';
import {type ApprovalRules, type DefinedTool, type RulePin, type RuleStore} from './remembered-rules.ts';
import {type Rule} from './rule.ts';

/** Whether an allow rule still means the tool that it was written for. */
export type PinCheck =
	| {readonly kind: 'pinned'}
	/** The definition is another one, or the tool was not there when the rule was first used; in words that are safe to show. */
	| {readonly kind: 'changed'; readonly difference: string}
	| {readonly kind: 'failed'; readonly message: string};

/** The definitions that allow rules hold for (docs/rules.md, Changed definitions). */
export type RulePins = {
	/**
	At the first use of a rule, `matching` are pinned: all tools that it matches then; without them nothing is. Resolves once that is on disk, and
	never rejects.
	*/
	readonly check: (
		rule: Rule,
		tool: DefinedTool,
		matching: (() => readonly DefinedTool[]) | undefined,
	) => Promise<PinCheck>;
	/** A person has seen the definition and approved it. Never rejects: a pin that cannot be written asks again. */
	readonly pin: (rule: Rule, tool: DefinedTool) => Promise<void>;
};

/** All pins of a profile together, and the largest definition that is kept to show what changed. */
const mostPins = 5000;
const longestDefinition = 20_000;

/** Opens the pins of one profile, in the file of the remembered approvals. The oldest pins make room; their rules ask again. */
export function createRulePins(options: {
	readonly clock: Clock;
	readonly store: RuleStore;
	readonly warn: (text: string) => void;
}): RulePins {
	const {clock, store, warn} = options;
	const pinsOf = ({id}: Rule) => (store.read().pins ?? []).filter(pin => pin.rule === id);
	const change = (make: (pins: readonly RulePin[]) => readonly RulePin[]) =>
		store.update((file): ApprovalRules => {
			const before = file.pins ?? [];
			const after = make(before);
			return after === before ? file : {...file, pins: after.slice(-mostPins)};
		}, clock);

	return {
		async check(rule, tool, matching) {
			try {
				if (matching && pinsOf(rule).length === 0) {
					const pins = [tool, ...matching().filter(other => !isSame(other, tool))].map(one => pinOf(rule, one));
					// Of two first uses at once, the first one on disk decides.
					await change(all => (all.some(pin => pin.rule === rule.id) ? all : [...all, ...pins.slice(0, mostPins)]));
				}

				return compare(
					pinsOf(rule).find(pin => isSame(pin, tool)),
					tool,
				);
			} catch (caught) {
				const message = errorText(caught);
				warn(`The rule ${rule.id} allows nothing, because its tools cannot be pinned: ${message}`);
				return {kind: 'failed', message};
			}
		},
		async pin(rule, tool) {
			const isOther = (pin: RulePin) => pin.rule !== rule.id || !isSame(pin, tool);
			await change(all => [...all.filter(isOther), pinOf(rule, tool)]).catch((caught: unknown) =>
				warn(`The rule ${rule.id} asks again, because its tool cannot be pinned: ${errorText(caught)}`),
			);
		},
	};
}

/** Whether an allow rule is for a tool, whatever its arguments are: compared exactly. */
export function isRuleFor(
	{server, tool}: Pick<Rule, 'server' | 'tool'>,
	one: Pick<DefinedTool, 'server' | 'tool'>,
): boolean {
	return server !== undefined && tool !== undefined && fnmatch(one.server, server) && fnmatch(one.tool, tool);
}

function compare(pin: RulePin | undefined, tool: DefinedTool): PinCheck {
	if (!pin) {
		return {kind: 'changed', difference: 'The tool is new: it was not there when the rule was first used'};
	}

	if (pin.fingerprint === tool.fingerprint) {
		return {kind: 'pinned'};
	}

	const difference = pin.definition && definitionDifference(pin.definition, tool.definition);
	return {kind: 'changed', difference: difference ?? 'It is another one than when the rule was first used'};
}

function pinOf({id}: Rule, {server, tool, fingerprint, definition}: DefinedTool): RulePin {
	const isShort = JSON.stringify(definition).length <= longestDefinition;
	return {rule: id, server, tool, fingerprint, ...(isShort && {definition})};
}

function isSame(one: Pick<DefinedTool, 'server' | 'tool'>, other: Pick<DefinedTool, 'server' | 'tool'>): boolean {
	return one.server === other.server && one.tool === other.tool;
}
