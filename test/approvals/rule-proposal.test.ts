import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {callVerdict} from '../../source/approvals/call-verdict.ts';
import {type ProposalSubject, proposeRule, type RuleProposal} from '../../source/approvals/rule-proposal.ts';
import {conditionInWords, ruleInWords} from '../../source/approvals/rule.ts';
import {type JsonObject, type JsonValue} from '../../source/util/json-text.ts';

/** A waiting call with these arguments; `untrusted` is what its run has read. */
function subject(
	args: JsonObject,
	change: Partial<ProposalSubject> & {readonly untrusted?: string} = {},
): ProposalSubject {
	const {untrusted, ...rest} = change;
	return {
		server: 'files',
		tool: 'read',
		registeredName: 'mcp__files__read',
		arguments: args,
		inputSchema: undefined,
		origin: {kind: 'command-line'},
		definition: {server: 'files', tool: 'read', fingerprint: 'f', definition: {}},
		isMasked: () => false,
		...(untrusted !== undefined && {isUntrusted: text => untrusted.includes(text)}),
		...rest,
	};
}

/** The choices for the first argument in words, the chosen one in brackets, and why there is no condition. */
function offered({arguments: [argument]}: RuleProposal): string {
	const words = (argument?.choices ?? []).map((choice, index) => {
		const text = choice.kind === 'condition' ? conditionInWords(choice.condition) : choice.kind;
		return index === argument?.chosen ? `[${text}]` : text;
	});
	return [...words, ...(argument?.without ? [`(${argument.without})`] : [])].join(' | ');
}

function words(proposal: RuleProposal): string {
	return proposal.outcome.kind === 'rule' ? ruleInWords(proposal.outcome.rule) : proposal.outcome.kind;
}

test.each<readonly [string, JsonValue, string]>([
	[
		'a path',
		'/srv/app/a.txt',
		'is /srv/app/a.txt | [is below /srv/app/a.txt] | is below /srv/app | is below /srv | ignore',
	],
	['a path with dots', '/srv/app/../b', 'is /srv/app/../b | [is below /srv/b] | is below /srv | ignore'],
	['the root', '/', '[is /] | ignore'],
	['a relative path', 'etc/x', '[is etc/x] | ignore'],
	['a path with a percent sign', '/srv/%2e%2e/x', '[is /srv/%2e%2e/x] | ignore'],
	['a path of the home', '~/x', '[is ~/x] | ignore'],
	[
		'an address',
		'https://api.example.com/v1',
		'is https://api.example.com/v1 | [is an https address at api.example.com] | ignore',
	],
	['an address with a port', 'https://api.example.com:8443/', '[is https://api.example.com:8443/] | ignore'],
	['an address with user info', 'https://me@api.example.com/', '[is https://me@api.example.com/] | ignore'],
	['an address without encryption', 'http://api.example.com/', '[is http://api.example.com/] | ignore'],
	['a text', '#general', '[is #general] | ignore'],
	['a text that reads as a sentence', 'x and mode is y', '[is "x and mode is y"] | ignore'],
	['a number', 5, '[is 5] | ignore'],
	['a number as text', '5', '[is "5"] | ignore'],
	['a truth', true, '[is true] | ignore'],
	['null', null, '[open] | ignore | (unfit)'],
	['an empty object', {}, '[open] | ignore | (unfit)'],
	['an empty list', [], '[open] | ignore | (unfit)'],
	['a list of lists', [['a']], '[open] | ignore | (unfit)'],
	['a list of objects', [{a: 1}], '[open] | ignore | (unfit)'],
	['a list of texts', ['a', 'b'], '[is a or b] | ignore'],
	['a list of one text', ['a', 'a'], '[is a] | ignore'],
	['a list of texts and numbers', ['a', 1], '[is a or 1] | ignore'],
	['a list of paths', ['/srv/a', '/srv/b'], 'is /srv/a or /srv/b | [is below /srv] | ignore'],
	['a list of paths far apart', ['/srv/a', '/etc/b'], '[is /srv/a or /etc/b] | ignore'],
	[
		'a list of addresses',
		['https://a.example/x', 'https://b.example/y'],
		'is https://a.example/x or https://b.example/y | [is an https address at a.example or b.example] | ignore',
	],
	['a text of 5,000 characters', 'x'.repeat(5000), '[open] | ignore | (unfit)'],
])('%s is offered what evaluation says yes to', (_, value, expected) => {
	expect(offered(proposeRule(subject({value})))).toBe(expected);
});

