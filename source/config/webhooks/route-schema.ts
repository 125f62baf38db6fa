import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {deliverSchema, onFailureSchema} from '../platforms/destinations.ts';
import {field, lazyField} from '../values/field-rule.ts';
import {challengeSchema, deliveryIdSchema, eventTypeSchema} from './message-schema.ts';
import {respondSchema} from './respond-entry.ts';
import {filtersSchema} from './route-filter.ts';
import {signatureSchema} from './signature-schema.ts';
import {boolLike, numberLike, text, textList} from '../values/fields.ts';

/** The schema of a secret: one, or several of which any may match. */
export const secretSchema = lazy(() =>
	field(z.union([z.string(), z.array(z.string())]), {
		description: 'Secret that senders sign with; a list during a rotation. INSECURE_NO_AUTH: no check, loopback only.',
		allowed: 'text or a list of texts',
	}).optional(),
);

const issuerSchema = lazy(() =>
	z.strictObject({
		issuer: z.string().describe('`iss` of the tokens. Default: that of the preset.').optional(),
		audience: z.string().describe('`aud` of the tokens.').optional(),
		email: z.string().describe('Verified e-mail address of the account that sends.').optional(),
		jwks: z.string().describe('Address of the keys of the issuer, https. Default: that of the preset.').optional(),
	}),
);

const topicSchema = lazy(() => z.strictObject({topic_arn: z.string().describe('ARN of the topic, for SNS.')}));

const routeSecretSchema = lazy(() => {
	const one = z.union([z.string(), topicSchema(), issuerSchema()]);
	return field(z.union([one, z.array(one)]), {
		description:
			'Secret that senders sign with; a list during a rotation. For tokens (`jwt`) and SNS a mapping. INSECURE_NO_AUTH: no check, loopback only.',
		allowed: 'text, a mapping with issuer, audience, email, jwks, a mapping with topic_arn, or a list of them',
	}).optional();
});

/** The most that `max_body_bytes` allows (docs/webhooks.md, Limits). */
export const largestBodyBytes = 26_214_400;

/** Defaults of `coalesce` (docs/webhooks.md, Limits). */
export const coalesceDefaults = {windowSeconds: 30, maxWaitSeconds: 300} as const;

const coalesceSchema = () =>
	z.strictObject({
		key: field(z.string().min(1), {
			description: 'Payload field or template that names the entity.',
			allowed: 'a payload field or a template',
		}),
		window_seconds: numberLike('Quiet time before the run starts, in seconds.', {
			fallback: coalesceDefaults.windowSeconds,
			minimum: 'above 0',
			unit: 'seconds',
		}),
		max_wait_seconds: numberLike('Longest time since the first event, in seconds.', {
			fallback: coalesceDefaults.maxWaitSeconds,
			minimum: 'above 0',
			unit: 'seconds',
		}),
	});

const jsonMapping = (description: string) =>
	field(z.record(z.string(), z.unknown()), {description, allowed: 'a mapping'}).optional();

/** One route in config.yaml (docs/webhooks.md, Routes and profiles). */
export const routeSchema = lazyField(
	() =>
		z.strictObject({
			enabled: boolLike('false: the route answers 503 and nothing is recorded.', true),
			description: text('Purpose of the route.'),
			events: textList('Accepted event types; none: all.'),
			secret: routeSecretSchema(),
			profile: text('The profile that serves this route.', 'the name of a profile'),
			prompt: text(
				'Template of the prompt; `{a.b}` takes a value of the payload. Without it the whole payload is dumped.',
			),
			filters: filtersSchema().optional(),
			script: text('Script below scripts/ that filters or changes the payload.', 'a path below scripts/'),
			skills: textList('Skills loaded for the run.'),
			toolsets: textList('Replaces the toolset of webhook runs for this route.'),
			deliver: deliverSchema(),
			deliver_extra: jsonMapping('Keys of the targets without keys of their own; texts are templates.'),
			on_failure: onFailureSchema(),
			deliver_only: boolLike('Deliver the rendered prompt without an agent.', false),
			cron_job: text('The scheduled job to fire.', 'the id or name of a scheduled job'),
			coalesce: field(coalesceSchema(), {
				description: 'Turn a burst of events about one entity into one run.',
				allowed: 'a mapping with key, window_seconds, max_wait_seconds',
			}).optional(),
			max_runs: numberLike('Maximum concurrent runs of the route, at all gateways of a journal together.', {
				fallback: undefined,
				minimum: 1,
				whole: true,
			}),
			respond: respondSchema(),
			max_body_bytes: numberLike('Largest body in bytes. Default: that of the receiver.', {
				fallback: undefined,
				minimum: 1,
				maximum: largestBodyBytes,
				whole: true,
				unit: 'bytes',
			}),
			signature: signatureSchema(),
			delivery_id: deliveryIdSchema(),
			event_type: eventTypeSchema(),
			challenge: challengeSchema(),
			created_at: field(z.unknown(), {description: 'Written by `webhook subscribe`.', allowed: 'a time'}).optional(),
		}),
	{description: 'One route.', allowed: 'a mapping'},
);

/** The schema with which the gateway reads routes: filters are parsed separately, because malformed ones are retained and match nothing. */
export const readableRouteSchema = lazy(() => routeSchema().extend({filters: z.unknown().optional()}));

/** The input type of a route's schema. */
export type RouteEntry = z.output<ReturnType<typeof readableRouteSchema>>;
