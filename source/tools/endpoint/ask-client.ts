import {
	type ElicitRequestParams,
	type ElicitResult,
	type Server,
	type ServerContext,
} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {type AskCaller, type AskingMode} from '../../approvals/ask-caller.ts';
import {type Question, type QuestionOutcome} from '../../approvals/question-queue.ts';
import {noSdkTimeout} from '../../mcp/protocol/handshake.ts';
import {answerSchema} from '../../mcp/server-requests/form-values.ts';
import {type FormField} from '../../state/person-event.ts';
import {followSignal} from '../../util/abort-signal.ts';
import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {errorText, Problem} from '../../util/problem.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {safeText} from '../../util/safe-text.ts';
import {type EndpointTools} from './endpoint-tools.ts';

const declaredSchema = z.looseObject({
	elicitation: z.looseObject({form: z.unknown(), url: z.unknown()}).partial().optional(),
});

/** The requests that a client can put to its person, by its declared capabilities; none unless its entry allows that (docs/endpoint.md, Questions of servers). */
export function askingModes(
	{elicitation}: Pick<EndpointTools, 'elicitation'>,
	capabilities: unknown,
): ReadonlySet<AskingMode> {
	const declared = elicitation === 'asked' ? declaredSchema.safeParse(capabilities).data?.elicitation : undefined;
	if (!declared) {
		return new Set();
	}

	// Before there were modes, a client declared an empty object for forms.
	const hasForms = declared.form !== undefined || declared.url === undefined;
	return new Set([...(hasForms ? (['form'] as const) : []), ...(declared.url === undefined ? [] : (['url'] as const))]);
}

/** A question in the form of the protocol. Known secrets in it are masked. */
export function elicitParams(
	{message, fields, url}: Pick<Question, 'message' | 'fields' | 'url'>,
	elicitationId: string,
	redact: (text: string) => string,
): ElicitRequestParams {
	return redactTexts(
		url
			? ({mode: 'url', message, url: url.address, elicitationId} as const)
			: ({mode: 'form', message, requestedSchema: formSchema(fields)} as const),
		redact,
	);
}

type FormSchema = Extract<ElicitRequestParams, {requestedSchema: unknown}>['requestedSchema'];

/** The form as it would be shown here, so that a client never shows more of it than a console does. */
function formSchema(fields: readonly FormField[]): FormSchema {
	const {properties} = answerSchema(fields);
	const named = isJsonObject(properties) ? properties : {};
	const described = fields.map(field => [field.name, describedField(field, named[field.name])]);
	const required = fields.filter(({need}) => need === 'required').map(({name}) => name);
	// Each field is one that the protocol allows: `elicitation-form.ts` has read it.
	return {type: 'object', properties: Object.fromEntries(described), ...(required.length > 0 && {required})};
}

function describedField(field: FormField, schema: unknown): JsonObject {
	const {title, description} = field;
	return {
		...(isJsonObject(schema) && withTitles(field, schema)),
		title,
		...(description !== '' && {description}),
		...('defaultValue' in field && field.defaultValue !== undefined && {default: defaultOf(field.defaultValue)}),
	};
}

function defaultOf(value: string | number | boolean | readonly string[]) {
	return typeof value === 'object' ? [...value] : value;
}

/** Values with titles of their own are listed with them. */
function withTitles(field: FormField, schema: JsonObject): JsonObject {
	if (
		(field.kind !== 'choice' && field.kind !== 'choices') ||
		field.options.every(({value, title}) => value === title)
	) {
		return schema;
	}

	const {enum: _, items: _items, uniqueItems: _unique, ...rest} = schema;
	const titled = field.options.map(({value, title}) => ({const: value, title}));
	return field.kind === 'choice' ? {...rest, oneOf: titled} : {...rest, items: {anyOf: titled}};
}

/** The outcome that the answer of a client means. */
export function clientOutcome(
	{action, content}: Pick<ElicitResult, 'action'> & {readonly content?: unknown},
	by: string,
): QuestionOutcome {
	switch (action) {
		case 'accept':
			return {kind: 'answered', values: isJsonObject(content) ? content : {}, by};
		case 'decline':
			return {kind: 'declined', by};
		case 'cancel':
			return {kind: 'cancelled', by};
	}
}

/** The client of a call, as the answers of its person are signed. */
export function clientName({caller}: Pick<EndpointTools, 'caller'>): string {
	return 'name' in caller ? `client ${caller.name}` : 'client';
}

/** Asks a client of the older era through its session, on the stream of the call that the question is about. */
export function askInSession(
	tools: EndpointTools,
	modes: ReadonlySet<AskingMode>,
	{server, mcpReq}: {readonly server: Server; readonly mcpReq: ServerContext['mcpReq']},
): AskCaller {
	return {
		modes,
		async ask(question, {timeoutSeconds, signal, elicitationId}) {
			const ending = new AbortController();
			const endFollowing = signal && followSignal(ending, signal);
			const limit = {kind: 'for', milliseconds: timeoutSeconds * 1000} as const;
			const timer = tools.time.after(limit, () => ending.abort(new Problem('call_timeout')));
			try {
				const params = elicitParams(question, elicitationId, tools.redact);
				const request = {method: 'elicitation/create', params} as const;
				const answer = await mcpReq.send(request, {signal: ending.signal, timeout: noSdkTimeout});
				return clientOutcome(answer, clientName(tools));
			} catch (caught) {
				if (signal?.aborted) {
					return {kind: 'cancelled'};
				}

				return ending.signal.aborted
					? {kind: 'timed_out'}
					: {kind: 'no_channel', message: safeText(errorText(caught), {maximumCharacters: 300})};
			} finally {
				timer.cancel();
				endFollowing?.();
			}
		},
		finished(elicitationId) {
			const notification = {method: 'notifications/elicitation/complete', params: {elicitationId}} as const;
			// The stream of the call is gone once the call has ended.
			mcpReq
				.notify(notification)
				.catch(() => server.notification(notification))
				.catch(() => undefined);
		},
	};
}
