import {z} from 'zod';
import {isJsonObject, type JsonObject} from '../util/json-text.ts';
import {eventRunJson, traceJson} from './history-wire.ts';

/** A JSON object whose members are handed on as they are. */
export const jsonObject = z.custom<JsonObject>(isJsonObject, 'Expected an object');

/** `mcp list --json`, one row. */
export const serverJson = z.object({
	name: z.string(),
	profile: z.string(),
	transport: z.enum(['stdio', 'http', 'sse']),
	state: z.enum(['disabled', 'lazy', 'connecting', 'connected', 'needs-login', 'waiting', 'failed', 'stopped']),
	reason: z.string().nullable(),
	next_action: z.string().nullable(),
	/** Number of registered tools. */
	tools: z.int(),
	trust: z.enum(['full', 'untrusted']),
	era: z.enum(['legacy', 'stateless']).nullable(),
	latency_ms: z.number().nullable(),
	/** The last lines of stderr of a failing stdio server; `log` is the file with all of it. */
	stderr: z.array(z.string()).default([]),
	log: z.string().nullable().default(null),
});

/** `mcp tools --json`, one row. */
export const toolJson = z.object({
	name: z.string(),
	server: z.string(),
	tool: z.string(),
	title: z.string().nullable(),
	description: z.string(),
	input_schema: jsonObject,
	read_only: z.boolean(),
	approval: z.enum(['none', 'ask', 'remembered']),
});

/** The error of a call (docs/tool-servers.md, Results); the codes are those of the error table. */
export const callErrorJson = z.object({
	code: z.string(),
	message: z.string(),
	server: z.string().optional(),
	outcome_uncertain: z.literal(true).optional(),
	needs_reauth: z.literal(true).optional(),
});

/** `mcp call --json`. */
export const callJson = z.union([
	z.object({error: callErrorJson}),
	z.object({result: z.string(), structuredContent: jsonObject.optional()}),
]);

/**
`approvals list --json`, one row. Texts in the arguments are exact: text between `‹` and `›` is an escape, or the sign that something
was cut or masked. Times are milliseconds since the epoch.
*/
export const approvalJson = z.object({
	id: z.string(),
	kind: z.string(),
	server: z.string(),
	tool: z.string(),
	arguments: jsonObject,
	/** Of the arguments that are sent. */
	arguments_hash: z.string(),
	origin: z.looseObject({kind: z.string()}),
	/** The gateway that asks, where several share a journal. */
	node: z.string().optional(),
	requested_at: z.number(),
	expires_at: z.number(),
	/** The arguments as they are sent, as JSON; how many bytes of that are missing here; how many values are masked. */
	sent_bytes: z.int(),
	cut_bytes: z.int(),
	masked_values: z.int(),
	/** The number of sent characters that a reader may take for others. */
	marked_characters: z.int().default(0),
});

/** `rules list --json`, one row: a rule of config.yaml, one that was stored from a card, or a remembered approval. */
export const ruleJson = z.object({
	id: z.string(),
	source: z.enum(['config', 'stored']),
	action: z.enum(['allow', 'ask', 'deny']),
	/** Null: any. */
	server: z.string().nullable(),
	tool: z.string().nullable(),
	arguments: jsonObject,
	origin: jsonObject.nullable(),
	uses: z.int(),
	last_used_at: z.number().nullable(),
	words: z.string(),
	/** `run`: until its run ends; `session`: until the gateway stops. */
	scope: z.enum(['run', 'session', 'always']),
	/** `void`: the definition of the tool changed since. */
	state: z.enum(['valid', 'void']),
	/** Null for a rule of config.yaml. */
	remembered_at: z.number().nullable(),
});

/** `rules test --json`: what the rules say about a call, and the id of the one that decides. */
export const ruleTestJson = z.object({
	verdict: z.enum(['deny', 'ask', 'allow', 'none']),
	rule: z.string().nullable(),
	undecided: z.boolean(),
});

/** `webhook list --json`, one row, and what to do about it. */
export const routeRowJson = z.object({
	name: z.string(),
	url: z.string(),
	profile: z.string(),
	events: z.array(z.string()).readonly(),
	deliver: z.string(),
	source: z.enum(['config', 'subscription']),
	state: z.enum(['served', 'paused', 'failed', 'shadowed', 'off']),
	reason: z.string().nullable(),
	/** No part of the row that is printed; absent from a gateway of an older version. */
	next_action: z.string().nullable().optional(),
});

