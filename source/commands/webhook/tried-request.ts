import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandFlags} from '../cli/command-context.ts';
import {type EventAccess} from '../events/event-access.ts';
import {testBody} from './post-test-event.ts';

/** What is tried: a typed body, or an event of the journal. */
export type TriedRequest = {
	readonly body: string;
	readonly headers: Readonly<Record<string, string>>;
	/** The delivery id with which a stored event came. */
	readonly deliveryId?: string;
};

/** The request that the flags ask to be tried. Rejects with `unknown_event` or `not_replayable`. */
export async function readTriedRequest(
	access: EventAccess,
	route: RouteConfig,
	{event: id, payload}: CommandFlags,
): Promise<TriedRequest> {
	if (id === undefined) {
		return {body: testBody(payload, route), headers: {'content-type': 'application/json'}};
	}

	const event = await access.show(id);
	if (!event) {
		throw new Problem('unknown_event', {message: `No event has the id ${safeText(id, {maximumCharacters: 100})}`});
	}

	// The body is the decoded one.
	const {
		body,
		headers: {'content-encoding': _, ...headers},
		delivery_id: deliveryId,
	} = event;
	if (body === null) {
		throw new Problem('not_replayable', {message: 'The event was refused, so its body is not stored'});
	}

	return {body, headers, deliveryId};
}
