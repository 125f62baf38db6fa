import {readFileSync} from 'node:fs';
import {array, assert, constantFrom, property, shuffledSubarray, subarray} from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type EvaluatedCall, type RuleVerdict, ruleVerdict} from '../../source/approvals/rule-verdict.ts';
import {type Rule, type RuleOrigin} from '../../source/approvals/rule.ts';
import {parseRule} from '../../source/config/rules/rule-entry.ts';
import {sectionWithoutFile} from '../../source/config/values/section.ts';
import {registeredName} from '../../source/tools/registered-tool.ts';
import {type JsonObject, type JsonValue} from '../../source/util/json-text.ts';

function rule(written: Partial<Rule> & Pick<Rule, 'action'>): Rule {
	return {id: written.action, source: 'config', arguments: {}, ignore: [], ...written};
}

function call(args: JsonObject, more: Partial<EvaluatedCall> = {}): EvaluatedCall {
	return {
		server: 'files',
		tool: 'read_file',
		registeredName: 'mcp__files__read_file',
		arguments: args,
		inputSchema: {type: 'object', properties: {path: {type: 'string'}, encoding: {type: 'string'}}},
		origin: {kind: 'command'},
		...more,
	};
}

/** `deny`, `ask`, `ask?` when it is undecided, `allow`, `none`. */
function verdictWord(rules: readonly Rule[], evaluated: EvaluatedCall): string {
	const verdict = ruleVerdict(rules, evaluated);
	return verdict.kind === 'none' ? 'none' : `${verdict.kind}${verdict.undecided ? '?' : ''}`;
}

const tool = {server: 'files', tool: 'read_file'};

describe('a path', () => {
	const denied = [rule({...tool, action: 'deny', arguments: {path: {prefix: '/etc'}}})];
	const allowed = [rule({...tool, action: 'allow', arguments: {path: {prefix: '/srv/app'}}, ignore: ['encoding']})];

	test.each<[value: unknown, deny: string, allow: string]>([
		['/etc/passwd', 'deny', 'none'],
		['/etc', 'deny', 'none'],
		['/etcetera', 'none', 'none'],
		['/srv/app/a', 'none', 'allow'],
		['/srv/app', 'none', 'allow'],
		['/srv/application', 'none', 'none'],
		['/srv/app/../../etc/passwd', 'deny', 'none'],
		['/srv/app/./b/../c', 'none', 'allow'],
		['//etc//passwd', 'deny', 'none'],
		['/ETC/passwd', 'deny', 'none'],
		['/еtс/passwd', 'deny', 'none'],
		['/SRV/app/a', 'none', 'none'],
		['etc/../etc/x', 'ask?', 'none'],
		['~/x', 'ask?', 'none'],
		['/srv/app/%2e%2e/x', 'ask?', 'none'],
		['/srv/app/..\\x', 'ask?', 'none'],
		['/srv/app/a\0b', 'ask?', 'none'],
		['/srv/app/a\nb', 'ask?', 'none'],
		['/srv/app/٪2e', 'ask?', 'allow'],
		[['/etc/passwd'], 'deny', 'none'],
		[['/srv/app/a', '/srv/app/b'], 'none', 'allow'],
		[['/srv/app/a', '/etc/b'], 'ask?', 'none'],
		[[], 'ask?', 'none'],
		[[['/etc/passwd']], 'ask?', 'none'],
		[{path: '/etc/passwd'}, 'ask?', 'none'],
		[5, 'ask?', 'none'],
		[null, 'ask?', 'none'],
	])('%j', (value, deny, allow) => {
		const args = {path: value} as JsonObject;
		expect([verdictWord(denied, call(args)), verdictWord(allowed, call(args))]).toEqual([deny, allow]);
	});

	test('of more than 64 KB is undecided', () => {
		const args = {path: `/srv/app/${'a'.repeat(70_000)}`};
		expect([verdictWord(denied, call(args)), verdictWord(allowed, call(args))]).toEqual(['ask?', 'none']);
	});

	test('that is absent is undecided when the server knows the argument', () => {
		expect(verdictWord(denied, call({}))).toBe('ask?');
		expect(verdictWord(denied, call({}, {inputSchema: undefined}))).toBe('ask?');
		expect(verdictWord(denied, call({}, {inputSchema: {type: 'object', properties: {}}}))).toBe('none');
		expect(verdictWord(allowed, call({}))).toBe('none');
	});
});

type WrittenCall = {
	readonly call: string;
	readonly arguments: JsonObject;
	/** `allow RULE`, `ask RULE`, `ask RULE?` when it is undecided, `deny RULE` or `none`. */
	readonly verdict: string;
	/** Kind and name; by default a command. */
	readonly origin?: string;
	readonly untrusted?: string;
};

