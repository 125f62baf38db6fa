import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {onFailureSchema} from '../platforms/destinations.ts';
import {ruleSchema} from '../rules/rule-schema.ts';
import {field} from '../values/field-rule.ts';
import {boolLike, numberLike, text, textList} from '../values/fields.ts';
import {remoteSchema} from './remote-config.ts';
import {endpointClientsSchema} from './endpoint-clients.ts';

/** Defaults of the small sections (docs/configuration.md, How values are read). */
export const settingsDefaults = {
	approvalTimeoutSeconds: 300,
	maxSteps: 30,
	modelTimeoutSeconds: 300,
	maxConcurrentRuns: 4,
	maxQueuedRuns: 10_000,
	maxWaitingRuns: 100,
	journalDays: 30,
	journalBytes: 1_073_741_824,
	journalSchema: 'sluice',
	journalPool: 8,
	journalLeaseSeconds: 15,
	journalPatienceSeconds: 600,
	journalUnplacedSeconds: 300,
	webhookToolsets: ['web_search', 'web_extract', 'vision_analyze', 'clarify'],
} as const;

/** Defaults of the endpoint (docs/configuration.md, How values are read). */
export const endpointDefaults = {host: '127.0.0.1', port: 8645, taskTtlSeconds: 86_400} as const;

/** A task of more than a month is hardly meant, and its deadline fits no timer. */
const longestTaskSeconds = 2_000_000;

/** A mapping of which every key is known; its description names them. */
export function mapping<Schema extends z.ZodObject>(schema: Schema, description: string): Schema {
	return field(schema, {description, allowed: `a mapping with ${Object.keys(schema.shape).join(', ')}`});
}

const count = (description: string, fallback: number) => numberLike(description, {fallback, minimum: 1, whole: true});

/** `approvals` in config.yaml. */
export const approvalsSchema = lazy(() =>
	mapping(
		z.strictObject({
			timeout: numberLike('How long a question waits for an answer, in seconds.', {
				fallback: settingsDefaults.approvalTimeoutSeconds,
				minimum: 0,
				unit: 'seconds',
			}),
			unattended: field(z.enum(['deny', 'hold']), {
				description: 'Without a console: deny at once, or hold for `sluice approvals allow ID`. Default: deny.',
				allowed: 'deny, hold',
			}).optional(),
			cli: field(z.enum(['allow', 'deny']), {
				description:
					'Whether commands may allow a call (`sluice approvals allow`, `sluice mcp call --approve`), or only a dashboard. Default: allow.',
				allowed: 'allow, deny',
			}).optional(),
			remote: remoteSchema().optional(),
			rules: field(z.array(ruleSchema()), {
				description: 'Rules that allow, ask about or deny calls; see docs/rules.md.',
				allowed: 'a list of rules',
			}).optional(),
		}),
		'How a person is asked, and when. A mistake in this section is an error, never a default.',
	),
);

/** `agent` in config.yaml. */
export const agentSchema = lazy(() =>
	mapping(
		z.strictObject({
			max_steps: count('Maximum model steps per run.', settingsDefaults.maxSteps),
			model_timeout: numberLike('Longest silence of the model, in seconds. Then the run fails.', {
				fallback: settingsDefaults.modelTimeoutSeconds,
				minimum: 1,
				unit: 'seconds',
			}),
			max_concurrent_runs: count('Maximum concurrent runs.', settingsDefaults.maxConcurrentRuns),
			max_queued_runs: count('Maximum number of accepted events that wait.', settingsDefaults.maxQueuedRuns),
			max_waiting_runs: count(
				'Maximum number of runs that wait for a person without a slot of `max_concurrent_runs`.',
				settingsDefaults.maxWaitingRuns,
			),
			instructions: text('Put before every prompt.'),
			on_failure: onFailureSchema(),
		}),
		'Agent runs.',
	),
);

