import {describe, expect, test} from 'vitest';
import {assertCommandMayChange} from '../../../source/config/edit/guarded-settings.ts';

const approvals = {cli: 'deny', timeout: 60};
const base = {
	approvals,
	limits: {day: {usd: 5}},
	gateway: {endpoint: {port: 8645, token: '${TOKEN}'}, drain_delay: 1},
	mcp_servers: {a: {command: 'x', trust: 'untrusted'}, b: {command: 'y'}},
	model: {name: 'm'},
};

/** The code with which a change is refused; undefined where it is allowed. */
function refusal(before: object, after: unknown, variables: Readonly<Record<string, string>> = {}) {
	try {
		const variable = (name: string) => ({TOKEN: 'one', ...variables})[name];
		assertCommandMayChange(
			{value: before, variable: name => (({TOKEN: 'one'}) as Record<string, string>)[name]},
			{value: after, variable},
		);
		return undefined;
	} catch (error) {
		return (error as {code?: string}).code;
	}
}

describe('under `approvals.cli: deny` commands may not', () => {
	test.each<[string, unknown]>([
		['change how approvals wait', {...base, approvals: {...approvals, timeout: 1}}],
		['allow commands again', {...base, approvals: {cli: 'allow', timeout: 60}}],
		['remove approvals', {...base, approvals: undefined}],
		['add a rule', {...base, approvals: {...approvals, rules: []}}],
		['raise a limit', {...base, limits: {day: {usd: 50}}}],
		['remove limits', {...base, limits: undefined}],
		['move the endpoint', {...base, gateway: {...base.gateway, endpoint: {port: 1, token: '${TOKEN}'}}}],
		['remove the gateway section with it', {...base, gateway: undefined}],
		['trust a server', {...base, mcp_servers: {...base.mcp_servers, a: {command: 'x', trust: 'full'}}}],
		['remove its trust, which then is full', {...base, mcp_servers: {...base.mcp_servers, a: {command: 'x'}}}],
		['remove it with its trust', {...base, mcp_servers: {b: {command: 'y'}}}],
		['add a server of full trust', {...base, mcp_servers: {...base.mcp_servers, c: {command: 'z', trust: 'full'}}}],
		['add a server without a word about trust', {...base, mcp_servers: {...base.mcp_servers, c: {command: 'z'}}}],
		['remove everything', null],
	])('%s', (_what, after) => {
		expect(refusal(base, after)).toBe('commands_denied');
	});

	test.each<[string, Record<string, string>]>([
		['the variable of the token', {TOKEN: 'two'}],
		['the variable that the endpoint falls back to', {SLUICE_ENDPOINT_TOKEN: 'two'}],
	])('change %s', (_what, variables) => {
		expect(refusal(base, base, variables)).toBe('commands_denied');
	});

	test.each<[string, unknown]>([
		['nothing', base],
		['the model', {...base, model: {name: 'n'}}],
		['another key of the gateway', {...base, gateway: {...base.gateway, drain_delay: 2}}],
		['the command of a server', {...base, mcp_servers: {...base.mcp_servers, b: {command: 'z'}}}],
		[
			'an untrusted server, added',
			{...base, mcp_servers: {...base.mcp_servers, c: {url: 'https://h', trust: 'untrusted'}}},
		],
	])('but they may change %s', (_what, after) => {
		expect(refusal(base, after)).toBeUndefined();
	});
});

test('without it commands may change all of that', () => {
	expect(refusal({...base, approvals: {}}, {})).toBeUndefined();
	expect(refusal({}, {approvals: {cli: 'deny'}})).toBeUndefined();
});

test('an invalid `approvals` counts as the strictest one', () => {
	expect(refusal({approvals: {clii: 'deny'}}, {})).toBe('commands_denied');
});
