import {expect, test} from 'vitest';
import {type JsonObject} from '../../../source/util/json-text.ts';
import {schemaFields} from '../../../source/tui/state/schema-fields.ts';

const one = (property: JsonObject) => schemaFields({type: 'object', properties: {x: property}})[0];

test.each<readonly [JsonObject, object]>([
	[
		{type: 'string', minLength: 1, maxLength: 9, default: 'a'},
		{kind: 'text', minimumLength: 1, maximumLength: 9, defaultValue: 'a'},
	],
	[
		{type: 'integer', minimum: 1, maximum: 5},
		{kind: 'integer', minimum: 1, maximum: 5},
	],
	[
		{type: 'number', default: 1.5},
		{kind: 'number', defaultValue: 1.5},
	],
	[
		{type: 'boolean', default: true},
		{kind: 'boolean', defaultValue: true},
	],
	[
		{enum: ['a', 'b']},
		{
			kind: 'choice',
			options: [
				{value: 'a', title: 'a'},
				{value: 'b', title: 'b'},
			],
		},
	],
	[{enum: [1, 2]}, {kind: 'json'}],
	[
		{type: 'array', items: {enum: ['a']}, minItems: 1},
		{kind: 'choices', minimumItems: 1},
	],
	[{type: 'array', items: {type: 'string'}}, {kind: 'json'}],
	[{type: ['string', 'null']}, {kind: 'json'}],
	[{type: 'string', default: 7}, {kind: 'text'}],
	[
		{$ref: '#/$defs/y', default: {a: 1}},
		{kind: 'json', defaultValue: {a: 1}},
	],
])('%j becomes a field %j', (property, field) => {
	expect(one(property)).toMatchObject(field);
});

test('what is required is needed', () => {
	const fields = schemaFields({properties: {a: {type: 'string'}, b: {type: 'string'}}, required: ['b']});
	expect(fields.map(({name, need}) => [name, need])).toEqual([
		['a', 'optional'],
		['b', 'required'],
	]);
});

test('words of the server are safe to show', () => {
	expect(one({type: 'string', title: 'a\u202Eb', description: '\u001B[2J'})).toMatchObject({
		title: 'a‹U+202E›b',
		description: '␛[2J',
	});
});

test.each<JsonObject | undefined>([undefined, {}, {properties: 'x'}, {properties: {x: 7}}])(
	'a schema like %j is no error',
	schema => {
		expect(schemaFields(schema).length).toBeLessThan(2);
	},
);
