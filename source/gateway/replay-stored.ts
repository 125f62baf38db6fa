import {type EventRecord, type Journal} from '../journal/journal.ts';
import {Problem} from '../util/problem.ts';
import {type Replay, type ReplayableEvent} from '../webhooks/pipeline/request-handler.ts';
import {type WebhookAdapter} from '../webhooks/webhook-adapter.ts';

/** Handles a stored event through its route again, by its id. Rejects with `unknown_event` or `not_replayable`. */
export function createReplay(
	journal: Pick<Journal, 'findEvent'>,
	adapter: () => Pick<WebhookAdapter, 'replay'> | undefined,
): (id: string) => Promise<Replay> {
	return async id => {
		const event = replayable(journal.findEvent(id));
		const current = adapter();
		if (!current) {
			throw new Problem('not_replayable', {message: 'Webhooks are off, or a route is refused'});
		}

		return current.replay(event);
	};
}

/** The event as it can be handled again. Throws `unknown_event` or `not_replayable`. */
export function replayable(event: EventRecord | undefined): ReplayableEvent {
	if (!event) {
		throw new Problem('unknown_event');
	}

	const {body} = event;
	if (!body) {
		throw new Problem('not_replayable', {
			message: 'The event was refused or has no stored body, so there is nothing to replay',
		});
	}

	return {...event, body};
}
