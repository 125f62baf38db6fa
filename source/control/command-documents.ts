import {z} from 'zod';
import {
	type HandshakeJson,
	type RemovedRouteJson,
	type SubscribedJson,
	type WebhookSetupJson,
} from '../state/json/event.ts';
import {type ChangedClientJson, type ClientHeadersJson} from '../state/json/client.ts';
import {type LoggedInJson, type LoginAgainJson, type LogoutJson} from '../state/json/login.ts';
import {type PresetGuideJson} from '../state/json/preset.ts';
import {type ConnectedProgramJson, type DisconnectedProgramJson, type ProgramJson} from '../state/json/program.ts';
import {type ReconnectedServerJson, type RemovedServerJson, type SwitchedServerJson} from '../state/json/server.ts';
import {answeredJson} from './decision-wire.ts';
import {clientFields} from '../state/entities/client.ts';
import {loginFields} from '../state/entities/login.ts';
import {jsonObject, schemaOf} from './entity-json.ts';
import {type DescribedDocument, gatewayDocuments} from './gateway-documents.ts';
import {revocationJson} from './login-wire.ts';
import {uncertainJson} from './run-wire.ts';
import {methods} from './methods.ts';
import {approvalMethods} from './tool-methods.ts';
import {
	callErrorJson,
	callJson,
	cronJobJson,
	deliveryEndJson,
	redeliveryJson,
	replayJson,
	routeRowJson,
	serverJson,
} from './wire.ts';

const name = z.string();
const id = z.string();
const text = z.string();
const texts = z.array(text);
const time = z.number();
const flow = z.enum(['device', 'browser']);

/** The document of every command that could not be done. */
export const errorDocumentJson = z.object({error: callErrorJson});

const probe = {
	state: z.enum(['connected', 'needs-login', 'failed']),
	reason: text.nullable(),
	next_action: text.nullable(),
	transport: z.enum(['stdio', 'http', 'sse']),
	era: z.enum(['legacy', 'stateless']).nullable(),
	protocol_version: text.nullable(),
	latency_ms: z.number().nullable(),
	stderr: texts,
	log: text.nullable(),
	tools: texts,
};

const program: z.ZodType<ProgramJson> = z.object({
	name,
	title: text,
	installed: z.boolean(),
	connected: z.enum(['stdio', 'http']).nullable(),
	file: text.nullable(),
	hook: z.boolean().nullable(),
	servers_beside: texts,
	problem: text.nullable(),
});
const connectedProgram: z.ZodType<ConnectedProgramJson> = z.object({
	name,
	file: text,
	state: z.enum(['connected', 'updated', 'unchanged']),
	way: z.enum(['stdio', 'http']),
	trusted: z.boolean(),
	timeout_seconds: z.number().nullable(),
	hook: text.nullable(),
	servers_beside: texts,
	try: text,
});
const disconnectedProgram: z.ZodType<DisconnectedProgramJson> = z.object({
	name,
	file: text,
	state: z.enum(['restored', 'removed', 'absent']),
});
const removedServer: z.ZodType<RemovedServerJson> = z.object({name, variables: texts, revocation: revocationJson});
const switchedServer: z.ZodType<SwitchedServerJson> = z.object({name, enabled: z.boolean()});
const reconnectedServer: z.ZodType<ReconnectedServerJson> = z.object({name, answer: z.literal('reconnecting')});
const changedClient: z.ZodType<ChangedClientJson> = z.object({name, variables: texts});
const clientHeaders: z.ZodType<ClientHeadersJson> = z.object({Authorization: text});
const loggedIn: z.ZodType<LoggedInJson> = z.object({server: name, outcome: z.literal('succeeded')});
const loginAgain: z.ZodType<LoginAgainJson> = z.object({
	server: name,
	flow,
	outcome: z.enum(['succeeded', 'cancelled', 'failed']),
	reason: text.nullable(),
});
const logout: z.ZodType<LogoutJson> = z.object({server: name, revocation: revocationJson});
const subscribed = z.object({name, url: text, secret: text}) satisfies z.ZodType<SubscribedJson>;
const handshake: z.ZodType<HandshakeJson> = z.object({
	route: name,
	topic: text.nullable(),
	outcome: z.enum(['confirmed', 'failed', 'unknown', 'declined', 'closed']),
	reason: text.nullable(),
});
const webhookSetup: z.ZodType<WebhookSetupJson> = subscribed.extend({
	hook: z.object({state: z.enum(['created', 'updated', 'by_hand']), reason: text.nullable(), page: text}),
});
const presetRow = z.object({
	name,
	provider: text,
	documentation: text,
	header: text.nullable(),
	event_type: text.nullable(),
	delivery_id: text.nullable(),
	answer_seconds: z.number().nullable(),
	retry_seconds: z.number().nullable(),
	verified: text,
});
const presetGuide: z.ZodType<PresetGuideJson> = presetRow.extend({url: text, config: text, steps: texts});
const removedRoute: z.ZodType<RemovedRouteJson> = z.object({name});