type Table = {
	readonly rules: ReadonlyArray<JsonObject & {readonly id: string}>;
	/** The arguments that the input schema of a tool knows. */
	readonly knows: Readonly<Record<string, readonly string[]>>;
	readonly calls: readonly WrittenCall[];
};

const table = JSON.parse(readFileSync(new URL('../fixtures/rule-verdicts.json', import.meta.url), 'utf8')) as Table;
const tableRules = table.rules.map(({id, ...written}): Rule => {
	const parsed = parseRule(written, sectionWithoutFile('the table'));
	return parsed.kind === 'read' ? {id, source: 'config', ...parsed.value} : expect.fail(id);
});

function tableCall({call: name, arguments: args, origin = 'command', untrusted}: WrittenCall): EvaluatedCall {
	const [server = '', own = ''] = name.split('/');
	const [kind, originName] = origin.split(' ');
	const known = table.knows[name] ?? expect.fail(`${name} is not in the table`);
	return {
		server,
		tool: own,
		registeredName: registeredName(server, own),
		arguments: args,
		inputSchema: {type: 'object', properties: Object.fromEntries(known.map(argument => [argument, {}]))},
		origin: {kind: kind as RuleOrigin['kind'], ...(originName !== undefined && {name: originName})},
		...(untrusted !== undefined && {isUntrusted: text => standsIn(untrusted, text)}),
	};
}

function standsIn(untrusted: string, text: string): boolean {
	const fragments = Array.from({length: Math.max(1, text.length - 7)}, (_, start) => text.slice(start, start + 8));
	return fragments.some(fragment => untrusted.includes(fragment));
}

function named(verdict: RuleVerdict): string {
	return verdict.kind === 'none' ? 'none' : `${verdict.kind} ${verdict.rule.id}${verdict.undecided ? '?' : ''}`;
}

test('40 rules decide about 200 calls and more as was worked out by hand', () => {
	expect([tableRules.length, table.calls.length]).toEqual([40, expect.toSatisfy((count: number) => count >= 200)]);
	const found = table.calls.map(written => ({...written, verdict: named(ruleVerdict(tableRules, tableCall(written)))}));
	expect(found).toEqual(table.calls);
});

test('each rule of the table decides about a call', () => {
	const deciding = new Set(table.calls.map(({verdict}) => verdict.split(' ')[1]?.replace('?', '')));
	expect(tableRules.map(({id}) => id).filter(id => !deciding.has(id))).toEqual([]);
});

describe('for any calls and rules', () => {
	const calls = constantFrom(...table.calls.map(tableCall));
	const rules = subarray(tableRules);
	const severity = {deny: 3, ask: 2, none: 1, allow: 0};

	test('a deny rule more, or an allow rule less, never allows more', () => {
		assert(
			property(calls, rules, constantFrom(...tableRules), (evaluated, some, one) => {
				const before = severity[ruleVerdict(some, evaluated).kind];
				const withDeny = ruleVerdict([...some, {...one, id: 'more', action: 'deny'}], evaluated);
				const withoutAllow = ruleVerdict(
					some.filter(rule => rule.action !== 'allow' || rule.id !== one.id),
					evaluated,
				);
				expect(severity[withDeny.kind]).toBeGreaterThanOrEqual(before);
				expect(severity[withoutAllow.kind]).toBeGreaterThanOrEqual(before);
			}),
			{numRuns: 150},
		);
	});

	test('the order of rules changes no verdict', () => {
		assert(
			property(calls, shuffledSubarray(tableRules, {minLength: 40}), (evaluated, shuffled) => {
				expect(ruleVerdict(shuffled, evaluated).kind).toBe(ruleVerdict(tableRules, evaluated).kind);
			}),
		);
	});

	test('no other form of an argument turns a deny or ask into allow', () => {
		const refused = table.calls.filter(({verdict}) => /^(?:deny|ask) /u.test(verdict));
		const forms: ReadonlyArray<(value: JsonValue) => JsonValue> = [
			value => [value],
			value => [value, value],
			value => ({value}),
			value => (typeof value === 'string' ? value : JSON.stringify(value)),
			...[
				(text: string) => text.toUpperCase(),
				(text: string) => text.toLowerCase(),
				(text: string) => text.normalize('NFD'),
				(text: string) => text.normalize('NFKC'),
				(text: string) => text.replaceAll('/', '//'),
				(text: string) => text.replaceAll('/', '/./'),
				(text: string) => text.replace('/', '/x/../'),
				(text: string) => `${text}/`,
				(text: string) => ` ${text}`,
				(text: string) => text.replaceAll('e', 'е'),
				(text: string) => text.replaceAll(/[a-z]/gu, letter => `%${(letter.codePointAt(0) ?? 0).toString(16)}`),
				(text: string) => text.replaceAll('a', 'a\u200B'),
			].map(change => (value: JsonValue) => (typeof value === 'string' ? change(value) : value)),
		];
		assert(
			property(
				constantFrom(...refused),
				array(constantFrom(...forms), {minLength: 1, maxLength: 3}),
				(written, changes) => {
					const changed = Object.fromEntries(
						Object.entries(written.arguments).map(([name, value]) => [
							name,
							changes.reduce((one, change) => change(one), value),
						]),
					);
					const verdict = ruleVerdict(tableRules, tableCall({...written, arguments: changed}));
					expect([written, changed, verdict.kind]).not.toEqual([written, changed, 'allow']);
				},
			),
			{numRuns: 1000},
		);
	});
});

