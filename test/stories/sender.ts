import {createHmac} from 'node:crypto';
import {type Running} from '../helpers/sluice.ts';

/** The secret of the sender and of every route of the stories. */
export const secret = 'the stories know this one';

const patienceMilliseconds = 25_000;

/** A delivery of an outside service. */
export type Post = {
	readonly route?: string;
	readonly id: string;
	readonly event?: string;
	readonly payload?: unknown;
	/** The bytes to send instead of the payload as JSON. */
	readonly text?: string;
	/** Its signature; default: that of GitHub. */
	readonly sign?: Sign;
};

/** The headers that prove who sent these bytes. */
export type Sign = (body: string, id: string) => Record<string, string>;

/** Signs and posts a delivery; answers status and body. `base` is the address of the listener. */
export async function post(base: string, delivery: Post): Promise<{status: number; body: unknown}> {
	const {route = 'issues', id, event, payload, sign = signatures['GitHub']} = delivery;
	const body = delivery.text ?? JSON.stringify(payload);
	const response = await fetch(`${base}/webhooks/${route}`, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			'x-request-id': id,
			...(event && {'x-github-event': event}),
			...sign?.(body, id),
		},
		body,
		signal: AbortSignal.timeout(patienceMilliseconds),
	});
	return {status: response.status, body: await response.json()};
}

/** The five schemes of docs/webhooks.md, Signatures. */
export const signatures: Readonly<Record<string, Sign>> = {
	GitHub: body => ({'x-hub-signature-256': `sha256=${digest(body, 'hex')}`}),
	GitLab: () => ({'x-gitlab-token': secret}),
	'Standard Webhooks': (body, id) => ({
		'webhook-id': id,
		'webhook-timestamp': seconds(),
		'webhook-signature': `v1,${digest(`${id}.${seconds()}.${body}`, 'base64')}`,
	}),
	'Generic V2': body => ({
		'x-webhook-timestamp': seconds(),
		'x-webhook-signature-v2': digest(`${seconds()}.${body}`, 'hex'),
	}),
	'Generic V1': body => ({'x-webhook-signature': digest(body, 'hex')}),
};

function seconds(): string {
	return String(Math.floor(Date.now() / 1000));
}

function digest(text: string, encoding: 'hex' | 'base64'): string {
	return createHmac('sha256', secret).update(text).digest(encoding);
}

/** `platforms` with a listener on any free port and these routes, which all share the secret. */
export function webhookPlatform(routes: Readonly<Record<string, object>>, settings: object = {}) {
	return {platforms: {webhook: {enabled: true, host: '127.0.0.1', port: 0, secret, routes, ...settings}}};
}

/** The answer of `GET /health`; rejects when it does not come in time. */
export async function health(base: string, milliseconds = patienceMilliseconds): Promise<unknown> {
	return (await fetch(`${base}/health`, {signal: AbortSignal.timeout(milliseconds)})).json();
}

/** The address at which a gateway that prints JSON lines takes webhooks, once it does. */
export async function listeningAt(gateway: Running): Promise<string> {
	const started = JSON.parse(await gateway.waitForLine('"type":"gateway.started"')) as {webhook_url: string};
	return started.webhook_url;
}
