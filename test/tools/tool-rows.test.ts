import {expect, test} from 'vitest';
import {type RememberedRule} from '../../source/approvals/remembered-rules.ts';
import {type Rule} from '../../source/approvals/rule.ts';
import {type RuleState} from '../../source/tools/call-rules.ts';
import {createCatalogue} from '../../source/tools/catalogue.ts';
import {approvalNeed, toolRows} from '../../source/tools/tool-rows.ts';
import {definition, offerOf, serverConfig} from './server-offers.ts';

const rule = (action: Rule['action'], members: Partial<Rule> = {}): Rule => ({
	id: `rule-${action}`,
	source: 'config',
	action,
	server: 'files',
	tool: '*',
	arguments: {},
	ignore: [],
	...members,
});

function valid(...rules: readonly Rule[]): RuleState {
	return {kind: 'valid', rules};
}

function openTool({trust = 'untrusted', readOnly = false}: {trust?: 'full' | 'untrusted'; readOnly?: boolean}) {
	const config = serverConfig({trust});
	const catalogue = createCatalogue(() => [config.name]);
	const annotations = readOnly ? {readOnlyHint: true} : {};
	catalogue.register(config, {...offerOf(), tools: [definition('write', {annotations})]});
	const tool = catalogue.list()[0]!;
	const approved: RememberedRule = {
		id: 'approved',
		server: 'files',
		tool: 'write',
		fingerprint: tool.fingerprint,
		definition: {},
		state: 'valid',
		rememberedAt: 0,
		scope: 'always',
	};
	return {tool, approved, catalogue};
}

type Known = {
	readonly trust?: 'full';
	readonly readOnly?: true;
	readonly rules?: readonly Rule[];
	/** The definition that a person approved: the present one, or another. */
	readonly approved?: 'this' | 'other';
};

test.each<[string, Known, 'none' | 'ask' | 'remembered']>([
	['an untrusted tool', {}, 'ask'],
	['a remembered one', {approved: 'this'}, 'remembered'],
	['a read-only one', {readOnly: true}, 'none'],
	['a trusted one', {trust: 'full'}, 'none'],
	['a trusted one with an ask rule', {trust: 'full', rules: [rule('ask')]}, 'ask'],
	['a read-only one with a deny rule', {readOnly: true, rules: [rule('deny')]}, 'ask'],
	['a remembered one with an ask rule', {approved: 'this', rules: [rule('ask')]}, 'ask'],
	['a rule for some arguments', {trust: 'full', rules: [rule('deny', {arguments: {path: {equals: 1}}})]}, 'ask'],
	['a rule for one origin', {trust: 'full', rules: [rule('ask', {origin: {kind: 'route', name: 'github'}})]}, 'ask'],
	['a rule in look-alike letters', {trust: 'full', rules: [rule('deny', {tool: 'WRITЕ'})]}, 'ask'],
	['a rule for another tool', {trust: 'full', rules: [rule('deny', {tool: 'delete'})]}, 'none'],
	['an untrusted tool with an allow rule', {rules: [rule('allow', {tool: 'write'})]}, 'ask'],
	['a trusted tool with an allow rule', {trust: 'full', rules: [rule('allow', {tool: 'write'})]}, 'none'],
	['a remembered one that changed', {approved: 'other'}, 'ask'],
	['one that changed and claims to be read-only', {approved: 'other', readOnly: true}, 'ask'],
	['a trusted one that changed', {approved: 'other', trust: 'full', readOnly: true}, 'none'],
])('%s: calls meet at the approval check', (_, {rules = [], approved: which, ...about}, expected) => {
	const {tool, approved} = openTool(about);
	const remembered = which ? [which === 'this' ? approved : {...approved, fingerprint: 'other'}] : [];
	expect(approvalNeed(tool, {remembered, rules: valid(...rules)})).toBe(expected);
});

test('while the rules cannot be read every tool asks', () => {
	const {tool} = openTool({trust: 'full'});
	const rules = {kind: 'invalid', problem: {message: 'bad'}} as const;
	expect(approvalNeed(tool, {remembered: [], rules})).toBe('ask');
});

test('a row has the first rules for its tool in safe words', () => {
	const {catalogue} = openTool({});
	const reason = `never\u001B[2J ${'x'.repeat(1000)}`;
	const rules = [
		rule('deny', {reason}),
		rule('ask', {tool: 'other'}),
		...Array.from({length: 6}, () => rule('ask', {tool: 'write'})),
	];
	const [row] = toolRows(catalogue.status(), {remembered: [], rules: valid(...rules)}, () => 12);
	expect(row?.rules).toHaveLength(6);
	expect(row?.tokens).toBe(12);
	expect(row?.rules?.[0]).toMatch(/^rule rule-deny denies every tool of files \(never␛\[2J x+…/u);
	expect(row?.rules?.[0]?.length).toBeLessThan(400);
	expect(row?.rules?.slice(1)).toEqual([
		...Array.from({length: 4}, () => 'rule rule-ask asks for files/write'),
		'2 more rules',
	]);
	const [none] = toolRows(catalogue.status(), {remembered: [], rules: valid()}, () => undefined);
	expect(none).not.toHaveProperty('rules');
	expect(none).not.toHaveProperty('tokens');
});
