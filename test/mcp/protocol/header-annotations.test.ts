import {describe, expect, test} from 'vitest';
import {headerFault} from '../../../source/mcp/protocol/header-annotations.ts';
import {type JsonObject} from '../../../source/util/json-text.ts';

const region = {type: 'string', 'x-mcp-header': 'Region'};

describe('annotations are valid', () => {
	test.each<readonly [string, JsonObject]>([
		['where there are none', {type: 'object', properties: {a: {type: 'string'}}}],
		['on a string', {properties: {a: region}}],
		['on an integer', {properties: {a: {type: 'integer', 'x-mcp-header': 'A'}}}],
		['on a boolean', {properties: {a: {type: 'boolean', 'x-mcp-header': 'A'}}}],
		['on a property of a property', {properties: {a: {type: 'object', properties: {b: region}}}}],
		['when an argument only has that name', {properties: {'x-mcp-header': {type: 'string'}}}],
		['when they stand in a default', {properties: {a: {type: 'object', default: {'x-mcp-header': ''}}}}],
	])('%s', (_, schema) => {
		expect(headerFault(schema)).toBeUndefined();
	});
});

describe('annotations are not valid', () => {
	test.each<readonly [string, JsonObject, RegExp]>([
		['that are empty', {properties: {a: {type: 'string', 'x-mcp-header': ''}}}, /not a valid header name/u],
		['that are no text', {properties: {a: {type: 'string', 'x-mcp-header': 1}}}, /not a valid header name/u],
		['with a blank', {properties: {a: {type: 'string', 'x-mcp-header': 'My Region'}}}, /not a valid header name/u],
		['with a line break', {properties: {a: {type: 'string', 'x-mcp-header': 'A\r\nB'}}}, /not a valid header name/u],
		[
			'with another alphabet',
			{properties: {a: {type: 'string', 'x-mcp-header': 'Région'}}},
			/not a valid header name/u,
		],
		['on a number', {properties: {a: {type: 'number', 'x-mcp-header': 'A'}}}, /something other/u],
		['on an object', {properties: {a: {type: 'object', 'x-mcp-header': 'A'}}}, /something other/u],
		['twice', {properties: {a: region, b: {type: 'string', 'x-mcp-header': 'REGION'}}}, /twice/u],
		['on the schema itself', {type: 'object', 'x-mcp-header': 'A'}, /in a place that no argument is read from/u],
		['inside a list', {properties: {a: {type: 'array', items: region}}}, /in a place that no argument is read from/u],
		['in an alternative', {anyOf: [{properties: {a: region}}]}, /in a place that no argument is read from/u],
		['in a definition', {$defs: {a: region}}, /in a place that no argument is read from/u],
	])('%s', (_, schema, fault) => {
		expect(headerFault(schema)).toMatch(fault);
	});
});

test('a schema of any depth is walked', () => {
	let schema: JsonObject = region;
	for (let depth = 0; depth < 100_000; depth++) {
		schema = {properties: {a: schema}};
	}

	expect(headerFault(schema)).toBeUndefined();
});
