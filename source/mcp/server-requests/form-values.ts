import {type ValuesCheck} from '../../approvals/question-queue.ts';
import {type FormField} from '../../state/person-event.ts';
import {prepareSchema} from '../../util/json-schema.ts';
import {type JsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';

/** Checks the values of a form against the form that the person was shown. */
export async function valuesCheck(fields: readonly FormField[]): Promise<(values: JsonObject) => ValuesCheck> {
	const schema = await prepareSchema(answerSchema(fields));
	return values => {
		const complete = completeAnswer(fields, values);
		const problem = schema.kind === 'ready' ? schema.problemOf(complete) : schema.reason;
		return problem === undefined ? {kind: 'fit', values: complete} : {kind: 'unfit', problem};
	};
}

/** The schema that responses to a form must match; built from what the person was shown, not from the server's schema. */
export function answerSchema(fields: readonly FormField[]): JsonObject {
	return {
		type: 'object',
		properties: Object.fromEntries(fields.map(field => [field.name, fieldSchema(field)])),
		required: fields.filter(field => field.need === 'required').map(field => field.name),
		additionalProperties: false,
	};
}

/** The response with the defaults of omitted fields. A null field was cleared on purpose and is left out. */
export function completeAnswer(fields: readonly FormField[], answer: JsonObject): JsonObject {
	const known = fields.flatMap(field => {
		const value = ownMember(answer, field.name) ?? (Object.hasOwn(answer, field.name) ? undefined : field.defaultValue);
		return value === undefined || value === null ? [] : [[field.name, value] as const];
	});
	const names = new Set(fields.map(field => field.name));
	const unknown = Object.entries(answer).filter(([name]) => !names.has(name));
	return Object.fromEntries<JsonValue>([...known, ...unknown]);
}

function fieldSchema(field: FormField): JsonObject {
	switch (field.kind) {
		case 'text': {
			const {format, minimumLength, maximumLength} = field;
			return {
				type: 'string',
				...(format && {format}),
				...(minimumLength !== undefined && {minLength: minimumLength}),
				...(maximumLength !== undefined && {maxLength: maximumLength}),
			};
		}

		case 'number':
		case 'integer': {
			const {kind, minimum, maximum} = field;
			return {type: kind, ...(minimum !== undefined && {minimum}), ...(maximum !== undefined && {maximum})};
		}

		case 'boolean':
			return {type: 'boolean'};
		case 'choice':
			return {type: 'string', enum: field.options.map(option => option.value)};
		case 'choices': {
			const {options, minimumItems, maximumItems} = field;
			return {
				type: 'array',
				items: {type: 'string', enum: options.map(option => option.value)},
				uniqueItems: true,
				...(minimumItems !== undefined && {minItems: minimumItems}),
				...(maximumItems !== undefined && {maxItems: maximumItems}),
			};
		}
	}
}