const importable = z.object({
	name,
	state: z.enum(['new', 'taken', 'unusable']),
	from: text,
	file: text,
	address: text,
	warnings: texts,
});

const dryRun = z.object({
	route: name,
	event: text,
	status: z.int(),
	outcome: text,
	reason: text.nullable(),
	filters: z.enum(['passed', 'refused', 'not reached']),
	filter: text.nullable(),
	script_output: text.nullable(),
	warnings: texts,
	action: z
		.object({
			kind: z.enum(['agent', 'deliver-only', 'cron-job']),
			cron_job: text.optional(),
			prompt: text,
			deliver: text,
			deliver_extra: jsonObject,
			targets: z.array(z.object({target: text, extra: jsonObject})),
		})
		.optional(),
});

const verdict = z.enum(['allow', 'ask', 'deny']);
const rehearsal = z.object({
	calls: z.int(),
	allow: z.int(),
	ask: z.int(),
	deny: z.int(),
	changed: z.array(z.object({call_id: id, before: verdict, after: verdict, rule: text.nullable()})),
});

const answered = z.object({id, ...answeredJson.shape});
/** The documents of tool servers, their logins and their tools. */
const serverDocuments: Readonly<Record<string, DescribedDocument>> = {
	'mcp show': {schema: serverJson},
	'mcp add': {
		schema: z.object({name, variables: texts}).extend(z.object(probe).partial().shape),
		note: 'With `--no-probe` without the members of the test. `variables` are the names that were written to `.env`.',
	},
	'mcp import': {
		schema: z.union([z.array(importable), z.object({imported: texts, variables: texts})]),
		note: 'The second form with `--all`.',
	},
	'mcp install': {note: 'The exit code is 0 for `installed` alone.'},
	'mcp remove': {schema: removedServer, note: '`variables` are the names that were taken out of `.env`.'},
	'mcp enable': {schema: switchedServer},
	'mcp disable': {schema: switchedServer},
	'mcp reconnect': {schema: reconnectedServer},
	'mcp test': {
		schema: z.object({name, address: text, auth: texts, ...probe}),
		note: '`auth` says which credentials the server gets, masked. The exit code is 1 unless it is connected.',
	},
	'mcp login': {schema: loggedIn},
	'mcp reauth': {schema: z.union([loggedIn, z.array(loginAgain)]), note: 'The second form with `--all`.'},
	'mcp logout': {schema: logout},
	'mcp call': {note: 'An error ends with 1. `structuredContent` is there when there is any.'},
	connect: {
		schema: z.union([z.array(program), connectedProgram, disconnectedProgram]),
		note: 'The second form with a PROGRAM, the third with `--remove`. `timeout_seconds` is null where no key of the program is known.',
	},
	'logins list': {schema: z.array(schemaOf(loginFields, 'row'))},
	'clients list': {schema: z.array(schemaOf(clientFields, 'row'))},
	'clients add': {schema: changedClient},
	'clients rotate': {schema: changedClient},
	'clients remove': {schema: changedClient},
	'clients headers': {schema: clientHeaders, note: 'The document is the same without `--json`.'},
};

