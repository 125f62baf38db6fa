import {describe, expect, test} from 'vitest';
import {type ToolDefinition} from '../../source/mcp/connection.ts';
import {fingerprint} from '../../source/tools/fingerprint.ts';

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
