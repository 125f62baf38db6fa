import {describe, expect, test} from 'vitest';
import {readConfigText} from '../../../source/config/read/load-config.ts';
import {parseRule} from '../../../source/config/rules/rule-entry.ts';
import {sectionWithoutFile} from '../../../source/config/values/section.ts';
import {problemLine} from '../../../source/util/problem.ts';

const read = (text: string) => readConfigText('config.yaml', text, () => undefined).config;
const withRules = (...rules: readonly string[]) =>
	`approvals:\n  rules:\n${rules.map(rule => `    - ${rule}\n`).join('')}`;

function problemsOf(text: string): readonly string[] {
	return read(text).problems.map(problem => `${problem.level} ${problemLine(problem)}`);
}

/** `config.yaml:3:22: …` as `config.yaml:3: …`. */
function withoutColumn(line: string): string {
	return line.replace(/:\d+: /u, ': ');
}

test('a problem is at the column of its key', () => {
	expect(problemsOf(withRules('{action: deny, tol: x}'))).toEqual([
		'error config.yaml:3:22: approvals.rules[0].tol: "tol" is not a known key; did you mean "tool"?',
	]);
});

test('rules are read as they are written, with an id of their own', () => {
	const {rules, problems} = read(
		withRules(
			'{action: deny, server: "*", tool: "delete_*", reason: never from here}',
			'{action: allow, server: files, tool: read_file, arguments: {path: {prefix: /srv/app}}, ignore: [encoding]}',
			'{action: ask, server: "*", origin: {kind: route, name: github}}',
		),
	);
	const id = expect.stringMatching(/^rule-[\da-f]{8}$/u) as string;
	expect(problems).toEqual([]);
	expect(rules).toEqual({
		kind: 'valid',
		rules: [
			{
				id,
				source: 'config',
				action: 'deny',
				server: '*',
				tool: 'delete_*',
				arguments: {},
				ignore: [],
				reason: 'never from here',
			},
			{
				id,
				source: 'config',
				action: 'allow',
				server: 'files',
				tool: 'read_file',
				arguments: {path: {prefix: '/srv/app'}},
				ignore: ['encoding'],
			},
			{
				id,
				source: 'config',
				action: 'ask',
				server: '*',
				arguments: {},
				ignore: [],
				origin: {kind: 'route', name: 'github'},
			},
		],
	});
});

test('an id stays when rules are moved or explained, changes with what the rule does, and is no other rule’s', () => {
	const idsOf = (...written: readonly string[]) => {
		const {rules} = read(withRules(...written));
		return rules.kind === 'valid' ? rules.rules.map(({id}) => id) : [];
	};

	const [deny = '', ask = ''] = idsOf('{action: deny, tool: a}', '{action: ask, tool: a}');
	expect(idsOf('{action: ask, tool: a, reason: why}', '{tool: a, action: deny}')).toEqual([ask, deny]);
	expect(idsOf('{action: deny, tool: b}')).not.toContain(deny);
	expect(idsOf('{action: deny, tool: a}', '{action: deny, tool: a}')).toEqual([deny, `${deny}-2`]);
});

test('a rule that does not allow, or not in runs of others, needs no name of an origin', () => {
	const text = withRules(
		'{action: ask, origin: {kind: route}}',
		'{action: deny, origin: {kind: job}}',
		'{action: allow, server: a, tool: b, origin: {kind: endpoint}}',
	);
	expect(problemsOf(text)).toEqual([]);
});

test('without rules all is valid', () => {
	for (const text of ['', 'approvals:\n', 'approvals: {}\n', 'approvals: {rules: }\n', 'approvals: {rules: []}\n']) {
		expect([text, read(text).rules]).toEqual([text, {kind: 'valid', rules: []}]);
	}
});

