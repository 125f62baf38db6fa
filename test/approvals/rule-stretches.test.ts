import {describe, expect, test} from 'vitest';
import {type Rule} from '../../source/approvals/rule.ts';
import {type JsonObject, type JsonValue} from '../../source/util/json-text.ts';
import {rule, verdictOf} from './one-rule.ts';

const withSql = (all: readonly JsonObject[]): readonly JsonObject[] => all.map(args => ({sql: 'select 1', ...args}));
const withPath = (all: readonly JsonValue[]): readonly JsonObject[] => all.map(path => ({path}));

const allowHost = rule({
	action: 'allow',
	server: 'web',
	tool: 'fetch',
	arguments: {url: {host: ['api.example.com', '10.0.0.1']}},
});
const allowPath = rule({action: 'allow', server: 'files', tool: 'read', arguments: {path: {prefix: '/srv/app'}}});
const allowGlob = rule({action: 'allow', server: 'files', tool: 'read', arguments: {path: {glob: '/srv/app/*.md'}}});
const allowLimit = rule({
	action: 'allow',
	server: 'db',
	tool: 'query',
	arguments: {'options.limit': {max: 10}},
	ignore: ['sql'],
});
const allowDeep = rule({action: 'allow', server: 'db', tool: 'query', arguments: {'a.b.c': {equals: 'x'}}});
const allowAbsent = rule({
	action: 'allow',
	server: 'db',
	tool: 'query',
	arguments: {'options.force': {absent: true}},
	ignore: ['sql'],
});

const hostStretches = [
	'http://api.example.com/',
	'https://api.example.com:8443/',
	'https://u@api.example.com/',
	'https://u:p@api.example.com/',
	'https://api.example.com.evil.org/',
	'https://api-example.com/',
	'https://аpi.example.com/',
	'https://api.example.com@evil.org',
	'https://api.example.com\\@evil.org/',
	'https:\\\\api.example.com/',
	' https://api.example.com/',
	'https://api.example.com%2eevil.org/',
	'https:api.example.com',
	'https:///api.example.com',
	'https://api.example­.com.evil.org',
	'https://x.api.example.com/',
	'//api.example.com/',
	'https://[::ffff:10.0.0.1]/',
	'https://[::10.0.0.1]/',
	'https://[64:ff9b::a00:1]/',
	'https://api.example.com#@evil.org\n',
	'api.example.com',
].map(url => ({url}));
const pathStretches = [
	'/srv/application',
	'/srv/app/../../etc/passwd',
	'/srv/app/%2e%2e/x',
	'/srv/app/..\\x',
	'srv/app/a',
	'~/srv/app',
	'/SRV/app/a',
	'/srv/аpp/a',
	'/srv/app\0/../x',
	'/srv/app/a\nb',
	'/srv',
	'/',
	'',
	'./srv/app/a',
	'/srv/app%2f..%2fx',
	'file:///srv/app/a',
	'/srv//application',
].map(path => ({path}));
const globStretches = [
	'/srv/app/../b.md',
	'/srv/app/%2e%2e/b.md',
	'/srv/app/..%2fb.md',
	'/srv/app\\..\\b.md',
	'/srv/app/a.MD',
	'/srv/app/b.md/',
	'/srv/app/ .. /x.md\n',
].map(path => ({path}));
const otherTypes = withPath([null, 5, true, [], {}, [['/srv/app/a']], ['/srv/app/a', '/etc/b'], {path: '/srv/app/a'}]);
const extraArguments = ['encoding', 'Path', 'path ', 'PATH', '__proto__x', 'рath', 'path.x', '', 'follow'].map(
	name => ({
		path: '/srv/app/a',
		[name]: 'x',
	}),
);
const limitStretches = withSql([
	{'options.limit': 5},
	{
		'options.limit': 5,
		options: {},
	},
	{
		'options.limit': 5,
		options: {limit: 5},
	},
	{
		'options.limit': 5e3,
		options: {limit: 5},
	},
	{options: {limit: 11}},
	{options: {limit: '5'}},
	{options: {limit: [5, 50]}},
	{options: {limit: null}},
	{options: [{limit: 5}]},
	{options: 5},
	{},
	{
		options: {
			limit: 5,
			force: true,
		},
	},
	{options: {Limit: 5}},
	{Options: {limit: 5}},
	{
		options: {limit: 5},
		extra: 1,
	},
	{
		options: {
			limit: 5,
			'limit.x': 1,
		},
	},
	{options: {limit: Number.MAX_VALUE}},
	{options: {limit: true}},
	{limit: 5},
	{options: {'': {limit: 5}}},
	{'options ': {limit: 5}},
]);
const deepStretches: readonly JsonObject[] = [
	{'a.b.c': 'x'},
	{'a.b': {c: 'x'}},
	{a: {'b.c': 'x'}},
	{
		a: {b: {c: 'x'}},
		'a.b': {},
	},
	{
		a: {
			b: {c: 'x'},
			'b.c': 'y',
		},
	},
	{
		a: {b: {c: 'x'}},
		'a.b.c': 'x',
	},
	{a: {b: {c: 'X'}}},
	{a: {b: 'x'}},
	{a: {b: {c: ['x', 'y']}}},
	{a: [{b: {c: 'x'}}]},
];
const absentStretches = withSql([
	{'options.force': true},
	{'options.force': false},
	{options: {force: null}},
	{options: {force: false}},
	{options: 'force'},
	{options: ['force']},
	{
		options: {force: true},
		'options.force': 1,
	},
	{
		options: {},
		'options.force': true,
	},
]);

describe('a stretch of an allow rule is not allowed', () => {
	const stretches: ReadonlyArray<readonly [Rule, readonly JsonObject[], meant: JsonObject]> = [
		[allowHost, hostStretches, {url: 'https://api.example.com/v1?x=1'}],
		[allowPath, [...pathStretches, ...otherTypes, ...extraArguments], {path: '/srv/app/a'}],
		[allowGlob, globStretches, {path: '/srv/app/a.md'}],
		[allowLimit, limitStretches, {sql: 'select 1', options: {limit: 5}}],
		[allowDeep, deepStretches, {a: {b: {c: 'x'}}}],
		[allowAbsent, absentStretches, {sql: 'select 1'}],
	];

	test('there are 100 and more, and each rule allows the call that it means', () => {
		expect(stretches.flatMap(([, all]) => all).length).toBeGreaterThanOrEqual(100);
		expect(stretches.map(([one, , meant]) => verdictOf(one, meant))).toEqual(stretches.map(() => 'allow'));
	});

	test.each(stretches)('$arguments', (one, all) => {
		expect(all.filter(args => verdictOf(one, args) === 'allow')).toEqual([]);
	});
});

describe('the folder of a hook call is one name', () => {
	const hook = rule({
		action: 'allow',
		server: 'hook:codex',
		tool: 'shell',
		arguments: {command: {equals: 'ls'}, 'hook.cwd': {equals: '/srv'}},
	});

	test.each<readonly [JsonObject, string]>([
		[{command: 'ls', 'hook.cwd': '/srv'}, 'allow'],
		[{command: 'ls', 'hook.cwd': '/etc'}, 'none'],
		[{command: 'ls', hook: {cwd: '/srv'}}, 'none'],
	])('%j: %s', (args, expected) => {
		expect(verdictOf(hook, args)).toBe(expected);
	});
});
