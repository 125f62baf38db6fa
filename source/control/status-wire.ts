import {z} from 'zod';
import {jsonObject} from './entity-json.ts';

const count = z.int();

/** Counts of waiting requests by kind, as the header of the dashboard shows them. */
const waitingJson = z.object({
	approvals: count,
	questions: count,
	proposals: count,
	uncertain: count,
	inbox: count,
	logins: count,
	failed_deliveries: count,
});

/** That everything is held: since when, in milliseconds since the epoch, by whom and why. `hash` names it for the release. */
export const heldJson = z.object({since: z.number(), by: z.string(), reason: z.string(), hash: z.string()});

/** Gateway status. Only add fields: clients of another protocol number read it; a field unknown to an older version is absent. */
export const statusJson = z.object({
	version: z.string(),
	pid: z.int(),
	profile: z.string(),
	/** Base address of the webhook listener. */
	webhook_url: z.string().nullable(),
	endpoint: z
		.object({
			state: z.enum(['off', 'listening', 'failed']),
			url: z.string().optional(),
			reason: z.string().optional(),
		})
		.optional(),
	uptime_s: count.optional(),
	waiting: waitingJson.optional(),
	/** `need`: those that want a login, failed, or wait for their next attempt. */
	servers: z.object({connected: count, total: count, need: count}).optional(),
	routes: z.object({served: count, failed: count}).optional(),
	held: heldJson.nullable().optional(),
	/** Chats that carry requests to persons. */
	remote: z
		.array(
			z.object({
				profile: z.string(),
				platform: z.string(),
				state: z.enum(['connecting', 'connected', 'away', 'rejected', 'elsewhere', 'failed']),
				message: z.string().optional(),
			}),
		)
		.optional(),
	/** The reason that the journal cannot be used or written. */
	journal_fault: z.string().nullable().optional(),
	/** The state of the journal, since when, in milliseconds since the epoch, the number of ends and claims that wait for it, and of rows that lists leave out. */
	journal: z
		.object({
			state: z.enum(['open', 'refusing', 'away']),
			since: z.number(),
			waiting: count,
			unreadable: count.optional(),
		})
		.optional(),
	/** The name of this gateway: `journal.node`, else that of the host. */
	node: z.string().optional(),
	/** The gateways of a journal that is shared, this one included, and how long ago each gave a sign, in whole seconds. */
	nodes: z
		.array(
			z.object({
				name: z.string(),
				state: z.enum(['alive', 'left', 'dead']),
				seen_s: count,
				version: z.string().optional(),
			}),
		)
		.optional(),
	/** A stop has begun, and nothing is refused until then, in milliseconds since the epoch. */
	draining: z.object({until: z.number()}).nullable().optional(),
	/** Seconds of a stop in which nothing is refused yet. */
	drain_delay_s: z.number().optional(),
	/** Work that a stop waits for. */
	under_way: z.object({runs: count, calls: count}).optional(),
	/** The runs under way by what they do: work, wait for a person, or wait for a free slot after that. */
	runs: z.object({working: count, waiting: count, returning: count}).optional(),
	/** Limits of the day, with what is spent of them; amounts in US dollars have cents. `ends_at`: the end of the day, in milliseconds since the epoch. */
	limits: z
		.array(
			z.object({
				path: z.string(),
				unit: z.enum(['tokens', 'usd', 'runs', 'calls']),
				spent: z.number(),
				limit: z.number(),
				state: z.enum(['counting', 'near', 'open', 'lifted', 'denied', 'reached']),
				ends_at: z.number(),
			}),
		)
		.optional(),
});

/** One thing that a release lets go on. */
export const heldWorkJson = z.object({
	kind: z.enum(['call', 'sampling', 'elicitation']),
	server: z.string(),
	tool: z.string(),
	origin: z.string(),
	arguments: jsonObject.nullable().default(null),
	cut_bytes: z.int().default(0),
	masked_values: z.int().default(0),
	marked_characters: z.int().default(0),
});

/** One fault of the gateway. */
export const faultJson = z.object({check: z.string(), message: z.string(), remedy: z.string()});
