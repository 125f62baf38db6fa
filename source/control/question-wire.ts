import {type QuestionJson} from '../state/json/question.ts';
import {z} from 'zod';
import {type FormField, type QuestionDetails} from '../state/person-event.ts';
import {isJsonObject, type JsonObject} from '../util/json-text.ts';
import {originToJson} from './history-wire.ts';

/** `questions list --json`, one row. Times are milliseconds since the epoch. */
export const questionJson = z.object({
	id: z.string(),
	kind: z.enum(['elicitation', 'clarify']),
	/** The asker: the name of a server, or the run. */
	asker: z.string(),
	message: z.string(),
	/** Kind, bounds, options and default of each value that is asked for. */
	fields: z.array(
		z.looseObject({
			name: z.string(),
			title: z.string(),
			description: z.string(),
			required: z.boolean(),
			kind: z.string(),
		}),
	),
	origin: z.looseObject({kind: z.string()}),
	/** The gateway that asks, where several share a journal. */
	node: z.string().optional(),
	requested_at: z.number(),
	expires_at: z.number(),
});

const isForm = (value: unknown): value is FormField =>
	isJsonObject(value) && typeof value['name'] === 'string' && typeof value['kind'] === 'string';

/** A waiting question with its form, to be asked field by field. */
export const askedQuestionJson = z.object({
	id: z.string(),
	kind: z.enum(['elicitation', 'clarify']),
	asker: z.string(),
	message: z.string(),
	fields: z.array(z.custom<FormField>(isForm, 'Expected a field')),
});

/** The earlier end of a question; null if the gateway does not know it. */
export const questionEndJson = z
	.object({
		outcome: z.enum(['answered', 'declined', 'cancelled', 'timed_out', 'no_channel']),
		by: z.string().nullable(),
	})
	.nullable();

/** An answer to a question. */
export const questionAnswerJson = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('accept'), values: z.custom<JsonObject>(isJsonObject, 'Expected an object')}),
	z.object({kind: z.literal('decline')}),
	z.object({kind: z.literal('cancel')}),
]);

/** A row of `questions list`. */
export function questionToJson(question: QuestionDetails): QuestionJson {
	const {id, kind, asker, message, fields, origin, node, requestedAt, expiresAt} = question;
	return {
		id,
		kind,
		asker,
		message,
		fields: fields.map(({name, title, description, need, kind: fieldKind, ...bounds}) => ({
			...Object.fromEntries(Object.entries(bounds).map(([key, value]) => [snakeCase(key), value])),
			name,
			title,
			description,
			required: need === 'required',
			kind: fieldKind,
		})),
		origin: originToJson(origin),
		...(node !== undefined && {node}),
		requested_at: requestedAt,
		expires_at: expiresAt,
	};
}

/** `minimumLength` as `minimum_length`. */
function snakeCase(name: string): string {
	return name.replaceAll(/[A-Z]/gu, letter => `_${letter.toLowerCase()}`);
}