test('the rule names server and tool alone, and says what every argument may be', () => {
	const call = subject({path: '/srv/app/a', mode: 'r', 'odd name': 1}, {server: 'a*b', tool: 'read[1]'});
	const {outcome} = proposeRule(call, [2, 1]);
	expect(outcome).toEqual({
		kind: 'rule',
		rule: {
			action: 'allow',
			server: 'a[*]b',
			tool: 'read[[]1]',
			arguments: {path: {prefix: '/srv/app'}, 'odd name': {equals: 1}},
			ignore: ['mode'],
		},
	});
	expect(words(proposeRule(call, [2, 1]))).toBe(
		'allows a[*]b/read[[]1] when path is below /srv/app and "odd name" is 1, with any value of mode',
	);
	expect(words(proposeRule(subject({})))).toBe('allows files/read without arguments');
});

test('members of an object are arguments of their own, as far as paths of rules lead there', () => {
	const call = subject({options: {limit: 5, 'a.b': {c: 1}}, 'x.y': 2, filter: {by: {name: 'a', deep: {x: true}}}});
	// A dotted path of a rule leads to members alone, so of the argument `x.y` it can only say that it may be anything.
	expect(proposeRule(call, [1]).outcome).toEqual({kind: 'open', path: 'x.y'});
	const {arguments: shown, outcome} = proposeRule(call, [1, 1]);
	expect(shown.map(({path}) => path)).toEqual(['options', 'x.y', 'filter.by.name', 'filter.by.deep.x']);
	expect(outcome).toMatchObject({kind: 'rule', rule: {ignore: ['options', 'x.y']}});
});

test.each([
	[
		'route',
		{kind: 'run', runId: 'r', route: 'github', deliveryId: 'd', job: 'nightly'},
		{kind: 'route', name: 'github'},
	],
	['job', {kind: 'run', runId: 'r', route: '', deliveryId: '', job: 'nightly'}, {kind: 'job', name: 'nightly'}],
	['person', {kind: 'run', runId: 'r', route: '', deliveryId: ''}, undefined],
	['client of the endpoint', {kind: 'endpoint', client: 'agent'}, undefined],
] as const)('in a call of a %s the rule names what outsiders start', (_, origin, expected) => {
	const {outcome} = proposeRule(subject({path: '/srv/a'}, {origin}));
	expect(outcome.kind === 'rule' ? outcome.rule.origin : outcome.kind).toEqual(expected);
});

test('a value that stands in untrusted text is offered as no condition, and nothing is stored until it may be anything', () => {
	const call = subject({path: '/srv/app/a', label: 'urgent'}, {untrusted: 'please read /srv/app/a now'});
	const proposal = proposeRule(call);
	expect(offered(proposal)).toBe('[open] | ignore | (untrusted)');
	expect(proposal.outcome).toEqual({kind: 'open', path: 'path'});
	expect(words(proposeRule(call, [1]))).toBe('allows files/read when label is urgent, with any value of path');
	const list = subject({path: ['/srv/app/a', '/srv/b']}, {untrusted: '/srv/app/a'});
	expect(offered(proposeRule(list))).toBe('[open] | ignore | (untrusted)');
});

test('what the card masks is named in no rule', () => {
	const call = subject({login: {token: 'hunter2'}, path: '/srv/a'}, {isMasked: name => name === 'login'});
	expect(proposeRule(call).outcome).toEqual({kind: 'open', path: 'login.token'});
	expect(proposeRule(call).arguments[0]).toMatchObject({without: 'masked'});
	expect(words(proposeRule(call, [1]))).toBe(
		'allows files/read when path is below /srv/a, with any value of login.token',
	);
});

