import {setRouteEnabled} from '../config/edit/edit-config.ts';
import {type EventDetailJson} from '../control/wire.ts';
import {type Journal} from '../journal/journal.ts';
import {type DryRun} from '../webhooks/pipeline/dry-run.ts';
import {type Replay} from '../webhooks/pipeline/request-handler.ts';
import {type WebhookAdapter} from '../webhooks/webhook-adapter.ts';
import {createDryRun} from './dry-run-stored.ts';
import {findEventDetail} from './event-detail.ts';
import {type ProfileContext} from './profiles/profile-context.ts';
import {createReplay} from './replay-stored.ts';

/** What a person can do with stored events and routes. */
export type EventViews = {
	/** Handles a stored event through its route again. Rejects with `unknown_event` or `not_replayable`. */
	readonly replay: (id: string) => Promise<Replay>;
	/** What its route would do with a stored event. Rejects with `unknown_event`, `unknown_route` or `not_replayable`. */
	readonly dryRun: (id: string) => Promise<DryRun>;
	/** All that is known of a stored event. */
	readonly show: (id: string) => Promise<EventDetailJson | undefined>;
	/** Pauses or resumes a route where it is written. The change is in force after a reload. Rejects with `unknown_route`. */
	readonly setRoutePaused: (route: string, paused: boolean) => Promise<void>;
};

/** Opens the views. `adapter` is the one that serves now, if any. */
export function createEventViews(
	{paths, current}: Pick<ProfileContext, 'paths' | 'current'>,
	journal: Journal,
	adapter: () => WebhookAdapter | undefined,
): EventViews {
	const serving = () => (current().config.webhook.enabled ? adapter() : undefined);
	return {
		replay: createReplay(journal, serving),
		dryRun: createDryRun(journal, serving),
		show: id => findEventDetail(journal, id),
		setRoutePaused: (route, paused) => setRouteEnabled(paths, route, !paused),
	};
}