describe('a mistake makes the rules invalid and names file, line, column, key path, what was found and what is allowed', () => {
	const oneOf = 'equals, in, prefix, glob, host, min and max, absent';
	test.each([
		[
			'an unknown key',
			'{action: deny, tol: x}',
			'approvals.rules[0].tol: "tol" is not a known key; did you mean "tool"?',
		],
		['an empty rule', '{}', 'approvals.rules[0].action: A value is missing here. Allowed: allow, ask, deny'],
		[
			'no rule',
			'',
			'approvals.rules[0]: A value is missing here. Allowed: a mapping with action, server, tool and arguments',
		],
		[
			'an unknown action',
			'{action: alow}',
			'approvals.rules[0].action: "alow" is not a known action; did you mean "allow"? Allowed: allow, ask, deny',
		],
		[
			'a tool without a name',
			'{action: deny, tool: }',
			'approvals.rules[0].tool: A value is missing here. Allowed: text',
		],
		[
			'an unknown condition',
			'{action: deny, arguments: {path: {prefx: /a}}}',
			'approvals.rules[0].arguments.path.prefx: "prefx" is not a known key; did you mean "prefix"?',
		],
		[
			'no condition',
			'{action: deny, arguments: {path: {}}}',
			`approvals.rules[0].arguments.path: The argument has no condition. Allowed: one of ${oneOf}`,
		],
		[
			'two conditions',
			'{action: deny, arguments: {path: {equals: a, glob: b}}}',
			`approvals.rules[0].arguments.path: An argument takes one condition, not 2. Allowed: one of ${oneOf}`,
		],
		[
			'a value for a condition',
			'{action: deny, arguments: {path: /etc}}',
			'approvals.rules[0].arguments.path: Text is not allowed here. Allowed: a mapping with one condition, such as `prefix: /srv/app`',
		],
		[
			'a relative prefix',
			'{action: deny, arguments: {path: {prefix: etc}}}',
			'approvals.rules[0].arguments.path.prefix: The path is not plain. Allowed: an absolute path without `..`, `%`, `~`, backslashes and control characters',
		],
		[
			'a URL as host',
			'{action: deny, arguments: {url: {host: [https://a.example]}}}',
			'approvals.rules[0].arguments.url.host: A host name is not valid. Allowed: names such as api.example.com, without a scheme and a port',
		],
		[
			'a text as minimum',
			'{action: deny, arguments: {n: {min: "5"}}}',
			'approvals.rules[0].arguments.n.min: Text is not allowed here. Allowed: a number',
		],
		[
			'a range of nothing',
			'{action: deny, arguments: {n: {min: 5, max: 4}}}',
			'approvals.rules[0].arguments.n.max: 4 is less than `min`. Allowed: 5 or more',
		],
		[
			'absent: false',
			'{action: deny, arguments: {n: {absent: false}}}',
			'approvals.rules[0].arguments.n.absent: True or false is not allowed here. Allowed: true',
		],
		[
			'an allow rule for any server',
			'{action: allow, tool: a}',
			'approvals.rules[0]: An allow rule needs both `server` and `tool`; `server` is missing',
		],
		[
			'an allow rule for any tool',
			'{action: allow, server: a}',
			'approvals.rules[0]: An allow rule needs both `server` and `tool`; `tool` is missing',
		],
		[
			'an allow rule for every tool',
			'{action: allow, server: a, tool: "*"}',
			'approvals.rules[0].tool: An allow rule cannot be for "*". Allowed: the name of a tool, or a pattern that contains a part of it',
		],
		[
			'an allow rule for any route',
			'{action: allow, server: a, tool: b, origin: {kind: route}}',
			'approvals.rules[0].origin: An allow rule must name its route. Write `{kind: route, name: NAME}`',
		],
		[
			'an argument that no mapping can hold',
			'{action: deny, arguments: {__proto__: {equals: a}}}',
			'approvals.rules[0].arguments.__proto__: "__proto__" is not a known key',
		],
		[
			'an unknown kind of origin',
			'{action: deny, origin: {kind: job-run}}',
			'approvals.rules[0].origin.kind: "job-run" is not a known kind of caller. Allowed: route, job, endpoint, command, person',
		],
	])('%s', (_, rule, line) => {
		const text = withRules(rule);
		expect(problemsOf(text).map(withoutColumn)).toEqual([`error config.yaml:3: ${line}`]);
		expect(read(text).rules).toMatchObject({kind: 'invalid', problem: {level: 'error'}});
	});

	test.each([
		['rulez: []', 'approvals.rulez: "rulez" is not a known key; did you mean "rules"?'],
		['rules: {}', 'approvals.rules: A mapping is not allowed here. Allowed: a list of rules'],
		['timeout: soon', 'approvals.timeout: Text is not allowed here. Allowed: a number of seconds, 0 or more'],
	])('approvals: {%s}', (written, line) => {
		const text = `approvals: {${written}}\n`;
		expect(problemsOf(text).map(withoutColumn)).toEqual([`error config.yaml:1: ${line}`]);
		expect(read(text).rules.kind).toBe('invalid');
	});

	test('a file that cannot be read at all', () => {
		expect(read('approvals: [').rules).toMatchObject({kind: 'invalid', problem: {code: 'config_syntax'}});
		expect(read('approvals: {rules: [{action: deny, action: allow}]}').rules.kind).toBe('invalid');
	});

	test('each of several', () => {
		const text = withRules('{action: deny, tol: x}', '{action: deny}', '{action: nay}');
		expect(problemsOf(text)).toHaveLength(2);
	});
});

test('a rule from elsewhere is read by the same schema', () => {
	const section = sectionWithoutFile('a rule');
	expect(parseRule({action: 'deny', tool: 'a'}, section)).toEqual({
		kind: 'read',
		value: {action: 'deny', tool: 'a', arguments: {}, ignore: []},
	});
	expect(parseRule({action: 'allow', server: 'a', tool: '**'}, section)).toMatchObject({kind: 'broken'});
	expect(parseRule(JSON.parse('{"action": "deny", "arguments": {"__proto__": {"equals": 1}}}'), section).kind).toBe(
		'broken',
	);
});
