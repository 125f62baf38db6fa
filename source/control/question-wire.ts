import {type QuestionJson} from '../state/json/question.ts';
import {z} from 'zod';
import {type AskedUrl, type FormField, type QuestionDetails, questionKinds} from '../state/person-event.ts';
import {questionFields} from '../state/entities/question.ts';
import {isJsonObject, type JsonObject} from '../util/json-text.ts';
import {snakeCase} from '../util/snake-case.ts';
import {rowToJson, schemaOf} from './entity-json.ts';
import {originToJson} from './history-wire.ts';

/** `questions list --json`, one row. Times are milliseconds since the epoch. */
export const questionJson = schemaOf(questionFields, 'row');

const isForm = (value: unknown): value is FormField =>
	isJsonObject(value) && typeof value['name'] === 'string' && typeof value['kind'] === 'string';

const isUrl = (value: unknown): value is AskedUrl =>
	isJsonObject(value) && typeof value['address'] === 'string' && typeof value['host'] === 'string';

/** A waiting question with its form, to be asked field by field. */
export const askedQuestionJson = z.object({
	id: z.string(),
	kind: z.enum(questionKinds),
	asker: z.string(),
	message: z.string(),
	fields: z.array(z.custom<FormField>(isForm, 'Expected a field')),
	url: z.custom<AskedUrl>(isUrl, 'Expected an address').nullable().default(null),
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
	z.object({
		kind: z.literal('accept'),
		values: z.custom<JsonObject>(isJsonObject, 'Expected an object'),
		open: z.string().optional(),
	}),
	z.object({kind: z.literal('decline')}),
	z.object({kind: z.literal('cancel')}),
]);

/** A row of `questions list`. */
export function questionToJson(question: QuestionDetails): QuestionJson {
	return rowToJson(questionFields, question, {
		fields: question.fields.map(({name, title, description, need, kind, ...bounds}) => ({
			...Object.fromEntries(Object.entries(bounds).map(([key, value]) => [snakeCase(key), value])),
			name,
			title,
			description,
			required: need === 'required',
			kind,
		})),
		url: question.url?.address,
		origin: originToJson(question.origin),
	});
}
