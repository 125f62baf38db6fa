import {isHookServer} from '../config/hooks/hook-tools.ts';
import {createBoundedMap} from '../util/limits/bounded-map.ts';
import {compileFnmatch} from '../util/fnmatch.ts';
import {isList, type JsonObject, type JsonValue} from '../util/json-text.ts';
import {lookAlikes} from '../util/look-alikes.ts';
import {memoize, memoizeByObject} from '../util/memoize.ts';
import {type Comparison, isCovered, mayBeKnown, valuesAt} from './rule-arguments.ts';
import {both, common, type Match, type ValueTest, valueTest} from './rule-condition.ts';
import {type Rule, type RuleOrigin} from './rule.ts';
import {readSpellings, type Spellings} from './text-spellings.ts';

/** The origin of a call; a name that is `claimed` nobody has checked. */
export type CallOrigin = RuleOrigin & {readonly nameIs?: 'claimed'};

/** A call as rules see it. */
export type EvaluatedCall = {
	readonly server: string;
	/** The tool's own name at its server. */
	readonly tool: string;
	readonly registeredName: string;
	readonly arguments: JsonObject;
	/** Undefined when it is not known. */
	readonly inputSchema: JsonObject | undefined;
	readonly origin: CallOrigin | undefined;
	/** True if the text, or a fragment of it of 8 characters or more, is in untrusted text that the caller has read. */
	readonly isUntrusted?: (text: string) => boolean;
};

/** The verdict of rules about a call. `undecided`: it is not certain that the rule holds or does not hold, so a person is asked. */
export type RuleVerdict =
	| {readonly kind: 'deny' | 'ask' | 'allow'; readonly rule: Rule; readonly undecided: boolean}
	| {readonly kind: 'none'};

/**
The verdict of the rules about a call (docs/rules.md, Verdicts): deny beats ask, ask beats allow, and a deny or ask rule that is undecided asks.
Pure; takes time proportional to rules and arguments at most. Rules are prepared once for each list, so pass the same list every time.
*/
export function ruleVerdict(rules: readonly Rule[], call: EvaluatedCall): RuleVerdict {
	const read = readCall(call);
	const matches = prepare(rules)(call)
		.map(prepared => ({rule: prepared.rule, match: matchRule(prepared, call, read)}))
		.filter(({match}) => match !== 'no');
	const first = (action: Rule['action'], match: Match) =>
		matches.find(one => one.rule.action === action && one.match === match)?.rule;
	const verdict = (kind: Rule['action'], rule: Rule | undefined, undecided = false): RuleVerdict | undefined =>
		rule && {kind, rule, undecided};
	return (
		verdict('deny', first('deny', 'yes')) ??
		// Before a plain ask: the person who answers has to know that a rule may deny this.
		verdict('ask', first('deny', 'undecided'), true) ??
		verdict('ask', first('ask', 'yes')) ??
		verdict('ask', first('ask', 'undecided'), true) ??
		verdict('allow', first('allow', 'yes')) ?? {kind: 'none'}
	);
}

/** A tool as rules name it. */
type NamedTool = Pick<EvaluatedCall, 'server' | 'tool' | 'registeredName'>;

/** The rules that are for a tool, whatever its arguments are, in their order. */
export function rulesForTool(rules: readonly Rule[], tool: NamedTool): readonly Rule[] {
	return prepare(rules)(tool).map(({rule}) => rule);
}

type ToolTest = (tool: NamedTool) => boolean;

/** A rule with everything done that does not depend on the call. */
type PreparedRule = {
	readonly rule: Rule;
	readonly comparison: Comparison;
	readonly isForTool: ToolTest;
	readonly conditions: readonly PreparedCondition[];
	/** The paths of arguments that an allow rule covers: those with a condition, and those of `ignore`. */
	readonly covered: ReadonlySet<string>;
};

type PreparedCondition = {
	readonly path: string;
	/** Undefined: it asks that the argument is absent. */
	readonly test: ValueTest | undefined;
};

/** The bound of the rules selected for tools: a rule for all tools counts once for each tool. */
const maxSelected = 200_000;

/** The rules for a tool in their order, selected once for each tool. */
const prepare = memoizeByObject((rules: readonly Rule[]) => {
	const prepared = rules.map(rule => prepareRule(rule));
	const byTool = createBoundedMap<string, readonly PreparedRule[]>({
		max: maxSelected,
		weightOf: ({length}) => 1 + length,
	});
	return (tool: NamedTool): readonly PreparedRule[] => {
		const key = JSON.stringify([tool.server, tool.tool, tool.registeredName]);
		const known = byTool.get(key);
		if (known) {
			return known;
		}

		const rulesOfTool = prepared.filter(({isForTool}) => isForTool(tool));
		byTool.set(key, rulesOfTool);
		return rulesOfTool;
	};
});

/** A mistake of an allow rule must not allow, a mistake of any other must not let through. */
function comparisonOf({action}: Rule): Comparison {
	return action === 'allow' ? 'exact' : 'generous';
}

function prepareRule(rule: Rule): PreparedRule {
	const comparison = comparisonOf(rule);
	const conditions = Object.entries(rule.arguments);
	return {
		rule,
		comparison,
		isForTool: toolTest(rule),
		conditions: conditions.map(([path, condition]) => ({
			path,
			test: 'absent' in condition ? undefined : valueTest(condition, comparison),
		})),
		covered: new Set([...conditions.map(([path]) => path), ...rule.ignore]),
	};
}

