import {z} from 'zod';
import {approvalFields} from '../state/entities/approval.ts';
import {deliveryFields, failedDeliveryFields} from '../state/entities/delivery.ts';
import {eventFields} from '../state/entities/event.ts';
import {jobFields} from '../state/entities/job.ts';
import {routeFields} from '../state/entities/route.ts';
import {ruleFields} from '../state/entities/rule.ts';
import {serverFields} from '../state/entities/server.ts';
import {toolFields} from '../state/entities/tool.ts';
import {type ConfirmationEndJson, type HandshakeEndJson} from '../state/json/event.ts';
import {jsonObject, schemaOf} from './entity-json.ts';
import {eventRunJson, traceJson} from './history-wire.ts';

/** `mcp list --json`, one row. */
export const serverJson = schemaOf(serverFields, 'row');

/** `mcp tools --json`, one row. */
export const toolJson = schemaOf(toolFields, 'row');

/** The error of a call (docs/connections.md, Results); the codes are those of the error table. */
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

/** `approvals list --json`, one row. */
export const approvalJson = schemaOf(approvalFields, 'row');

/** `rules list --json`, one row: a rule of config.yaml, one that was stored from a card, or a remembered approval. */
export const ruleJson = schemaOf(ruleFields, 'row');

/** `rules test --json`: what the rules say about a call, and the id of the one that decides. */
export const ruleTestJson = z.object({
	verdict: z.enum(['deny', 'ask', 'allow', 'none']),
	rule: z.string().nullable(),
	undecided: z.boolean(),
});

/** `webhook list --json`, one row, and what to do about it. */
export const routeRowJson = schemaOf(routeFields, 'row').extend({
	/** No part of the row that is printed; absent from a gateway of an older version. */
	next_action: z.string().nullable().optional(),
});

/** The end of fetching the address of a confirmation. */
export const confirmationEndJson: z.ZodType<ConfirmationEndJson> = z.object({
	outcome: z.enum(['confirmed', 'failed', 'unknown']),
	reason: z.string().nullable(),
});

/** The end of a handshake window. */
export const handshakeEndJson: z.ZodType<HandshakeEndJson> = z.discriminatedUnion('outcome', [
	z.object({
		outcome: z.literal('proposed'),
		proposal: z.object({id: z.string(), topic: z.string(), url: z.string()}),
		reason: z.null(),
	}),
	z.object({
		outcome: z.enum(['confirmed', 'failed', 'unknown', 'declined', 'closed']),
		proposal: z.null(),
		reason: z.string().nullable(),
	}),
]);

/** `events list --json`, one row. */
export const eventRowJson = schemaOf(eventFields, 'row');

/** A file that came with an event. */
const eventFileJson = z.object({number: z.int(), filename: z.string(), content_type: z.string(), bytes: z.int()});

/** A part of such a file. `content` is base64; `next`: where the next part begins, in bytes. */
export const eventFilePartJson = eventFileJson
	.omit({number: true})
	.extend({content: z.string(), next: z.int().nullable()});

/** `events show --json`: the row with what was sent. Headers have their secrets masked; a refused event has no body. */
export const eventDetailJson = schemaOf(eventFields, 'document').extend({
	trace: traceJson,
	/** Files of the body; `sluice events file` writes one. */
	files: z.array(eventFileJson),
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
	outcome: z.enum(['delivered', 'failed', 'outcome_uncertain', 'retrying']),
	reason: z.string().nullable(),
});

/** `deliveries list --json`, one row. */
export const deliveryRowJson = schemaOf(deliveryFields, 'row');

/** `deliveries retry|cancel --json`: the state of the message afterwards. */
export const deliveryEndJson = deliveryRowJson
	.pick({id: true, state: true, next_at: true})
	.extend({reason: z.string().nullable()});

/** A place where deliveries fail since the last one that arrived. */
export const failedDeliveryJson = schemaOf(failedDeliveryFields, 'row');

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

/** `cron list --json`, one row. Times are milliseconds since the epoch. */
export const cronJobJson = schemaOf(jobFields, 'row');

/** A job as `cron create` asks for it. */
export const newJobJson = z.object({
	name: z.string(),
	prompt: z.string(),
	schedule: z.string(),
	time_zone: z.string(),
	deliver: z.string(),
	deliver_extra: jsonObject,
	on_failure: z.object({deliver: z.string(), extra: jsonObject}).optional(),
	skills: z.array(z.string()),
	toolsets: z.array(z.string()).optional(),
});

/** The changes of `cron edit`; absent members stay as they are. */
export const jobEditJson = newJobJson.partial();

/** The result of `cron run`. */
export const firedJobJson = z.object({
	outcome: z.enum(['fired', 'dropped']),
	run_id: z.string().nullable(),
	reason: z.string().nullable(),
});
