import {describe, expect, test} from 'vitest';
import {ruleVerdict} from '../../../source/approvals/rule-verdict.ts';
import {hookInputSchema} from '../../../source/config/hooks/hook-tools.ts';
import {parseRule} from '../../../source/config/rules/rule-entry.ts';
import {sectionWithoutFile} from '../../../source/config/values/section.ts';
import {type JsonObject} from '../../../source/util/json-text.ts';

const shell = {action: 'allow', server: 'hook:claude-code', tool: 'Bash'} as const;
const exactly = {command: {equals: 'npm test'}, 'hook.cwd': {equals: '/srv/app'}};

function problemOf(rule: JsonObject): string | undefined {
	const reading = parseRule(rule, sectionWithoutFile('rule'));
	return reading.kind === 'broken' ? reading.problem.message : undefined;
}

describe('an allow rule on a shell command', () => {
	test.each<readonly [string, JsonObject]>([
		['with the command and the folder', {...shell, arguments: exactly}],
		['with lists of them', {...shell, arguments: {command: {in: ['ls', 'pwd']}, 'hook.cwd': {in: ['/a', '/b']}}}],
		['that ignores the description', {...shell, arguments: exactly, ignore: ['description']}],
		['with one more argument', {...shell, arguments: {...exactly, timeout: {equals: 1000}}}],
	])('%s is read', (_, rule) => {
		expect(problemOf(rule)).toBeUndefined();
	});

	test.each<readonly [string, JsonObject, string]>([
		['without the folder', {...shell, arguments: {command: {equals: 'ls'}}}, '`hook.cwd` is missing'],
		['without the command', {...shell, arguments: {'hook.cwd': {equals: '/srv'}}}, '`command` is missing'],
		['with a pattern', {...shell, arguments: {...exactly, command: {glob: 'npm *'}}}, 'Allowed: equals, in'],
		[
			'with a folder and below',
			{...shell, arguments: {...exactly, 'hook.cwd': {prefix: '/srv'}}},
			'Allowed: equals, in',
		],
		[
			'that ignores the time limit',
			{...shell, arguments: exactly, ignore: ['timeout']},
			'may ignore only `description`',
		],
		['by a pattern for tools', {...shell, tool: 'Ba*', arguments: {command: {equals: 'ls'}}}, '`hook.cwd` is missing'],
		['of every program', {...shell, server: 'hook:*', arguments: {}}, 'needs conditions on `command` and `hook.cwd`'],
		[
			'of Antigravity, by the name of another program',
			{...shell, server: 'hook:antigravity', tool: 'run_command', arguments: exactly},
			'`CommandLine` is missing',
		],
	])('%s is refused', (_, rule, text) => {
		expect(problemOf(rule)).toContain(text);
	});
});

describe('an allow rule on an edit', () => {
	const edit = {action: 'allow', server: 'hook:claude-code', tool: 'Write', ignore: ['content', 'hook.cwd']} as const;

	test('may name a folder', () => {
		expect(problemOf({...edit, arguments: {file_path: {prefix: '/srv/app'}}})).toBeUndefined();
	});

	test.each<readonly [string, JsonObject]>([
		['has no condition', {...edit, ignore: ['content', 'file_path', 'hook.cwd']}],
		['matches every path', {...edit, arguments: {file_path: {glob: '*'}}}],
		['matches below the root', {...edit, arguments: {file_path: {prefix: '/'}}}],
		['asks only for what is not there', {...edit, arguments: {nothing: {absent: true}}}],
	])('is refused when it %s', (_, rule) => {
		expect(problemOf(rule)).toContain('cannot be for every call of hook:claude-code/Write');
	});
});

test('rules that deny or ask, and those for other tools of a program, are free', () => {
	expect(
		problemOf({action: 'deny', server: 'hook:*', tool: 'Bash', arguments: {command: {glob: 'rm *'}}}),
	).toBeUndefined();
	expect(problemOf({action: 'ask', server: 'hook:*'})).toBeUndefined();
	expect(problemOf({action: 'allow', server: 'hook:claude-code', tool: 'Read', ignore: ['file_path']})).toBeUndefined();
});

describe('at a call', () => {
	const verdictOf = (rule: JsonObject, args: JsonObject, tool = 'Bash') => {
		const reading = parseRule(rule, sectionWithoutFile('rule'));
		const value = reading.kind === 'read' ? reading.value : expect.unreachable('the rule is refused');
		return ruleVerdict([{...value, id: 'r', source: 'config'}], {
			server: 'hook:claude-code',
			tool,
			registeredName: `mcp__hook_claude_code__${tool}`,
			arguments: args,
			inputSchema: hookInputSchema,
			origin: {kind: 'endpoint', name: 'claude-code', nameIs: 'claimed'},
		}).kind;
	};

	test.each<readonly [string, JsonObject, string]>([
		['the same command in the same folder', {command: 'npm test', 'hook.cwd': '/srv/app'}, 'allow'],
		['another folder', {command: 'npm test', 'hook.cwd': '/srv/other'}, 'none'],
		['no known folder', {command: 'npm test'}, 'none'],
		['a longer command', {command: 'npm test; rm -rf /', 'hook.cwd': '/srv/app'}, 'none'],
		['one more argument', {command: 'npm test', 'hook.cwd': '/srv/app', run_in_background: true}, 'none'],
		['the command as a list', {command: ['npm test'], 'hook.cwd': '/srv/app'}, 'none'],
	])('%s', (_, args, verdict) => {
		expect(verdictOf({...shell, arguments: exactly}, args)).toBe(verdict);
	});

	test('a pattern for servers allows no tool of a program, and denies it', () => {
		const args = {file_path: '/srv/app/a', 'hook.cwd': '/srv/app'};
		const allow = {
			action: 'allow',
			server: '*',
			tool: 'Read',
			arguments: {file_path: {prefix: '/srv'}},
			ignore: ['hook.cwd'],
		};
		expect(verdictOf(allow, args, 'Read')).toBe('none');
		expect(verdictOf({...allow, server: 'hook:*'}, args, 'Read')).toBe('allow');
		expect(verdictOf({action: 'deny', server: '*', tool: 'Read'}, args, 'Read')).toBe('deny');
	});

	test('a rule that denies in a folder is undecided where the folder is not known', () => {
		const rule = {action: 'deny', server: 'hook:*', arguments: {'hook.cwd': {prefix: '/srv'}}};
		expect(verdictOf(rule, {command: 'ls', 'hook.cwd': '/srv/app'})).toBe('deny');
		expect(verdictOf(rule, {command: 'ls', 'hook.cwd': '/home'})).toBe('none');
		expect(verdictOf(rule, {command: 'ls'})).toBe('ask');
	});
});
