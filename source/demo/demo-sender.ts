import {type Clock, openDeadline} from '../util/clock.ts';
import {Problem} from '../util/problem.ts';
import {demoDelivery} from './demo-deliveries.ts';
import {repeat, type Repetition} from './repeat.ts';
import {signDelivery} from './sign-delivery.ts';

const firstMilliseconds = 1000;
const everyMilliseconds = 4000;
const answerDeadlineMilliseconds = 10_000;

/** Plays the outside services: signs a delivery and posts it to the gateway, every few seconds, until it is stopped. */
export function startDemoSender(options: {
	readonly clock: Clock;
	/** Base address of the webhook listener. */
	readonly webhookUrl: string;
	readonly secret: string;
}): Repetition {
	const {clock, webhookUrl, secret} = options;
	return repeat({
		clock,
		firstMilliseconds,
		everyMilliseconds,
		async work(round, signal) {
			const delivery = demoDelivery(round);
			const deadline = openDeadline(clock, answerDeadlineMilliseconds, {
				signal,
				reason: () => new Problem('cancelled'),
			});
			try {
				const response = await fetch(new URL(`/webhooks/${delivery.route}`, webhookUrl), {
					method: 'POST',
					...signDelivery(delivery, {secret, now: clock.now()}),
					redirect: 'manual',
					signal: deadline.signal,
				});
				await response.body?.cancel();
			} catch {
				// A gateway that does not answer shows that itself; the next delivery tries again.
			} finally {
				deadline.cancel();
			}
		},
	});
}
