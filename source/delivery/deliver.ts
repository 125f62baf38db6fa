import {callerTarget, type EventCaller} from '../state/event-caller.ts';
import {type Publish} from '../state/event.ts';
import {type Clock, openDeadline} from '../util/clock.ts';
import {type JsonObject} from '../util/json-text.ts';
import {Problem, errorText} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {findTarget as findBuiltTarget} from './find-target.ts';
import {type Platforms} from './open-platforms.ts';
import {type RecordedParts, sendMessage} from './send-message.ts';

/** One message for one target. */
export type Delivery = {
	/** The value of `deliver`, as configured. */
	readonly target: string;
	readonly text: string;
	/** `deliver_extra` of the route, rendered. */
	readonly extra: JsonObject;
	readonly deliveryId: string;
	readonly route: string;
	/** The cron job whose answer it is; for the journal. */
	readonly job?: string;
	/** For the target `caller`. */
	readonly caller?: EventCaller;
	/** The profile whose platforms are used; default: the one the gateway was started for. */
	readonly profile?: string;
	/** The stored event that led to the message, and the run that wrote it; for the journal. */
	readonly eventId?: string;
	readonly runId?: string;
	/** The same for every attempt at this message; default: a new one. */
	readonly key?: string;
};

/** The outcome of a delivery. The message of the problem may be sent to a sender: `Delivery failed`, or that there is no such target; its detail is for the log. */
export type DeliveryResult =
	| {readonly kind: 'delivered'; readonly target: string}
	| {readonly kind: 'failed'; readonly problem: Problem; readonly cause?: 'settings'}
	/** It certainly did not arrive, and is sent again at this time, in milliseconds since the epoch. */
	| {readonly kind: 'retrying'; readonly problem: Problem; readonly nextAt: number}
	/** It may have arrived. */
	| {readonly kind: 'uncertain'; readonly problem: Problem};

/** The attempts at a message that is stored: what arrived of it, and when it is sent again. */
export type StoredAttempts = RecordedParts & {
	/** The time of the next attempt, if there is one, with the wait that the platform asks for. */
	readonly nextAt: (askedSeconds: number | undefined) => number | undefined;
};

type SendOptions = {readonly signal: AbortSignal; readonly stored?: StoredAttempts | undefined};

/** Delivers once, in as many parts and attempts as the target's rules allow. Never rejects. */
export type Deliver = (delivery: Delivery, options: SendOptions) => Promise<DeliveryResult>;

type DeliverOptions = {
	readonly clock: Clock;
	readonly publish: Publish;
	readonly platforms: Pick<Platforms, 'refusal' | 'context' | 'forgetTokens'>;
	/** Default: the targets of `targets/index.ts`. */
	readonly findTarget?: typeof findBuiltTarget;
};

const deadlineSeconds = 30;

/** Creates the function that delivers. Each delivery publishes one `delivery.settled` event, before it `delivery.started` where that takes time; the reason of a failure is only in the log (docs/webhooks.md, Answers). */
export function createDeliver(options: DeliverOptions): Deliver {
	const {publish} = options;
	return async (delivery, sending) => {
		const {target} = delivery;
		const result = await send(delivery, sending, options).catch((caught: unknown) => failed(errorText(caught), caught));
		const problem = result.kind === 'delivered' ? undefined : result.problem;
		if (problem) {
			const text = safeText(`${target}: ${problem.detail ?? problem.message}`);
			publish({type: 'log', level: problem.level, area: 'delivery', text});
		}

		publish({
			type: 'delivery.settled',
			...deliveryNames(delivery),
			outcome: result.kind === 'uncertain' ? 'outcome_uncertain' : result.kind,
			code: problem?.code,
			...(result.kind === 'retrying' && {nextAt: result.nextAt}),
		});
		return result;
	};
}

/** The reference of an event to a message: its delivery id, its cause and its destination. */
export function deliveryNames({
	deliveryId,
	route,
	job,
	target,
	key,
	runId,
}: Pick<Delivery, 'deliveryId' | 'route' | 'job' | 'target' | 'key' | 'runId'>) {
	return {
		delivery: safeText(deliveryId),
		...(key !== undefined && {messageId: key}),
		...(runId !== undefined && {runId}),
		...(route !== '' && {route: safeText(route, {maximumCharacters: 300})}),
		...(job !== undefined && {job: safeText(job, {maximumCharacters: 200})}),
		target: safeText(target),
	};
}

async function send(
	delivery: Delivery,
	{signal, stored}: SendOptions,
	options: DeliverOptions,
): Promise<DeliveryResult> {
	const {clock, publish, platforms, findTarget = findBuiltTarget} = options;
	const {name, message, attempts} = destinationOf(delivery, stored);
	const refusal = platforms.refusal(name);
	if (refusal) {
		return {...failed(refusal.message, refusal), cause: 'settings'};
	}

	const target = await findTarget(name);
	if (target instanceof Problem) {
		return {kind: 'failed', problem: target};
	}

	// A message that is only written down has no time in which to be seen.
	if (target.name !== 'log') {
		publish({type: 'delivery.started', ...deliveryNames(delivery)});
	}

	const endsAt = clock.elapsed() + deadlineSeconds * 1000;
	const reason = () => new Error(`no answer within ${deadlineSeconds} seconds`);
	const deadline = openDeadline(clock, deadlineSeconds * 1000, {signal, reason});
	try {
		const context = (ends: AbortSignal) => platforms.context(target.name, ends);
		const {forgetTokens} = platforms;
		const outcome = await sendMessage(target, message, {
			clock,
			signal: deadline.signal,
			endsAt,
			forgetTokens,
			context,
			recorded: attempts,
		});
		switch (outcome.kind) {
			case 'sent':
				return {kind: 'delivered', target: target.name};
			case 'unknown':
				return {kind: 'uncertain', problem: uncertain(outcome.detail)};
			case 'rate-limited':
				return notArrived(
					`the platform limits requests and asks to wait ${outcome.waitSeconds} seconds: ${outcome.detail}`,
					attempts?.nextAt(outcome.waitSeconds),
				);
			case 'unavailable':
				return notArrived(outcome.detail, attempts?.nextAt(outcome.waitSeconds));
			case 'refused':
				return {...failed(outcome.detail), ...(outcome.cause && {cause: outcome.cause})};
			case 'stale-token':
				return {...failed(outcome.detail), cause: 'settings'};
		}
	} finally {
		deadline.cancel();
	}
}

/** The target that a message goes through: a caller may be a chat of a platform. A caller gets its message once, so no attempt of it is recorded. */
function destinationOf(delivery: Delivery, stored: StoredAttempts | undefined) {
	const {target, caller} = delivery;
	if (target !== callerTarget) {
		return {name: target, message: delivery, attempts: stored};
	}

	return caller?.later?.kind === 'platform'
		? {name: caller.later.platform, message: {...delivery, extra: {chat_id: caller.later.chat}}, attempts: undefined}
		: {name: target, message: delivery, attempts: undefined};
}

/** Every failure has the same public message; the platform's text becomes private detail. */
function failed(detail: string, cause?: unknown): Extract<DeliveryResult, {kind: 'failed'}> {
	return {kind: 'failed', problem: new Problem('delivery_failed', {detail, cause})};
}

function notArrived(detail: string, nextAt: number | undefined): DeliveryResult {
	const result = failed(detail);
	return nextAt === undefined ? result : {kind: 'retrying', problem: result.problem, nextAt};
}

function uncertain(detail: string): Problem {
	const message = 'The delivery was not confirmed; it may have arrived';
	return new Problem('outcome_uncertain', {message, detail: `it may have arrived: ${detail}`});
}