describe('bad input', () => {
	test('names of inherited members are arguments like others', () => {
		const rules = [
			rule({...tool, action: 'deny', arguments: {constructor: {equals: 'x'}, toString: {absent: true as const}}}),
		];
		expect(verdictWord(rules, call(JSON.parse('{"constructor": "x"}') as JsonObject))).toBe('deny');
		expect(verdictWord(rules, call({}))).toBe('none');
		const own = JSON.parse('{"path": "/a", "__proto__": {"path": "/etc"}}') as JsonObject;
		const allow = [rule({...tool, action: 'allow', arguments: {path: {equals: '/a'}}})];
		expect([verdictWord(allow, call(own)), verdictWord(allow, call({path: '/a'}))]).toEqual(['none', 'allow']);
	});

	test('a rule for anything holds for every call, and an allow rule without its tool for none', () => {
		expect(verdictWord([rule({action: 'ask'})], call({}))).toBe('ask');
		expect(verdictWord([rule({action: 'allow'})], call({}))).toBe('none');
	});

	test('an allow rule holds in runs of a route or job only when it names that one', () => {
		const github = {kind: 'route', name: 'github'} as const;
		const verdicts = [undefined, {kind: 'route'} as const, github, {kind: 'route', name: 'gitlab'} as const].map(
			origin => verdictWord([rule({...tool, action: 'allow', ...(origin && {origin})})], call({}, {origin: github})),
		);
		expect(verdicts).toEqual(['none', 'none', 'allow', 'none']);
	});

	test('of rules that contradict each other the strictest decides', () => {
		const all = (['allow', 'ask', 'deny'] as const).map(action => rule({...tool, action}));
		expect([1, 2, 3].map(count => verdictWord(all.slice(0, count), call({})))).toEqual(['allow', 'ask', 'deny']);
	});

	test('an undecided deny rule is named before an ask rule that holds', () => {
		const denies = rule({...tool, action: 'deny', arguments: {path: {prefix: '/etc'}}});
		const verdict = ruleVerdict([rule({...tool, action: 'ask'}), denies], call({path: 'x'}));
		expect(verdict).toEqual({kind: 'ask', rule: denies, undecided: true});
	});

	test.each([0, 100])('an argument is found by what looks like its name beside %i others', others => {
		const rules = [rule({action: 'deny', arguments: {'file.path': {equals: '/x'}}})];
		const beside = Object.fromEntries(Array.from({length: others}, (_, index) => [`other${index}`, index]));
		expect(verdictWord(rules, call({...beside, Fіle: {...beside, 'PATH\u200B': '/x'}}))).toBe('deny');
		expect(verdictWord(rules, call({...beside, Fіle: {...beside, paths: '/x'}}, {inputSchema: {}}))).toBe('none');
	});

	test('a tool is denied by its registered name, and by what looks like its name', () => {
		const patterns = ['mcp__files__*', 'READ_*', 'rеad_file', 'read?file'];
		expect(patterns.map(pattern => verdictWord([rule({action: 'deny', tool: pattern})], call({})))).toEqual(
			patterns.map(() => 'deny'),
		);
		expect(
			patterns.map(pattern => verdictWord([rule({action: 'allow', server: 'files', tool: pattern})], call({}))),
		).toEqual(['none', 'none', 'none', 'allow']);
	});

	test('1,000 rules, globs with fifty stars and 1 MB of arguments take no time that a call would notice', () => {
		const stars = rule({...tool, action: 'deny', arguments: {path: {glob: `${'*a'.repeat(50)}*b`}}});
		const many = Array.from({length: 1000}, (_, index) =>
			rule({...tool, id: `r${index}`, action: 'deny', arguments: {path: {prefix: `/folder-${index}`}}}),
		);
		const long = {
			path: 'a'.repeat(60_000),
			more: 'a'.repeat(1_000_000),
			names: Object.fromEntries(Array.from({length: 50_000}, (_, index) => [`name-${index}`, index])),
		};
		const started = performance.now();
		expect(verdictWord([stars], call(long))).toBe('none');
		expect(verdictWord(many, call({path: '/other/file'}))).toBe('none');
		for (let index = 0; index < 100; index++) {
			ruleVerdict(many, call({path: `/other/file-${index}`}));
		}

		expect(performance.now() - started).toBeLessThan(5000);
	});
});
