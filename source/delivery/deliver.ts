import {type Publish} from '../state/event.ts';
import {type Clock, openDeadline, untilAborted} from '../util/clock.ts';
import {type JsonObject} from '../util/json-text.ts';
import {Problem, errorText} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {findTarget as findBuiltTarget} from './find-target.ts';
import {type DeliveryTarget} from './target.ts';

/** One message for one target. */
export type Delivery = {
	/** The value of `deliver`, as configured. */
	readonly target: string;
	readonly text: string;
	/** `deliver_extra` of the route, rendered. */
	readonly extra: JsonObject;
	readonly deliveryId: string;
	readonly route: string;
};

/** How an attempt ended. The message of the problem is fit for a sender: `Delivery failed`, or that there is no such target. */
export type DeliveryResult =
	| {readonly kind: 'delivered'; readonly target: string}
	| {readonly kind: 'failed'; readonly problem: Problem};

/** Makes one attempt. Never rejects, never repeats. */
export type Deliver = (delivery: Delivery, options: {readonly signal: AbortSignal}) => Promise<DeliveryResult>;

type DeliverOptions = {
	readonly clock: Clock;
	readonly publish: Publish;
	/** Default: the targets of `targets/index.ts`. */
	readonly findTarget?: (name: string) => DeliveryTarget | Problem;
};

const deadlineSeconds = 30;

/** Opens the door to the targets. One `delivery.settled` event tells of every attempt; what went wrong is told in the log only (spec/webhooks.md, Errors). */
export function createDeliver(options: DeliverOptions): Deliver {
	const {publish} = options;
	return async (delivery, {signal}) => {
		const {target} = delivery;
		const problem = await attempt(delivery, signal, options);
		if (problem) {
			const text = safeText(`${target}: ${problem.detail ?? problem.message}`);
			publish({type: 'log', level: problem.level, area: 'delivery', text});
		}

		publish({
			type: 'delivery.settled',
			delivery: safeText(delivery.deliveryId),
			target: safeText(target),
			outcome: problem ? 'failed' : 'delivered',
			code: problem?.code,
		});
		return problem ? {kind: 'failed', problem} : {kind: 'delivered', target};
	};
}

/** Undefined once delivered, else why not. */
async function attempt(
	delivery: Delivery,
	signal: AbortSignal,
	{clock, publish, findTarget = findBuiltTarget}: DeliverOptions,
): Promise<Problem | undefined> {
	const target = findTarget(delivery.target);
	if (target instanceof Problem) {
		return target;
	}

	const deadline = openDeadline(clock, deadlineSeconds * 1000, {
		signal,
		reason: () => new Problem('delivery_failed', {detail: `no answer within ${deadlineSeconds} seconds`}),
	});
	try {
		deadline.signal.throwIfAborted();
		const {text, extra, deliveryId, route} = delivery;
		const refusal = target.refuse?.(extra);
		if (refusal) {
			return failure(refusal);
		}

		const sending = target.deliver({text, extra, deliveryId, route}, {publish, signal: deadline.signal});
		await untilAborted(sending, deadline.signal);
		return undefined;
	} catch (caught) {
		return failure(caught);
	} finally {
		deadline.cancel();
	}
}

/** Whatever a target throws gets the one public wording; its own words become detail. */
function failure(caught: unknown): Problem {
	const detail = (caught instanceof Problem ? caught.detail : undefined) ?? errorText(caught);
	return new Problem('delivery_failed', {detail, cause: caught});
}
