import {type Arbitrary, array, assert, constantFrom, dictionary, nat, oneof, property, record, tuple} from 'fast-check';
import {expect, test} from 'vitest';
import {type EvaluatedCall, type RuleVerdict, ruleVerdict} from '../../source/approvals/rule-verdict.ts';
import {type Rule} from '../../source/approvals/rule.ts';
import {type JsonObject} from '../../source/util/json-text.ts';

function callWith(args: JsonObject): EvaluatedCall {
	return {
		server: 'files',
		tool: 'read',
		registeredName: 'mcp__files__read',
		arguments: args,
		inputSchema: {type: 'object', properties: {path: {type: 'string'}}},
		origin: {kind: 'command'},
	};
}

test('many rules for one tool decide as each of them alone would', () => {
	const texts = [
		'/etc/x',
		'/ETC/x',
		'/еtc/x',
		'/etc/../srv/a%2fb',
		'/SRV/a',
		'etc/x',
		'/srv ',
		'~/x',
		'ops',
		'Ops',
		'',
		'https://api.example.com/x',
		'HTTPS://API.example.com:443/x',
		'http://u:p@bücher.example\\y',
	];
	const text = constantFrom(...texts);
	const condition: Arbitrary<Rule['arguments'][string]> = oneof(
		text.map(equals => ({equals})),
		array(text, {minLength: 1, maxLength: 3}).map(words => ({in: words})),
		tuple(text, nat(12)).map(([one, length]) => ({prefix: `/${one.replace(/^\//u, '').slice(0, length)}`})),
		tuple(text, nat(12), constantFrom('', '*', '?')).map(([one, length, start]) => ({
			glob: `${start}${one.slice(0, length)}*`,
		})),
		tuple(text, nat(12), constantFrom('*', '?', '[!x]', '[a]]', '*[e')).map(([one, length, start]) => ({
			glob: `${start}${one.slice(-length)}`,
		})),
		constantFrom('api.example.com', 'API.EXAMPLE.COM.', 'bücher.example', 'h.x').map(host => ({host: [host]})),
		constantFrom({min: 1}, {absent: true as const}, {equals: true}, {in: ['x', 1]}),
	);
	const one = record({
		action: constantFrom<Rule['action']>('allow', 'ask', 'deny'),
		arguments: dictionary(constantFrom('path', 'pаth', 'url', 'to'), condition, {minKeys: 1, maxKeys: 2}),
	});
	const argument = oneof(
		text,
		constantFrom(5, true, null, '/x'.repeat(501)),
		text.map(value => [value]),
	);
	assert(
		property(
			array(one, {minLength: 20, maxLength: 40}),
			dictionary(constantFrom('path', 'PATH', 'url', 'to'), argument, {maxKeys: 3}),
			constantFrom<Partial<Rule>>({}, {action: 'allow'}),
			(written, args, alike) => {
				const ignore = ['path', 'PATH', 'url', 'to'];
				const many = written.map(
					(members, index): Rule => ({
						...members,
						...alike,
						server: 'files',
						tool: 'read',
						id: `r${index}`,
						source: 'config',
						ignore,
					}),
				);
				const alone = many.map(single => ruleVerdict([single], callWith(args)));
				const first = (kind: RuleVerdict['kind'], isFor: (found: RuleVerdict) => boolean = () => true) =>
					alone.find(verdict => verdict.kind === kind && isFor(verdict));
				const expected = first('deny') ??
					first('ask', found => found.kind !== 'none' && found.rule.action === 'deny') ??
					first('ask', found => found.kind !== 'none' && !found.undecided) ??
					first('ask') ??
					first('allow') ?? {kind: 'none'};
				expect(ruleVerdict(many, callWith(args))).toEqual(expected);
			},
		),
		{numRuns: 200},
	);
});

test.each([
	['*.7.secret', 'a.7.secret'],
	['*.7.SECRET', 'A.7.ѕecret'],
	['?.7.secret', 'b.7.secret'],
	['[!x].7.secret', 'b.7.secret'],
	['*x].7.secret', '[x].7.secret'],
	['*[x.7.secret', 'a[x.7.secret'],
])('among many rules a pattern is found by its end: %s', (glob, path) => {
	const rule = (index: number, pattern: string): Rule => ({
		id: `r${index}`,
		source: 'config',
		action: 'deny',
		arguments: {path: {glob: pattern}},
		ignore: [],
	});
	const many = [...Array.from({length: 30}, (_, index) => rule(index, `*.${index + 100}.secrets`)), rule(30, glob)];
	expect(ruleVerdict(many, callWith({path}))).toMatchObject({kind: 'deny', rule: {id: 'r30'}});
	expect(ruleVerdict(many, callWith({path: `${path}x`}))).toEqual({kind: 'none'});
});
