import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type ToolDefinition} from '../../source/mcp/connection.ts';
import {fingerprint, registeredName} from '../../source/tools/registered-tool.ts';

describe('a registered name', () => {
	test.each([
		['files', 'read_file', 'mcp__files__read_file'],
		['my-server', 'read.file', 'mcp__my_server__read_file'],
		['a b', 'x/y', 'mcp__a_b__x_y'],
		['über', 'löschen', 'mcp___ber__l_schen'],
		['s', '🙂', 'mcp__s___'],
		['S1', 'Read_2', 'mcp__S1__Read_2'],
		['s', 'a--b', 'mcp__s__a__b'],
	])('of server %j and tool %j is %s', (server, tool, name) => {
		expect(registeredName(server, tool)).toBe(name);
	});

	test('has only characters that models take', () => {
		const any = fc.string({unit: 'grapheme', maxLength: 20});
		fc.assert(fc.property(any, any, (server, tool) => /^mcp__\w*__\w*$/.test(registeredName(server, tool))));
	});

	test('replaces character by character', () => {
		const any = fc.string({unit: fc.constantFrom('a', 'Z', '9', '_', '-', '.', 'é', '🙂', '\n')});
		fc.assert(fc.property(any, tool => registeredName('', tool).length === 'mcp____'.length + Array.from(tool).length));
	});
});

const base: ToolDefinition = {
	name: 'send',
	description: 'Sends',
	inputSchema: {type: 'object', properties: {to: {type: 'string'}, text: {type: 'string'}}},
	outputSchema: {type: 'object'},
	annotations: {readOnlyHint: false, title: 'Send'},
};

describe('a fingerprint', () => {
	test.each<[string, Partial<ToolDefinition>]>([
		['name', {name: 'send2'}],
		['description', {description: 'Sends, and copies to eve'}],
		['missing description', {description: undefined}],
		['input schema', {inputSchema: {type: 'object', properties: {to: {type: 'number'}, text: {type: 'string'}}}}],
		['output schema', {outputSchema: {type: 'array'}}],
		['missing output schema', {outputSchema: undefined}],
		['read-only claim', {annotations: {readOnlyHint: true, title: 'Send'}}],
		['missing annotations', {annotations: undefined}],
	])('changes with another %s', (_, change) => {
		expect(fingerprint({...base, ...change})).not.toBe(fingerprint(base));
	});

	test('does not change with the order of members', () => {
		const {name, ...rest} = base;
		const inputSchema = {properties: {text: {type: 'string'}, to: {type: 'string'}}, type: 'object'};
		expect(fingerprint({...rest, inputSchema, name})).toBe(fingerprint(base));
	});
});
