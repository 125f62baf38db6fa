import {type Condition as WrittenCondition, type RuleEntry} from '../config/rules/rule-schema.ts';

/** The condition of a rule on one argument, as it is written (docs/rules.md, Conditions). */
export type Condition = WrittenCondition;

/** The origin of a call, as far as rules can tell (docs/rules.md, Origins). */
export type RuleOrigin = NonNullable<RuleEntry['origin']>;

/** A rule with its id: one of config.yaml, or a stored one (docs/rules.md, Keys of a rule). */
export type Rule = RuleEntry & {readonly id: string; readonly source: 'config' | 'stored'};

/**
The rule in words: `allows files/read_file when path is below /srv/app`. Names and values that are more than a plain word are quoted as in JSON, so that
none reads as a part of the sentence. What is in the quotation marks is as written: make it safe to show.
*/
export function ruleInWords(rule: Omit<RuleEntry, 'reason'>): string {
	const does = {allow: 'allows', ask: 'asks for', deny: 'denies'}[rule.action];
	const conditions = Object.entries(rule.arguments).map(
		([name, condition]) => `${quoted(name)} ${conditionInWords(condition)}`,
	);
	const when = conditions.length > 0 ? ` when ${conditions.join(' and ')}` : '';
	const others = rule.action === 'allow' ? ignoredInWords(rule) : '';
	return `${does} ${toolInWords(rule)}${when}${others}${originInWords(rule.origin)}`;
}

/** The remembered approval of a tool in words. */
export function approvalInWords({server, tool}: {readonly server: string; readonly tool: string}): string {
	return `allows ${toolInWords({server, tool})} with any arguments`;
}

/** An allow rule without arguments allows none. */
function ignoredInWords({arguments: conditions, ignore}: Pick<RuleEntry, 'arguments' | 'ignore'>): string {
	if (ignore.length > 0) {
		return `, with any value of ${listed(ignore.map(quoted))}`;
	}

	return Object.keys(conditions).length === 0 ? ' without arguments' : '';
}

const plainWord = /^[\w./:@+*?![\]~=#%&-]+$/u;

/** A text is quoted, too, where it would read as a number, `true` or `false`. */
function quoted(value: string | number | boolean): string {
	const isWord = typeof value === 'string' && plainWord.test(value) && !isLiteral(value);
	return isWord ? value : JSON.stringify(value);
}

function isLiteral(text: string): boolean {
	return text === 'true' || text === 'false' || !Number.isNaN(Number(text));
}

function toolInWords({server = '*', tool = '*'}: Pick<RuleEntry, 'server' | 'tool'>): string {
	if (tool === '*') {
		return server === '*' ? 'every tool' : `every tool of ${quoted(server)}`;
	}

	return server === '*' ? `${quoted(tool)} of any server` : `${quoted(server)}/${quoted(tool)}`;
}

/** A condition on an argument, in words: `is below /srv/app`. */
export function conditionInWords(condition: Condition): string {
	if ('equals' in condition) {
		return `is ${quoted(condition.equals)}`;
	}

	if ('in' in condition) {
		return `is ${listed(condition.in.map(quoted))}`;
	}

	if ('prefix' in condition) {
		return `is below ${quoted(condition.prefix)}`;
	}

	if ('glob' in condition) {
		return `matches ${quoted(condition.glob)}`;
	}

	if ('host' in condition) {
		return `is an https address at ${listed(condition.host.map(quoted))}`;
	}

	return 'absent' in condition ? 'is not given' : rangeInWords(condition);
}

function rangeInWords({min, max}: {readonly min?: number; readonly max?: number}): string {
	if (min !== undefined && max !== undefined) {
		return `is from ${min} to ${max}`;
	}

	return min === undefined ? `is at most ${String(max)}` : `is at least ${min}`;
}

function originInWords(origin: RuleOrigin | undefined): string {
	if (!origin) {
		return '';
	}

	const {kind, name} = origin;
	const from = {
		route: name === undefined ? 'any route' : `route ${quoted(name)}`,
		job: name === undefined ? 'any job' : `job ${quoted(name)}`,
		endpoint: name === undefined ? 'clients of the endpoint' : `endpoint client ${quoted(name)}`,
		command: 'the command line',
		person: 'a person at the dashboard',
	}[kind];
	return `, from ${from}`;
}

function listed(names: readonly string[]): string {
	return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
}
