import {type ElicitRequestParams, type ElicitResult} from '@modelcontextprotocol/client';
import * as z from 'zod';
import {type HoldCheck} from '../../approvals/hold.ts';
import {type AskPerson, type QuestionOutcome, type ValuesCheck} from '../../approvals/question-queue.ts';
import {type FormField} from '../../state/person-event.ts';
import {prepareSchema} from '../../util/json-schema.ts';
import {isJsonObject, type JsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';
import {safeText} from '../../util/safe-text.ts';
import {readForm} from './elicitation-form.ts';
import {type OpenRequests} from './open-requests.ts';

export type ElicitationOptions = {
	readonly server: string;
	readonly timeoutSeconds: number;
	readonly askPerson: AskPerson;
	readonly hold: Pick<HoldCheck, 'pass'>;
	readonly requests: Pick<OpenRequests, 'origin' | 'onBehalf' | 'whileAsking'>;
	/** Logs a line about the server. */
	readonly warn: (text: string) => void;
};

/** The values that the protocol allows in a response; the form allows no others. */
const contentSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));

const maxMessageCharacters = 4000;

/** A server with more open requests than this is not waiting for responses. */
const maxOpenForms = 5;

/** Answers an elicitation request of a server (docs/tool-servers.md, Elicitation). Never rejects. */
export type Elicit = (params: ElicitRequestParams, signal: AbortSignal) => Promise<ElicitResult>;

/**
Builds the handler of one server: a form is shown to the person, a URL is declined without asking. The server learns whether the form was
accepted, declined or cancelled; timeouts and missing consoles count as cancelled.
*/
export function createElicitation(options: ElicitationOptions): Elicit {
	const {server, timeoutSeconds, askPerson, hold, requests, warn} = options;
	let open = 0;

	const ask = async (message: string, fields: readonly FormField[], signal: AbortSignal): Promise<ElicitResult> => {
		const origin = requests.origin();
		if (!origin) {
			warn('it asked a person something while no call was under way, so nobody was asked');
			return {action: 'cancel'};
		}

		if (open >= maxOpenForms) {
			warn(`it already had ${maxOpenForms} forms waiting, so nobody was asked`);
			return {action: 'cancel'};
		}

		open++;
		try {
			const check = await valuesCheck(fields);
			const shown = safeText(message, {maximumCharacters: maxMessageCharacters, multiline: true});
			const question = {kind: 'elicitation', asker: safeText(server), message: shown, fields, origin} as const;
			return await requests.onBehalf(signal, async signal => {
				const outcome = await requests.whileAsking(() => askPerson(question, {timeoutSeconds, signal, check}));
				// A person may answer while everything is held; the server gets it after the release.
				const work = {kind: 'elicitation', server, tool: 'elicitation/create', origin} as const;
				const passed = await hold.pass(work, {signal}).catch(() => 'withdrawn' as const);
				return passed === 'withdrawn' ? {action: 'cancel'} : elicitResult(outcome);
			});
		} finally {
			open--;
		}
	};

	return async (params, signal) => {
		if (params.mode === 'url') {
			warn('it asked a person to open an address; such requests are always declined');
			return {action: 'decline'};
		}

		const requested: unknown = params.requestedSchema;
		const form = isJsonObject(requested)
			? readForm(requested)
			: ({kind: 'refused', reason: 'it is not a form'} as const);
		if (form.kind === 'refused') {
			warn(`it asked with a form that cannot be shown: ${form.reason}`);
			return {action: 'decline'};
		}

		return ask(params.message, form.fields, signal);
	};
}

/** Checks the values of a form against the form that the person was shown. */
export async function valuesCheck(fields: readonly FormField[]): Promise<(values: JsonObject) => ValuesCheck> {
	const schema = await prepareSchema(answerSchema(fields));
	return values => {
		const complete = completeAnswer(fields, values);
		const problem = schema.kind === 'ready' ? schema.problemOf(complete) : schema.reason;
		return problem === undefined ? {kind: 'fit', values: complete} : {kind: 'unfit', problem};
	};
}

function elicitResult(outcome: QuestionOutcome): ElicitResult {
	switch (outcome.kind) {
		case 'answered':
			return {action: 'accept', content: contentSchema.parse(outcome.values)};
		case 'declined':
			return {action: 'decline'};
		case 'cancelled':
		case 'timed_out':
		case 'no_channel':
			return {action: 'cancel'};
	}
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
