import {guardedKind} from '../config/hooks/hook-tools.ts';
import {parseRule} from '../config/rules/rule-entry.ts';
import {type RuleEntry} from '../config/rules/rule-schema.ts';
import {sectionWithoutFile} from '../config/values/section.ts';
import {type Origin} from '../state/origin.ts';
import {resolveAbsolute} from '../util/absolute-path.ts';
import {literalFnmatch} from '../util/fnmatch.ts';
import {isJsonObject, isList, type JsonObject, type JsonValue} from '../util/json-text.ts';
import {callVerdict, ruleOrigins} from './call-verdict.ts';
import {type DefinedTool} from './remembered-rules.ts';
import {type EvaluatedCall} from './rule-verdict.ts';
import {type Condition} from './rule.ts';

/** A call that waits for a person, as a rule is made from it. */
export type ProposalSubject = Omit<EvaluatedCall, 'origin'> & {
	readonly origin: Origin;
	readonly definition: DefinedTool;
	/** True if the card masks anything in this top-level argument. */
	readonly isMasked: (name: string) => boolean;
};

/** The condition of a rule on an argument. `open`: nothing is chosen yet, so nothing can be stored. */
export type ArgumentChoice =
	| {readonly kind: 'condition'; readonly condition: Condition}
	| {readonly kind: 'ignore'}
	| {readonly kind: 'open'};

export type ProposedArgument = {
	/** Its name; that of a member of an object begins with the names above it, and a dot behind each. */
	readonly path: string;
	readonly choices: readonly ArgumentChoice[];
	/** The place of the chosen one. */
	readonly chosen: number;
	/** The reason that it has no condition: its value is untrusted, is masked on the card, or is one that no condition holds for. */
	readonly without?: 'untrusted' | 'masked' | 'unfit';
};

/** A rule as a person may store it from a card (docs/rules.md, Rules from a card). */
export type RuleProposal = {
	readonly arguments: readonly ProposedArgument[];
	readonly outcome:
		| {readonly kind: 'rule'; readonly rule: RuleEntry}
		/** An argument for which nothing is chosen. */
		| {readonly kind: 'open'; readonly path: string}
		| {readonly kind: 'too-many-arguments'}
		/** The rule would not allow this very call. */
		| {readonly kind: 'in-vain'};
};

/** More than anybody goes through one by one. */
const maxArguments = 40;

/**
The allow rule for a waiting call, with the choices of a person by the place of their argument; what is not chosen has its default. Only conditions are
offered that the evaluation of rules answers with yes for this very call, and only a rule that allows it is made. Pure.
*/
export function proposeRule(call: ProposalSubject, chosen: readonly number[] = []): RuleProposal {
	const leaves = leavesOf(call.arguments);
	if (leaves.length > maxArguments) {
		return {arguments: [], outcome: {kind: 'too-many-arguments'}};
	}

	const isCommand = guardedKind(call.server, call.tool) === 'shell';
	const proposed = leaves.map((leaf, index) =>
		isCommand ? exactArgument(call, leaf) : proposedArgument(call, {leaf, leaves, chosen: chosen[index]}),
	);
	return {arguments: proposed, outcome: outcomeOf(call, proposed)};
}

/** An argument of a shell command: exactly this value, and for the words that describe it any (docs/hooks.md, Rules). */
function exactArgument(call: ProposalSubject, {path, value, top}: Leaf): ProposedArgument {
	if (path === 'description') {
		return {path, choices: [{kind: 'ignore'}], chosen: 0};
	}

	const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
	const isUntrusted = isScalar && call.isUntrusted?.(String(value)) === true;
	const without = call.isMasked(top) ? 'masked' : isUntrusted ? 'untrusted' : 'unfit';
	return isScalar && without === 'unfit'
		? {path, choices: [{kind: 'condition', condition: {equals: value}}], chosen: 0}
		: {path, choices: [{kind: 'open'}], chosen: 0, without};
}

function outcomeOf(call: ProposalSubject, proposed: readonly ProposedArgument[]): RuleProposal['outcome'] {
	const conditions: Array<readonly [string, Condition]> = [];
	const ignore: string[] = [];
	for (const {path, choices, chosen} of proposed) {
		const choice = choices[chosen];
		if (choice?.kind === 'condition') {
			conditions.push([path, choice.condition]);
		} else if (choice?.kind === 'ignore') {
			ignore.push(path);
		} else {
			return {kind: 'open', path};
		}
	}

	const rule = ruleFor(call, {conditions, ignore});
	return rule && isAllowedBy(rule, call) ? {kind: 'rule', rule} : {kind: 'in-vain'};
}

type Leaf = {readonly path: string; readonly value: JsonValue; readonly top: string};

const deepestMember = 5;