/** `events list --json`, one row. */
export const eventRowJson = z.object({
	id: z.string(),
	time: z.number(),
	route: z.string(),
	event: z.string(),
	delivery_id: z.string(),
	status: z.int(),
	outcome: z.string(),
	reason: z.string().nullable(),
	ms: z.number(),
	/** The newest run it led to. */
	run: z.object({id: z.string(), state: z.string()}).nullable(),
	/** Outcomes of the resulting messages, newest first. */
	deliveries: z.array(z.object({target: z.string(), outcome: z.string()})),
	/** The gateway that answered it, where several share the journal. */
	node: z.string().optional(),
});

/** `events show --json`: the row with what was sent. Headers have their secrets masked; a refused event has no body. */
export const eventDetailJson = eventRowJson.extend({
	profile: z.string(),
	headers: z.record(z.string(), z.string()),
	/** As text, after its encoding was undone. */
	body: z.string().nullable(),
	/** The check that authenticated the sender. */
	signature: z.string().nullable(),
	/** The filter it did not pass. */
	filter: z.string().nullable(),
	/** Output of the route's script, or its error. */
	script_output: z.string().nullable(),
	/** The rendered prompt; of a direct delivery, its text. */
	prompt: z.string().nullable(),
	/** Target of the answer. */
	deliver: z.string().nullable(),
	trace: traceJson,
	/** Resulting runs, newest first. */
	runs: z.array(eventRunJson),
	/** Outcomes of the resulting messages, newest first; `detail` is the platform's reply. */
	deliveries: z.array(
		z.object({
			target: z.string(),
			outcome: z.string(),
			state: z.string(),
			detail: z.string().nullable(),
			time: z.number(),
		}),
	),
});

/** `events replay --json`: the row that the replay got. */
export const replayJson = z.object({
	event_id: z.string(),
	status: z.int(),
	outcome: z.string(),
	reason: z.string().nullable(),
});

/** `events replay --deliver --json`: how the delivery ended; `reason` is there when it did not end well. */
export const redeliveryJson = z.object({
	event_id: z.string(),
	outcome: z.enum(['delivered', 'failed', 'outcome_uncertain']),
	reason: z.string().nullable(),
});

/** Targets with failures since the last delivery that arrived. Times are milliseconds since the epoch; `reason` is that of the last failure. */
export const failedDeliveryJson = z.object({
	id: z.string(),
	profile: z.string(),
	/** Null when no webhook event led to the messages. */
	route: z.string().nullable(),
	job: z.string().nullable(),
	target: z.string(),
	failures: z.int(),
	first_at: z.number(),
	last_at: z.number(),
	reason: z.string(),
	/** For `events replay ID --deliver`. */
	event_id: z.string().nullable(),
});

/** Result of an install link. */
export const installJson = z.object({
	outcome: z.enum(['installed', 'cancelled', 'withdrawn', 'unattended']),
	/** The name it was installed under. */
	name: z.string().optional(),
});

const reloadedJson = z.object({
	added: z.array(z.string()),
	removed: z.array(z.string()),
	changed: z.array(z.string()),
	unchanged: z.array(z.string()),
});

/** Differences made by a reload, by name: servers, and kinds that older versions do not name. */
export const reloadJson = z.object({
	added: z.array(z.string()),
	removed: z.array(z.string()),
	reconnected: z.array(z.string()),
	unchanged: z.array(z.string()),
	routes: reloadedJson.optional(),
	platforms: reloadedJson.optional(),
	jobs: reloadedJson.optional(),
	/** The reason that the config.yaml of a profile, or its rules, cannot be used. */
	unusable: z
		.array(
			z.object({
				profile: z.string(),
				code: z.string(),
				message: z.string(),
				remedy: z.string(),
				/** The configuration in force instead; absent: all of the former one. With other rules, everything else was applied. */
				in_force: z.enum(['nothing', 'former-rules', 'no-tool-calls']).optional(),
			}),
		)
		.optional(),
});