/** `journal` in config.yaml. */
export const journalSchema = lazy(() =>
	mapping(
		z.strictObject({
			max_age_days: numberLike('Rows older than this are removed.', {
				fallback: settingsDefaults.journalDays,
				minimum: 0,
				unit: 'days',
			}),
			max_bytes: numberLike('The oldest rows are removed when the journal is larger.', {
				fallback: settingsDefaults.journalBytes,
				minimum: 1,
				whole: true,
				unit: 'bytes',
			}),
			url: text('Address of a PostgreSQL database that replaces `journal.db`.', 'postgres://…'),
			schema: text(`Schema of its tables in that database. Default: ${settingsDefaults.journalSchema}.`),
			pool: numberLike('Maximum number of connections to that database.', {
				fallback: settingsDefaults.journalPool,
				minimum: 2,
				maximum: 100,
				whole: true,
			}),
			node: text('Name of this gateway, unique in that database. Default: the name of the host.'),
			lease: numberLike('After this long without a sign, other gateways consider this one dead, in seconds.', {
				fallback: settingsDefaults.journalLeaseSeconds,
				minimum: 2,
				maximum: 600,
				unit: 'seconds',
			}),
			patience: numberLike('How long calls and questions wait for an unreachable journal, in seconds.', {
				fallback: settingsDefaults.journalPatienceSeconds,
				minimum: 0,
				maximum: 86_400,
				unit: 'seconds',
			}),
			unplaced: numberLike(
				'How long a run waits for another gateway that has a server, skill or platform which this one lacks, in seconds; then it goes to the inbox.',
				{fallback: settingsDefaults.journalUnplacedSeconds, minimum: 1, maximum: 86_400, unit: 'seconds'},
			),
		}),
		'Where the journal is, how long it is waited for, its retention limits, and the name of this gateway.',
	),
);

/** `platform_toolsets` in config.yaml. */
export const platformToolsetsSchema = lazy(() =>
	mapping(z.strictObject({webhook: textList('Tools of webhook runs.')}), 'Toolsets by platform.'),
);

/** `metrics` in config.yaml. */
export const metricsSchema = lazy(() =>
	mapping(
		z.strictObject({
			enabled: boolLike('Serve /metrics on the port of the endpoint.', false),
			token: text('Bearer token; without one only loopback may read.'),
		}),
		'Metrics in Prometheus text.',
	),
);

/** A stop that takes longer is hardly meant. */
const longestDrainSeconds = 600;

/** `gateway` in config.yaml. */
export const gatewaySchema = lazy(() =>
	mapping(
		z.strictObject({
			multiplex_profiles: boolLike('Serve every profile in one gateway.', false),
			profiles: textList('Only these profiles are served.'),
			endpoint: mapping(
				z.strictObject({
					enabled: boolLike('Offer all tools as one tool server.', true),
					host: text(`Bind host. Default: ${endpointDefaults.host}.`, 'a host name or address'),
					port: numberLike('Listen port.', {fallback: endpointDefaults.port, minimum: 0, maximum: 65_535, whole: true}),
					token: text('Bearer token. Default: SLUICE_ENDPOINT_TOKEN of .env, created at the first start.'),
					clients: endpointClientsSchema().optional(),
					task_ttl: numberLike(
						'How long a call that was handed to its client as a task may wait for a person, and its result is kept, in seconds; in place of `approvals.timeout`.',
						{fallback: endpointDefaults.taskTtlSeconds, minimum: 60, maximum: longestTaskSeconds, unit: 'seconds'},
					),
				}),
				'The endpoint that offers all tools.',
			).optional(),
			drain_delay: numberLike(
				'How long a stopping gateway still accepts requests while `/ready` answers 503, in seconds; see Behind a balancer in reverse-proxy.md.',
				{fallback: 0, minimum: 0, maximum: longestDrainSeconds, unit: 'seconds'},
			),
			ready: mapping(
				z.strictObject({require: textList('Tool servers without which `/ready` answers 503.')}),
				'What a balancer needs to know; see Health and readiness in reverse-proxy.md.',
			).optional(),
		}),
		'The gateway itself.',
	),
);