/** The arguments, and in place of an object its members, as far as the paths of rules lead there. */
function leavesOf(args: JsonObject): readonly Leaf[] {
	const leaves = new Map<string, Leaf>();
	const add = (object: JsonObject, above: string, at: {readonly top?: string; readonly depth: number}) => {
		for (const [name, value] of Object.entries(object)) {
			const path = `${above}${name}`;
			const top = at.top ?? name;
			if (isJsonObject(value) && hasPaths(name, value) && at.depth < deepestMember) {
				add(value, `${path}.`, {top, depth: at.depth + 1});
			} else {
				leaves.set(path, {path, value, top});
			}

			if (leaves.size > maxArguments) {
				return;
			}
		}
	};

	add(args, '', {depth: 0});
	return [...leaves.values()];
}

/** No path leads through a name with a dot in it, and an object without members has no member to name. */
function hasPaths(name: string, object: JsonObject): boolean {
	const members = Object.keys(object);
	return members.length > 0 && [name, ...members].every(one => one !== '' && !one.includes('.'));
}

function proposedArgument(
	call: ProposalSubject,
	{leaf, leaves, chosen}: {readonly leaf: Leaf; readonly leaves: readonly Leaf[]; readonly chosen: number | undefined},
): ProposedArgument {
	const {path, value, top} = leaf;
	const ignore = leaves.filter(other => other !== leaf).map(other => other.path);
	const ruleWith = (condition: Condition) => ruleFor(call, {conditions: [[path, condition]], ignore});
	const masked = call.isMasked(top);
	const possible = masked
		? []
		: conditionsFor(value).filter(condition => isAllowedBy(ruleWith(condition), trusted(call)));
	const conditions = possible.filter(condition => isAllowedBy(ruleWith(condition), call));
	const offered = conditions.map((condition): ArgumentChoice => ({kind: 'condition', condition}));
	const choices: readonly ArgumentChoice[] = [
		...(offered.length > 0 ? offered : [{kind: 'open'} as const]),
		{kind: 'ignore'},
	];
	const preset = conditions.findIndex(condition => 'prefix' in condition || 'host' in condition);
	const without = masked ? 'masked' : possible.length > 0 ? 'untrusted' : 'unfit';
	return {
		path,
		choices,
		chosen: chosen !== undefined && choices[chosen] ? chosen : Math.max(0, preset),
		...(offered.length === 0 && {without}),
	};
}

/** The same call if nothing untrusted had been read. */
function trusted(call: ProposalSubject): ProposalSubject {
	return {...call, isUntrusted: () => false};
}

/** Members of a list that are looked at. */
const maxMembers = 20;
/** The number of folders above a path that are offered. */
const maxFolders = 4;

/** The conditions that a value meets, from the narrowest to the widest. */
function conditionsFor(value: JsonValue): readonly Condition[] {
	const members = [...new Set(isList(value) ? value : [value])];
	const scalars = members.filter(
		member => typeof member === 'string' || typeof member === 'number' || typeof member === 'boolean',
	);
	const [only] = scalars;
	if (only === undefined || scalars.length < members.length || scalars.length > maxMembers) {
		return [];
	}

	return [
		scalars.length === 1 ? {equals: only} : {in: scalars},
		...commonFolders(scalars).map(prefix => ({prefix})),
		...commonHosts(scalars).map(host => ({host})),
	];
}

/** The path itself and the folders above it, or those that all paths have in common; never the root. */
function commonFolders(values: ReadonlyArray<string | number | boolean>): readonly string[] {
	const paths = values.map(value =>
		typeof value === 'string' ? resolveAbsolute(value)?.split('/').slice(1) : undefined,
	);
	const [first] = paths;
	if (!first) {
		return [];
	}

	const differs = first.findIndex((segment, index) => paths.some(path => path?.[index] !== segment));
	const common = first.slice(0, differs === -1 ? undefined : differs).filter(segment => segment !== '');
	return common.slice(-maxFolders).map((_, index) => `/${common.slice(0, common.length - index).join('/')}`);
}

function commonHosts(values: ReadonlyArray<string | number | boolean>): ReadonlyArray<readonly string[]> {
	const hosts = values.map(value => (typeof value === 'string' ? URL.parse(value)?.hostname : '') ?? '');
	return hosts.includes('') ? [] : [[...new Set(hosts)]];
}

/** The rule as it is read from the file later; undefined when it could not be read. */
function ruleFor(
	{server, tool, origin}: ProposalSubject,
	{
		conditions,
		ignore,
	}: {readonly conditions: ReadonlyArray<readonly [string, Condition]>; readonly ignore: readonly string[]},
): RuleEntry | undefined {
	const [first] = ruleOrigins(origin);
	const written = JSON.stringify({
		action: 'allow',
		server: literalFnmatch(server),
		tool: literalFnmatch(tool),
		arguments: Object.fromEntries(conditions),
		ignore,
		...((first.kind === 'route' || first.kind === 'job') && {origin: first}),
	});
	const reading = parseRule(JSON.parse(written), sectionWithoutFile('rule'));
	return reading.kind === 'read' ? reading.value : undefined;
}

function isAllowedBy(rule: RuleEntry | undefined, call: ProposalSubject): boolean {
	return rule !== undefined && callVerdict([{...rule, id: '', source: 'stored'}], call).kind === 'allow';
}
