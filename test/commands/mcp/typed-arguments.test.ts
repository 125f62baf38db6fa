import {expect, test} from 'vitest';
import {readAssignments, typedArguments} from '../../../source/commands/cli/typed-arguments.ts';
import {type JsonObject} from '../../../source/util/json-text.ts';

const typed = (schema: JsonObject, ...words: readonly string[]) =>
	typedArguments(readAssignments(words, 'sluice mcp call NAME'), schema);

test('schemas that refer to one another are visited once each', () => {
	const names = Array.from({length: 30}, (_, index) => `s${index}`);
	const alternatives = names.map(name => ({$ref: `#/$defs/${name}`}));
	const schema: JsonObject = {
		properties: {count: {$ref: '#/$defs/s0'}},
		$defs: Object.fromEntries(names.map(name => [name, {anyOf: [...alternatives, {type: 'integer'}]}])),
	};
	expect(typed(schema, 'count=3')).toEqual({count: 3});
	expect(() => typed(schema, 'count=many')).toThrow('must be an integer');
});