/** The documents of approvals, questions and rules. */
const decisionDocuments: Readonly<Record<string, DescribedDocument>> = {
	'approvals allow': {schema: answered, note: 'The exit code is 0 for `resolved` without an `end` alone.'},
	'approvals deny': {schema: answered},
	'questions list': {
		note: 'Each field has also its bounds: `minimum`, `maximum_length` and the like, `options`, `default`.',
	},
	'questions answer': {schema: z.object({id, ...approvalMethods['questions.answer'].result.shape})},
	'rules list': {note: 'A member that a rule leaves out is null.'},
	'rules show': {schema: approvalMethods['rules.list'].result.element},
	'rules add': {
		schema: z.object({
			id,
			answer: z.enum(['added', 'known']),
			words: text,
			rule: jsonObject,
			rehearsal: z.object({calls: z.int(), changed: z.int(), since: time.nullable()}).nullable(),
		}),
		note: '`rehearsal` is null where the recorded calls could not be read.',
	},
	'rules test': {note: '`rule` is the id of the rule that decides.'},
	'rules rehearse': {
		schema: rehearsal,
		note: 'How many recorded calls there are, and how many of them the tried rules would allow, have asked about and deny. `changed` is the newest first, at most 100,000; `rule` decides then, or decided before where none does then.',
	},
	'rules remove': {schema: z.object({id, ...approvalMethods['rules.revoke'].result.shape})},
	'uncertain list': {schema: z.array(uncertainJson.omit({review_hash: true}))},
	'uncertain resolve': {
		schema: z.object({
			id,
			answer: z.enum(['resolved', 'already-settled', 'changed']),
			call: callJson.nullable().optional(),
			end: approvalMethods['uncertain.resolve'].result.shape.end,
		}),
		note: '`call` is the end of the new call, with `--repeat`.',
	},
};

/** The documents of webhooks, jobs and runs. */
const workDocuments: Readonly<Record<string, DescribedDocument>> = {
	'webhook subscribe': {schema: subscribed},
	'webhook handshake': {schema: handshake},
	'webhook setup': {schema: webhookSetup},
	'webhook list': {schema: z.array(routeRowJson.omit({next_action: true}))},
	'webhook show': {schema: routeRowJson.omit({next_action: true})},
	'webhook remove': {schema: removedRoute},
	'webhook presets': {
		schema: z.union([z.array(presetRow), presetGuide]),
		note: 'The second form with a NAME. Times are seconds; null: the documentation of the provider names none.',
	},
	'webhook test': {
		schema: z.union([z.object({status: z.int(), body: z.json()}), dryRun]),
		note: 'The second form with `--dry-run`; `action` is left out where the route would not act, and the exit code is 1.',
	},
	'events list': {
		note: 'With `--follow` one object in a line, until Ctrl-C. `ms` is how long the request took; the row of an event that is kept is written before its answer, so its `ms` is without the time of that write. `webhook.settled` in the log of its own gateway has the whole time.',
	},
	'events show': {
		note: '`detail` of a delivery is the reply of the platform.',
	},
	'events replay': {
		schema: z.union([replayJson, redeliveryJson, z.array(replayJson)]),
		note: 'The second form with `--deliver`, the third without an id.',
	},
	'deliveries list': {
		schema: methods['deliveries.list'].result,
		note: '`parts` and `parts_sent` are null for a message that has a single part. `detail` is the reply of the platform.',
	},
	'deliveries retry': {schema: deliveryEndJson, note: 'The exit code is 1 unless it was sent.'},
	'deliveries cancel': {schema: deliveryEndJson},
	'cron show': {schema: cronJobJson},
	'cron pause': {schema: cronJobJson},
	'cron resume': {schema: cronJobJson},
	'cron remove': {schema: cronJobJson},
	'runs answer': {note: 'With a `reason` the answer was not delivered.'},
	'calls list': {note: '`outcome` is null while a call is under way.'},
};

/** The documents that are not the result of the method of their name alone, by the own name of their command. Documentation and tests alone load them. */
export const describedDocuments: Readonly<Record<string, DescribedDocument>> = {
	...gatewayDocuments,
	...serverDocuments,
	...decisionDocuments,
	...workDocuments,
};

/** The document of a command with `--json`, by its own name; null as a result means that the command has failed. */
export function commandDocument(command: string): DescribedDocument & Required<Pick<DescribedDocument, 'schema'>> {
	const described = describedDocuments[command];
	const [, method] = Object.entries(methods).find(([name]) => name === command.replace(' ', '.')) ?? [];
	const result = method?.result ?? z.never();
	const schema = isNullable(result) ? result.unwrap() : result;
	return {schema, ...described};
}

function isNullable(schema: z.ZodType): schema is z.ZodNullable<z.ZodType> {
	return schema instanceof z.ZodNullable;
}
