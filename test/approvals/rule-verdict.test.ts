import {describe, expect, test} from 'vitest';
import {type JudgedCall, ruleVerdict} from '../../source/approvals/rule-verdict.ts';
import {type Rule} from '../../source/approvals/rule.ts';
import {type JsonObject} from '../../source/util/json-text.ts';

function rule(written: Partial<Rule> & Pick<Rule, 'action'>): Rule {
	return {id: written.action, source: 'config', arguments: {}, ignore: [], ...written};
}

function call(args: JsonObject, more: Partial<JudgedCall> = {}): JudgedCall {
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
function verdictWord(rules: readonly Rule[], judged: JudgedCall): string {
	const verdict = ruleVerdict(rules, judged);
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
		[`/srv/app/${'a'.repeat(70_000)}`, 'ask?', 'none'],
	])('%j', (value, deny, allow) => {
		const args = {path: value} as JsonObject;
		expect([verdictWord(denied, call(args)), verdictWord(allowed, call(args))]).toEqual([deny, allow]);
	});

	test('that is absent is undecided when the server knows the argument', () => {
		expect(verdictWord(denied, call({}))).toBe('ask?');
		expect(verdictWord(denied, call({}, {inputSchema: undefined}))).toBe('ask?');
		expect(verdictWord(denied, call({}, {inputSchema: {type: 'object', properties: {}}}))).toBe('none');
		expect(verdictWord(allowed, call({}))).toBe('none');
	});
});
