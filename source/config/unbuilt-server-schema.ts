import {z} from 'zod';
import {boolLike} from './bool-like.ts';
import {field} from './field-rule.ts';
import {numberLike} from './number-like.ts';
import {text, textList} from './text-like.ts';

const samplingSchema = z.strictObject({
	enabled: boolLike('Servers may ask the configured model.', true),
	model: text('Which model answers.'),
	max_tokens_cap: numberLike('Most tokens of one answer.', {fallback: 4096, minimum: 1, whole: true}),
	timeout: numberLike('How long one answer may take, in seconds.', {fallback: 30, minimum: 0, unit: 'seconds'}),
	max_rpm: numberLike('Requests per minute.', {fallback: 10, minimum: 0, whole: true}),
	max_tool_rounds: numberLike('Tool rounds of one request.', {fallback: 5, minimum: 0, whole: true}),
	allowed_models: textList('Models a server may name; empty: any.'),
});

const elicitationSchema = z.strictObject({
	enabled: boolLike('Servers may ask a person.', true),
	timeout: numberLike('How long the person has, in seconds.', {fallback: 300, minimum: 0, unit: 'seconds'}),
});

function mapping<Shape extends z.ZodObject>(schema: Shape, description: string) {
	return field(schema, {description, allowed: `a mapping with ${Object.keys(schema.shape).join(', ')}`}).optional();
}

/** Keys of a server entry that are known and checked, but have no effect yet: see not-supported-yet.ts. */
export const unbuiltServerShape = {
	sampling: mapping(samplingSchema, 'Whether the server may ask the configured model.'),
	elicitation: mapping(elicitationSchema, 'Whether the server may ask a person.'),
};
