import {resolveAbsolute} from '../../util/absolute-path.ts';
import {hashJson} from '../../util/json-hash.ts';
import {type Problem} from '../../util/problem.ts';
import {hookRuleFault} from '../hooks/hook-rules.ts';
import {readStrictly} from '../values/read-section.ts';
import {refuse, type Section, subsection} from '../values/section.ts';
import {type Condition, type RuleEntry, ruleSchema, type WrittenCondition, type WrittenRule} from './rule-schema.ts';

/** A rule of config.yaml. */
export type ConfiguredRule = RuleEntry & {readonly id: string; readonly source: 'config'};

/** The rules of config.yaml: all of them, or why none can be relied on (docs/rules.md, Mistakes in rules). */
export type ConfiguredRules =
	| {readonly kind: 'valid'; readonly rules: readonly ConfiguredRule[]}
	| {readonly kind: 'invalid'; readonly problem: Problem};

/** Reads rules that the schema accepts; `section` is their list. Every mistake is reported. */
export function parseRules(written: readonly WrittenRule[], section: Section): ConfiguredRules {
	const entries = written.map((rule, index) => checkRule(rule, subsection(section, [index])));
	const problem = entries.find(entry => entry.kind === 'broken')?.problem;
	const rules = entries.flatMap(entry => (entry.kind === 'read' ? [entry.value] : []));
	return problem ? {kind: 'invalid', problem} : {kind: 'valid', rules: withIds(rules)};
}

/** Reads one rule from anywhere; `section` is the rule. */
export function parseRule(written: unknown, section: Section): ParsedRule {
	const reading = readStrictly(ruleSchema(), written, section);
	return reading.kind === 'read' ? checkRule(reading.value, section) : reading;
}

type ParsedRule =
	| {readonly kind: 'read'; readonly value: RuleEntry}
	| {readonly kind: 'broken'; readonly problem: Problem};

/** A hash of what a rule does, whatever the reason for it is. */
export function hashRule(rule: RuleEntry): string {
	const {reason: _, ...effect} = rule;
	return hashJson(JSON.parse(JSON.stringify(effect)) as Parameters<typeof hashJson>[0]);
}

/** An id follows from what the rule does, so that it stays when rules are moved, and another rule never gets it. */
function withIds(rules: readonly RuleEntry[]): readonly ConfiguredRule[] {
	const counts = new Map<string, number>();
	return rules.map(rule => {
		const id = `rule-${hashRule(rule).slice(0, 8)}`;
		const count = (counts.get(id) ?? 0) + 1;
		counts.set(id, count);
		return {...rule, id: count === 1 ? id : `${id}-${count}`, source: 'config'};
	});
}

function checkRule(written: WrittenRule, section: Section): ParsedRule {
	const conditions = Object.entries(written.arguments ?? {}).map(
		([name, condition]) => [name, readCondition(condition, subsection(section, ['arguments', name]))] as const,
	);
	const broken = conditions.flatMap(([, {problem}]) => (problem ? [problem] : []));
	const problem = [checkAllow(written, section), ...broken].find(one => one !== undefined);
	if (problem) {
		return {kind: 'broken', problem};
	}

	const {arguments: _, ignore = [], ...rest} = written;
	const read = conditions.flatMap(([name, {condition}]) => (condition ? [[name, condition] as const] : []));
	const value = {...rest, arguments: Object.fromEntries(read), ignore};
	const fault = allowsHook(value) ? hookRuleFault(value) : undefined;
	return fault ? {kind: 'broken', problem: refuse(section, [...fault.path], fault.text)} : {kind: 'read', value};
}

function allowsHook(rule: RuleEntry): rule is RuleEntry & {readonly server: string; readonly tool: string} {
	return rule.action === 'allow' && rule.server !== undefined && rule.tool !== undefined;
}

/** An allow rule says for which tool it is, and in runs of which route or job it holds. */
function checkAllow({action, server, tool, origin}: WrittenRule, section: Section): Problem | undefined {
	if (action !== 'allow') {
		return undefined;
	}

	if (server === undefined || tool === undefined) {
		return refuse(
			section,
			[],
			`An allow rule needs both \`server\` and \`tool\`; \`${server === undefined ? 'server' : 'tool'}\` is missing`,
		);
	}

	if (origin && (origin.kind === 'route' || origin.kind === 'job') && origin.name === undefined) {
		return refuse(
			section,
			['origin'],
			`An allow rule must name its ${origin.kind}. Write \`{kind: ${origin.kind}, name: NAME}\``,
		);
	}

	return /^[*?]+$/u.test(tool)
		? refuse(
				section,
				['tool'],
				`An allow rule cannot be for "${tool}". Allowed: the name of a tool, or a pattern that contains a part of it`,
			)
		: undefined;
}

type ReadCondition = {readonly condition?: Condition; readonly problem?: Problem};

function readCondition(written: WrittenCondition, section: Section): ReadCondition {
	const {equals, in: values, prefix, glob, host, min, max, absent} = written;
	const found: Condition[] = [
		...(equals === undefined ? [] : [{equals}]),
		...(values === undefined ? [] : [{in: values}]),
		...(prefix === undefined ? [] : [{prefix}]),
		...(glob === undefined ? [] : [{glob}]),
		...(host === undefined ? [] : [{host}]),
		...(min === undefined && max === undefined ? [] : [{min, max}]),
		...(absent === undefined ? [] : [{absent}]),
	];
	const [condition] = found;
	if (!condition || found.length > 1) {
		const fault = condition ? `An argument takes one condition, not ${found.length}` : 'The argument has no condition';
		return {problem: refuse(section, [], `${fault}. Allowed: one of ${conditionNames}`)};
	}

	const fault = conditionFault(written);
	return fault ? {problem: refuse(section, [fault.key], fault.text)} : {condition};
}

const conditionNames = 'equals, in, prefix, glob, host, min and max, absent';

type Fault = {readonly key: keyof WrittenCondition; readonly text: string};

function conditionFault({prefix, host, min, max}: WrittenCondition): Fault | undefined {
	if (prefix !== undefined && (resolveAbsolute(prefix) === undefined || prefix.split('/').includes('..'))) {
		return {
			key: 'prefix',
			text: 'The path is not plain. Allowed: an absolute path without `..`, `%`, `~`, backslashes and control characters',
		};
	}

	if (host?.some(name => !isHostName(name))) {
		return {
			key: 'host',
			text: 'A host name is not valid. Allowed: names such as api.example.com, without a scheme and a port',
		};
	}

	return min !== undefined && max !== undefined && min > max
		? {key: 'max', text: `${max} is less than \`min\`. Allowed: ${min} or more`}
		: undefined;
}

function isHostName(name: string): boolean {
	const address = URL.parse(`https://${name}`);
	return address !== null && address.pathname === '/' && !/[/?#@:\\*\s]/u.test(name.replace(/^\[[\da-f:.]+\]$/iu, ''));
}
