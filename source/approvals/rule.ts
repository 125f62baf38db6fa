import {type Condition as WrittenCondition, type RuleEntry} from '../config/rules/rule-schema.ts';

export type RuleAction = RuleEntry['action'];

/** What a rule asks of one argument, as it is written (docs/rules.md, Conditions). */
export type Condition = WrittenCondition;

/** Where a call comes from, as far as rules can tell (docs/rules.md, Origins). */
export type RuleOrigin = NonNullable<RuleEntry['origin']>;

/** A rule with its id: one of config.yaml, or one that a person made at a card (docs/rules.md, What a rule is). */
export type Rule = RuleEntry & {readonly id: string; readonly source: 'config' | 'stored'};

/** The rule in words: `allows files/read_file when path is below /srv/app`. Names and values are as written: make them safe to show. */
export function ruleInWords(rule: Omit<RuleEntry, 'reason'>): string {
	const does = {allow: 'allows', ask: 'asks for', deny: 'denies'}[rule.action];
	const conditions = Object.entries(rule.arguments).map(
		([name, condition]) => `${name} ${conditionInWords(condition)}`,
	);
	const ignored = rule.action === 'allow' && rule.ignore.length > 0 ? `, whatever ${listed(rule.ignore)} is` : '';
	const when = conditions.length > 0 ? ` when ${conditions.join(' and ')}` : '';
	return `${does} ${toolInWords(rule)}${when}${ignored}${originInWords(rule.origin)}`;
}

function toolInWords({server = '*', tool = '*'}: Pick<RuleEntry, 'server' | 'tool'>): string {
	if (tool === '*') {
		return server === '*' ? 'every tool' : `every tool of ${server}`;
	}

	return server === '*' ? `${tool} of any server` : `${server}/${tool}`;
}

function conditionInWords(condition: Condition): string {
	if ('equals' in condition) {
		return `is ${String(condition.equals)}`;
	}

	if ('in' in condition) {
		return `is ${listed(condition.in.map(String))}`;
	}

	if ('prefix' in condition) {
		return `is below ${condition.prefix}`;
	}

	if ('glob' in condition) {
		return `matches ${condition.glob}`;
	}

	if ('host' in condition) {
		return `is an https address at ${listed(condition.host)}`;
	}

	return 'absent' in condition ? 'is not given' : rangeInWords(condition);
}

function rangeInWords({min, max}: {readonly min?: number; readonly max?: number}): string {
	if (min !== undefined && max !== undefined) {
		return `is from ${min} to ${max}`;
	}

	return min === undefined ? `is ${String(max)} at most` : `is ${min} at least`;
}

function originInWords(origin: RuleOrigin | undefined): string {
	if (!origin) {
		return '';
	}

	const {kind, name} = origin;
	const from = {
		route: name === undefined ? 'any route' : `route ${name}`,
		job: name === undefined ? 'any job' : `job ${name}`,
		endpoint: name === undefined ? 'clients of the endpoint' : `endpoint client ${name}`,
		command: 'the command line',
		person: 'a person at the dashboard',
	}[kind];
	return `, from ${from}`;
}

function listed(names: readonly string[]): string {
	return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
}