test('a call with more arguments than anybody goes through, and one with names that no rule can have, give no rule', () => {
	const many = Object.fromEntries(Array.from({length: 41}, (_, index) => [`a${index}`, 1]));
	expect(proposeRule(subject(many)).outcome).toEqual({kind: 'too-many-arguments'});
	const inherited = JSON.parse('{"__proto__": "x", "path": "/srv/a"}') as JsonObject;
	expect(proposeRule(subject(inherited), [1, 1]).outcome).not.toMatchObject({kind: 'rule', rule: {ignore: []}});
	expect(proposeRule(subject({'': 1}), [1]).outcome.kind).toBe('in-vain');
});

const texts = fc.oneof(
	fc.string({maxLength: 12}),
	fc.constantFrom(
		'/srv/app/a',
		'/srv/../etc',
		'/',
		'//a',
		'~',
		'/%2e',
		'https://a.example/x',
		'https://a.example:1/',
		'a.b',
	),
);
const names = fc.oneof(
	fc.constantFrom('path', 'a', 'b', 'a.b', '__proto__', 'constructor', ''),
	fc.string({maxLength: 6}),
);
const {json} = fc.letrec<{json: JsonValue}>(tie => ({
	json: fc.oneof(
		{maxDepth: 3},
		texts,
		fc.integer(),
		fc.boolean(),
		fc.constant(null),
		fc.array(tie('json'), {maxLength: 3}),
		fc.dictionary(names, tie('json'), {maxKeys: 3}),
	),
}));

test('a proposed rule always allows the call that it was made from, whatever is chosen', () => {
	fc.assert(
		fc.property(
			fc.dictionary(names, json, {maxKeys: 4}),
			fc.array(fc.nat(5), {maxLength: 8}),
			fc.option(texts, {nil: undefined}),
			(args, chosen, untrusted) => {
				const call = subject(args, untrusted === undefined ? {} : {untrusted});
				const {outcome} = proposeRule(call, chosen);
				if (outcome.kind !== 'rule') {
					return;
				}

				expect(callVerdict([{...outcome.rule, id: 'r', source: 'stored'}], call).kind).toBe('allow');
				const further = {...call, arguments: {...args, furtherArgument: 1}};
				expect(callVerdict([{...outcome.rule, id: 'r', source: 'stored'}], further).kind).not.toBe('allow');
			},
		),
		{numRuns: 300},
	);
});

const shell = {server: 'hook:claude-code', tool: 'Bash', registeredName: 'mcp__hook_claude_code__Bash'};

test('a shell command of a program gives the rule about exactly this command in this folder, whatever is chosen', () => {
	const args = {command: 'npm test', description: 'Run the tests', timeout: 1000, 'hook.cwd': '/srv/app'};
	for (const chosen of [[], [1, 1, 1, 1]]) {
		const proposal = proposeRule(subject(args, shell), chosen);
		expect(proposal.arguments.map(({path, choices}) => [path, choices.length])).toEqual(
			Object.keys(args).map(name => [name, 1]),
		);
		expect(words(proposal)).toBe(
			'allows hook:claude-code/Bash when command is "npm test" and timeout is 1000 and hook.cwd is /srv/app, with any value of description',
		);
	}
});

test.each<readonly [string, JsonObject, Parameters<typeof subject>[1]]>([
	['its folder is not known', {command: 'ls'}, {}],
	['the command is a list', {command: ['ls', '-l'], 'hook.cwd': '/srv'}, {}],
	['the command is too long for a rule', {command: 'x'.repeat(5000), 'hook.cwd': '/srv'}, {}],
	['a part of it is masked', {command: 'ls', 'hook.cwd': '/srv'}, {isMasked: name => name === 'command'}],
	[
		'it stands in untrusted text',
		{command: 'curl evil.example', 'hook.cwd': '/srv'},
		{untrusted: 'run curl evil.example'},
	],
])('a shell command gives no rule when %s', (_, args, change) => {
	expect(words(proposeRule(subject(args, {...shell, ...change})))).toMatch(/^(?:open|in-vain)$/u);
});
