import {describe, expect, test} from 'vitest';
import {readForm} from '../../../source/mcp/server-requests/elicitation-form.ts';
import {answerSchema, completeAnswer} from '../../../source/mcp/server-requests/form-values.ts';
import {prepareSchema} from '../../../source/util/json-schema.ts';
import {type JsonObject, parseJson} from '../../../source/util/json-text.ts';

function fieldsOf(properties: JsonObject, required: readonly string[] = []) {
	const form = readForm({type: 'object', properties, required});
	if (form.kind === 'refused') {
		throw new Error(form.reason);
	}

	return form.fields;
}

/** The fault of an answer to one field called `x`; undefined when it fits. */
async function problemOf(field: JsonObject, answer: JsonObject, required: readonly string[] = []) {
	const fields = fieldsOf({x: field}, required);
	const check = await prepareSchema(answerSchema(fields));
	return check.kind === 'ready' ? check.problemOf(completeAnswer(fields, answer)) : check.reason;
}

const titled = [
	{const: 'a', title: 'First'},
	{const: 'b', title: 'Second'},
];

describe('a field becomes', () => {
	test.each<readonly [string, JsonObject, object]>([
		['a text', {type: 'string', minLength: 1, maxLength: 5}, {kind: 'text', minimumLength: 1, maximumLength: 5}],
		['a text with a format', {type: 'string', format: 'email'}, {kind: 'text', format: 'email'}],
		['a number', {type: 'number', minimum: 0.5, default: 1.5}, {kind: 'number', minimum: 0.5, defaultValue: 1.5}],
		['an integer', {type: 'integer', maximum: 9, default: 2}, {kind: 'integer', maximum: 9, defaultValue: 2}],
		['a switch', {type: 'boolean', default: false}, {kind: 'boolean', defaultValue: false}],
		[
			'a choice of plain values',
			{type: 'string', enum: ['a', 'b'], default: 'b'},
			{
				kind: 'choice',
				options: [
					{value: 'a', title: 'a'},
					{value: 'b', title: 'b'},
				],
				defaultValue: 'b',
			},
		],
		[
			'a choice with names',
			{type: 'string', enum: ['a', 'b'], enumNames: ['First']},
			{
				kind: 'choice',
				options: [
					{value: 'a', title: 'First'},
					{value: 'b', title: 'b'},
				],
			},
		],
		[
			'a choice with titles',
			{type: 'string', oneOf: titled},
			{
				kind: 'choice',
				options: [
					{value: 'a', title: 'First'},
					{value: 'b', title: 'Second'},
				],
			},
		],
		[
			'several choices',
			{type: 'array', items: {type: 'string', enum: ['a', 'b']}, minItems: 1, default: ['b']},
			{
				kind: 'choices',
				options: [
					{value: 'a', title: 'a'},
					{value: 'b', title: 'b'},
				],
				minimumItems: 1,
				defaultValue: ['b'],
			},
		],
		[
			'several choices with titles',
			{type: 'array', items: {anyOf: titled}, maxItems: 1},
			{
				kind: 'choices',
				options: [
					{value: 'a', title: 'First'},
					{value: 'b', title: 'Second'},
				],
				maximumItems: 1,
			},
		],
	])('%s', (_, field, expected) => {
		expect(fieldsOf({x: field})).toEqual([{...expected, name: 'x', title: 'x', description: '', need: 'optional'}]);
	});

	test('required where the form says so', () => {
		expect(fieldsOf({x: {type: 'string'}}, ['x'])).toMatchObject([{need: 'required'}]);
	});

	test('what its texts say, made safe', () => {
		expect(fieldsOf({x: {type: 'string', title: 'A\u202E', description: 'B\u0007'}})).toMatchObject([
			{title: 'A‹U+202E›', description: 'B␇'},
		]);
	});

	test.each([
		['one of another type', {type: 'integer', default: 'two'}],
		['one that is no option', {type: 'string', enum: ['a'], default: 'b'}],
		['one that cannot be seen', {type: 'string', default: 'a\u200Bb'}],
	])('filled without a default when that is %s', (_, field) => {
		expect(fieldsOf({x: field})[0]).not.toHaveProperty('defaultValue');
	});
});