/** The test whether a rule is for a tool, whatever its arguments are. */
export function toolTest(rule: Rule): ToolTest {
	return comparisonOf(rule) === 'exact' ? exactTool(rule) : generousTool(rule);
}

/** An allow rule that does not name both is refused where it is read; here it is for no tool. */
function exactTool({server, tool}: Rule): ToolTest {
	if (server === undefined || tool === undefined) {
		return () => false;
	}

	const isServer = compileFnmatch(server);
	const isTool = compileFnmatch(tool);
	// The tools of programs run commands of their own: a pattern for servers is not meant for them.
	const mayBeHook = isHookServer(server);
	return call => isServer(call.server) && isTool(call.tool) && (mayBeHook || !isHookServer(call.server));
}

/** By the tool's own name, its registered name, and its own name with the letters that a registered name has. */
function generousTool({server = '*', tool = '*'}: Rule): ToolTest {
	const isServer = generousName(server);
	const isTool = generousName(tool);
	return call =>
		isServer(call.server) &&
		[call.tool, call.registeredName, call.tool.replace(/[^A-Za-z0-9_]/gu, '_')].some(name => isTool(name));
}

function generousName(pattern: string): (name: string) => boolean {
	const tests = [pattern, ...lookAlikes(pattern)].map(compileFnmatch);
	return name => [name, ...lookAlikes(name)].some(one => tests.some(test => test(one)));
}

/** The parts of a call that rules compare, read once for all rules. */
type ReadCall = {
	readonly spellings: Spellings;
	/** `valuesAt` of a path. */
	readonly valuesOf: Readonly<
		Record<Comparison, (path: string) => {readonly values: readonly JsonValue[] | undefined}>
	>;
	readonly mayBeKnown: (path: string) => boolean;
};

function readCall(call: EvaluatedCall): ReadCall {
	return {
		spellings: readSpellings(),
		valuesOf: {
			exact: memoize(path => ({values: valuesAt(call, path, 'exact')})),
			generous: memoize(path => ({values: valuesAt(call, path, 'generous')})),
		},
		mayBeKnown: path => mayBeKnown(call.inputSchema, path),
	};
}

/** Matches a call against a rule for its tool. */
function matchRule(prepared: PreparedRule, call: EvaluatedCall, read: ReadCall): Match {
	const {rule, conditions, covered, comparison} = prepared;
	const valuesOf = read.valuesOf[comparison];
	let match = matchOrigin(rule, call.origin);
	for (const condition of conditions) {
		if (match === 'no') {
			return 'no';
		}

		match = both(match, matchCondition(condition, valuesOf(condition.path).values, read));
	}

	if (rule.action !== 'allow' || match !== 'yes') {
		return match;
	}

	const matched = conditions.flatMap(({path}) => valuesOf(path).values ?? []);
	return isOriginNamed(rule, call.origin) && isCovered(call.arguments, covered) && !isAnyUntrusted(matched, call)
		? 'yes'
		: 'no';
}

function matchCondition(
	{path, test}: PreparedCondition,
	found: readonly JsonValue[] | undefined,
	{spellings, mayBeKnown}: ReadCall,
): Match {
	if (!found) {
		return 'undecided';
	}

	if (!test) {
		return found.length === 0 ? 'yes' : found.includes(null) ? 'undecided' : 'no';
	}

	// The server may fill in an argument that it knows and does not get.
	const absent = found.length === 0 && !mayBeKnown(path) ? 'no' : 'undecided';
	const [value = null] = found;
	return found.length > 1
		? common(found.map(one => test(one, spellings)))
		: found.length === 0
			? absent
			: test(value, spellings);
}

function matchOrigin(rule: Rule, from: CallOrigin | undefined): Match {
	const {origin} = rule;
	if (!origin) {
		return 'yes';
	}

	if (!from) {
		return 'undecided';
	}

	if (origin.kind !== from.kind) {
		return 'no';
	}

	const {name} = from;
	if (origin.name === undefined || name === undefined) {
		return origin.name === undefined ? 'yes' : 'undecided';
	}

	if (rule.action === 'allow' && from.nameIs === 'claimed') {
		return 'no';
	}

	const looks = lookAlikes(origin.name);
	const isSame = name === origin.name || (rule.action !== 'allow' && lookAlikes(name).some(one => looks.includes(one)));
	return isSame ? 'yes' : 'no';
}

/** Outsiders start the runs of routes and jobs, or write what these read, so a rule allows nothing there that does not name them. */
function isOriginNamed({origin}: Rule, from: RuleOrigin | undefined): boolean {
	return origin?.name !== undefined || (from?.kind !== 'route' && from?.kind !== 'job');
}

/** True if a text or number among the values, or in them, is in untrusted text. */
function isAnyUntrusted(values: readonly JsonValue[], {isUntrusted}: Pick<EvaluatedCall, 'isUntrusted'>): boolean {
	return (
		isUntrusted !== undefined &&
		values.some(value =>
			isList(value)
				? isAnyUntrusted(value, {isUntrusted})
				: (typeof value === 'string' || typeof value === 'number') && isUntrusted(String(value)),
		)
	);
}
