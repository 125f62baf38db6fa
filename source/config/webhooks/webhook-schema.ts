import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {field} from '../values/field-rule.ts';
import {routeSchema, secretSchema} from './route-schema.ts';
import {boolLike, numberLike, text} from '../values/fields.ts';

/** Defaults of the webhook adapter (docs/webhooks.md, Set it up; docs/webhooks.md, Answers). */
export const webhookDefaults = {host: '127.0.0.1', port: 8644, rateLimit: 30, maxBodyBytes: 1_048_576} as const;

/** The port range, also for WEBHOOK_PORT. 0 takes any free port. */
export const portSchema = lazy(() =>
	numberLike('HTTP listen port.', {
		fallback: webhookDefaults.port,
		minimum: 0,
		maximum: 65_535,
		whole: true,
	}),
);

function settingsWith<Routes extends z.ZodType>(routes: Routes) {
	return {
		port: portSchema(),
		host: text('Bind host. Default: 127.0.0.1.', 'a host name or address'),
		secret: secretSchema(),
		routes: field(z.record(z.string(), routes), {
			description: 'Routes by name.',
			allowed: 'a mapping of route names to routes',
		}).optional(),
		rate_limit: numberLike('Requests per minute and route.', {
			fallback: webhookDefaults.rateLimit,
			minimum: 1,
			whole: true,
		}),
		max_body_bytes: numberLike('Largest body in bytes.', {
			fallback: webhookDefaults.maxBodyBytes,
			minimum: 1,
			whole: true,
			unit: 'bytes',
		}),
	};
}

function adapterWith<Routes extends z.ZodType>(routes: Routes) {
	const settings = settingsWith(routes);
	return field(
		z.strictObject({
			enabled: boolLike('Enables the webhook receiver.', false),
			...settings,
			extra: field(z.strictObject(settings), {
				description: 'The same settings; a value here wins.',
				allowed: `a mapping with ${Object.keys(settings).join(', ')}`,
			}).optional(),
		}),
		{description: 'The webhook receiver.', allowed: 'a mapping'},
	);
}

/** `platforms.webhook` in config.yaml (docs/webhooks.md, Set it up). */
export const webhookSchema = lazy(() => adapterWith(routeSchema()));

/** The schema with which the gateway reads the adapter: each route is parsed separately, so that an invalid one does not affect the others. */
export const readableWebhookSchema = lazy(() => adapterWith(z.unknown()));

/** The input type of the adapter's schema. */
export type WebhookEntry = z.output<ReturnType<typeof readableWebhookSchema>>;