describe('a form is refused', () => {
	test.each<readonly [string, JsonObject, RegExp]>([
		['that is nested', {x: {type: 'object', properties: {}}}, /is not a text, number, switch or choice/u],
		[
			'with a list of anything',
			{x: {type: 'array', items: {type: 'number'}}},
			/is not a text, number, switch or choice/u,
		],
		['with a name that cannot be seen', {'x\u200B': {type: 'string'}}, /name of a field cannot be used/u],
		['with an empty name', {'': {type: 'string'}}, /name of a field cannot be used/u],
		['with the name constructor', {constructor: {type: 'string'}}, /cannot be used: "constructor"/u],
		['with a choice that cannot be seen', {x: {type: 'string', enum: ['a\u202E']}}, /choice that cannot be shown/u],
		['with nothing to choose', {x: {type: 'string', enum: []}}, /0 choices/u],
		[
			'with too much to choose',
			{x: {type: 'string', enum: Array.from({length: 201}, (_, index) => String(index))}},
			/201 choices; 1 to 200/u,
		],
		['of huge texts', {x: {type: 'string', description: 'x'.repeat(100_000)}}, /larger than 100000 characters/u],
	])('%s', (_, properties, reason) => {
		const form = readForm({type: 'object', properties});
		expect(form).toEqual({kind: 'refused', reason: expect.stringMatching(reason)});
	});

	test('with a field called __proto__', () => {
		const properties = parseJson('{"__proto__": {"type": "string"}}') as JsonObject;
		expect(readForm({type: 'object', properties})).toMatchObject({reason: expect.stringContaining('__proto__')});
	});

	test('that requires what it does not have', () => {
		expect(readForm({type: 'object', properties: {}, required: ['x']})).toMatchObject({kind: 'refused'});
	});

	test('that is none', () => {
		expect(readForm({type: 'array'})).toMatchObject({kind: 'refused'});
	});
});

describe('an answer', () => {
	type Row = {readonly what: string; readonly field: JsonObject; readonly answer: JsonObject; readonly problem: RegExp};

	test.each<Row>([
		{what: 'that fits', field: {type: 'string'}, answer: {x: 'a'}, problem: /^$/u},
		{what: 'that is too short', field: {type: 'string', minLength: 2}, answer: {x: 'a'}, problem: /fewer than 2/u},
		{what: 'that is too long', field: {type: 'string', maxLength: 2}, answer: {x: 'abc'}, problem: /more than 2/u},
		{
			what: 'that is no e-mail address',
			field: {type: 'string', format: 'email'},
			answer: {x: 'a'},
			problem: /"email"/u,
		},
		{what: 'that is no day', field: {type: 'string', format: 'date'}, answer: {x: '2026-02-30'}, problem: /"date"/u},
		{what: 'below the minimum', field: {type: 'number', minimum: 1}, answer: {x: 0}, problem: />= 1/u},
		{what: 'that is no whole number', field: {type: 'integer'}, answer: {x: 1.5}, problem: /integer/u},
		{what: 'that is no option', field: {type: 'string', enum: ['a']}, answer: {x: 'b'}, problem: /allowed values/u},
		{
			what: 'with too few choices',
			field: {type: 'array', items: {type: 'string', enum: ['a']}, minItems: 1},
			answer: {x: []},
			problem: /fewer/u,
		},
		{
			what: 'with one choice twice',
			field: {type: 'array', items: {type: 'string', enum: ['a']}},
			answer: {x: ['a', 'a']},
			problem: /duplicate/u,
		},
		{
			what: 'with a field nobody asked for',
			field: {type: 'string'},
			answer: {x: 'a', y: 'b'},
			problem: /additional properties/u,
		},
	])('$what', async ({field, answer, problem}) => {
		expect((await problemOf(field, answer)) ?? '').toMatch(problem);
	});

	test('without a required field does not fit', async () => {
		expect(await problemOf({type: 'string'}, {}, ['x'])).toMatch(/required property 'x'/u);
	});

	test('gets the default of a field it leaves out', () => {
		expect(completeAnswer(fieldsOf({x: {type: 'integer', default: 3}}), {})).toEqual({x: 3});
	});

	test('keeps a field empty that was emptied on purpose', () => {
		expect(completeAnswer(fieldsOf({x: {type: 'integer', default: 3}}), {x: null})).toEqual({});
	});
});
