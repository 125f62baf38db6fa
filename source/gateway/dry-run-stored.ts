import {type Journal} from '../journal/journal.ts';
import {Problem} from '../util/problem.ts';
import {type DryRun} from '../webhooks/pipeline/dry-run.ts';
import {readRecentEvents} from '../webhooks/template/unresolved-variables.ts';
import {type WebhookAdapter} from '../webhooks/webhook-adapter.ts';
import {findEventDetail} from './event-detail.ts';
import {replayable} from './replay-stored.ts';

/** What its route would do with a stored event now, by its id. Rejects with `unknown_event`, `unknown_route` or `not_replayable`. */
export function createDryRun(
	journal: Pick<Journal, 'findEvent' | 'listEvents' | 'listEventRuns' | 'listAnswers'>,
	adapter: () => Pick<WebhookAdapter, 'dryRun'> | undefined,
): (id: string) => Promise<DryRun> {
	return async id => {
		const event = replayable(journal.findEvent(id));
		const current = adapter();
		if (!current) {
			throw new Problem('not_replayable', {message: 'Webhooks are off, or a route is refused'});
		}

		const run = await current.dryRun(event, await readRecentEvents(storedEvents(journal), event.route));
		if (!run) {
			throw new Problem('unknown_route', {message: 'The route of this event is not served any more'});
		}

		return run;
	};
}

/** The events of a journal of this process. */
export function storedEvents(journal: Pick<Journal, 'findEvent' | 'listEvents' | 'listEventRuns' | 'listAnswers'>) {
	return {
		list: async (query: {readonly route: string; readonly limit: number}) => journal.listEvents(query),
		show: async (id: string) => (await findEventDetail(journal, id)) ?? null,
	};
}
