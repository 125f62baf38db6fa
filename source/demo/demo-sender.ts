import {toSignatureScheme} from '../config/webhooks/signature-scheme.ts';
import {type Clock, openDeadline} from '../util/clock.ts';
import {Problem} from '../util/problem.ts';
import {signByScheme} from '../webhooks/signature/sign-body.ts';
import {type DemoDelivery, demoDelivery} from './demo-deliveries.ts';
import {repeat, type Repetition} from '../util/repeat.ts';

const firstMilliseconds = 1000;
const everyMilliseconds = 4000;
const answerDeadlineMilliseconds = 10_000;

/** Simulates the outside services: signs a delivery and posts it to the gateway every few seconds until it is stopped. */
export function startDemoSender(options: {
	readonly clock: Clock;
	/** Base URL of the webhook listener. */
	readonly webhookUrl: string;
	readonly secret: string;
}): Repetition {
	const {clock, webhookUrl, secret} = options;
	return repeat({
		clock,
		firstMilliseconds,
		everyMilliseconds,
		async work(round, signal) {
			const reason = () => new Problem('cancelled');
			const deadline = openDeadline(clock, answerDeadlineMilliseconds, {signal, reason});
			const {url, ...request} = signDelivery(demoDelivery(round), {secret, now: clock.now(), webhookUrl});
			try {
				const response = await fetch(url, {method: 'POST', ...request, redirect: 'manual', signal: deadline.signal});
				await response.body?.cancel();
			} catch {
				// A gateway that does not answer shows that itself; the next delivery tries again.
			} finally {
				deadline.cancel();
			}
		},
	});
}

/** The header schemes of the two simulated senders (docs/webhooks.md, Signatures). */
const github = toSignatureScheme({header: 'X-Hub-Signature-256', prefix: 'sha256='});
const genericV2 = toSignatureScheme({
	header: 'X-Webhook-Signature-V2',
	timestamp_header: 'X-Webhook-Timestamp',
	signed: '{timestamp}.{body}',
});

/** A delivery as its sender would post it, signed. `now` is milliseconds since the epoch. */
export function signDelivery(
	{route, event, deliveryId, signature, payload}: DemoDelivery,
	gateway: {readonly secret: string; readonly now: number; readonly webhookUrl: string},
): {readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string} {
	const {now, webhookUrl} = gateway;
	const isGeneric = signature === 'generic-v2';
	const text = JSON.stringify(isGeneric ? {event_type: event, ...payload} : payload);
	const secret = signature === 'forged' ? `not ${gateway.secret}` : gateway.secret;
	const url = new URL(`/webhooks/${route}`, webhookUrl).href;
	const {headers, body} = signByScheme(text, {scheme: isGeneric ? genericV2 : github, secret}, {address: url, now});
	const named: Readonly<Record<string, string>> = isGeneric
		? {'x-request-id': deliveryId}
		: {'x-github-event': event, 'x-github-delivery': deliveryId};
	return {url, headers: {'content-type': 'application/json', ...named, ...headers}, body};
}
