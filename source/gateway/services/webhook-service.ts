import {webhookRefusals} from '../../config/webhooks/refusals.ts';
import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {type WebhookConfig} from '../../config/webhooks/webhook-entry.ts';
import {type Journal} from '../../journal/journal.ts';
import {type MaxRuns} from '../../journal/rows/run-turns.ts';
import {createChildWatcher} from '../../mcp/transport/child-watcher.ts';
import {type Runs} from '../../runs/runs.ts';
import {type Problem} from '../../util/problem.ts';
import {type FireJob} from '../../webhooks/pipeline/dispatch.ts';
import {type HandshakeWindows} from '../../webhooks/routes/handshake-windows.ts';
import {checkRoutes} from '../../webhooks/routes/prepared-route.ts';
import {flushWindows} from '../../webhooks/coalesce/coalescer.ts';
import {createListFiles} from '../../webhooks/filters/list-file.ts';
import {type AdapterOptions} from '../../webhooks/webhook-adapter.ts';
import {logProblems, openReceiver} from './webhook-receiver.ts';
import {type DeliveryService, openDeliveryService} from './delivery-service.ts';
import {createEventViews, type EventViews} from '../pages/stored-events.ts';
import {createRunService, type RunServiceOptions} from './run-service.ts';
import {type RouteRow} from './route-rows.ts';
import {type OpenProfile} from '../documents/open-profile.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {profileScripts} from '../profiles/profile-scripts.ts';

/** Everything an event goes through. */
export type WebhookService = EventViews & {
	readonly runs: Runs;
	/** Listens, moves or closes until the adapter is what the current configuration says. Never rejects: it shows as failed. */
	readonly apply: () => Promise<void>;
	/** Takes up what an earlier process left in a journal that could not be read at the start, or another gateway that is gone. */
	readonly resume: () => Promise<void>;
	/** The last good configuration, which stays in force while a newer one is refused; undefined while there was none. */
	readonly inForce: () => WebhookConfig | undefined;
	/** Base address of the listener; null while there is none. */
	readonly url: () => string | null;
	/** The present state of every route. Rejects when the subscriptions cannot be read. */
	readonly routes: () => Promise<readonly RouteRow[]>;
	/** Delivers once more what an event led to. Rejects with `not_replayable`. */
	readonly deliverAgain: DeliveryService['sendAgain'];
	readonly deliveries: Pick<DeliveryService, 'sendMessageAgain' | 'cancel'>;
	/** The windows in which a sender may ask for a confirmation. */
	readonly handshakes: Pick<HandshakeWindows, 'open' | 'confirm'>;
	/** Takes failed deliveries from the list of what needs a person. */
	readonly dismissDeliveries: Journal['dismissFailedDeliveries'];
	readonly stop: () => Promise<void>;
};

/** The parts that a webhook service gets from the gateway. */
type WebhookServiceOptions = RunServiceOptions & {
	/** The profiles that routes may name beside the first one. */
	readonly others?: readonly ProfileContext[];
	readonly fireJob?: FireJob;
	readonly unready?: AdapterOptions['unready'];
	readonly isShared: () => boolean;
	/** Default: it always is. */
	readonly isJournalOpen?: () => boolean;
};

/** Builds the webhook service; nothing listens before `apply`. */
export function openWebhookService(
	context: OpenProfile,
	journal: Journal,
	{others = [], fireJob, unready, isShared, isJournalOpen, ...runOptions}: WebhookServiceOptions,
): WebhookService {
	const {publish, paths, current} = context;
	const delivery = openDeliveryService([context, ...others], journal, {isShared, isJournalOpen});
	const maxRuns = () => {
		const served = receiver.adapter()?.routes();
		return maxRunsOf(served ? [...served.values()].map(({config}) => config) : current().config.webhook.routes);
	};

	const runs = createRunService(context, {...runOptions, journal, delivery, maxRuns});
	const watcher = createChildWatcher();
	const scripts = profileScripts([context, ...others], watcher.guard);
	const handlers = {
		...scripts,
		deliver: delivery.deliverNow,
		callers: delivery.callers,
		noteFailure: delivery.noteFailure,
		fireJob,
		wakeRuns: runs.wake,
		unready,
		isShared,
	};
	const receiver = openReceiver(context, journal, handlers);
	const endFollowing = context.documents.onChange('webhook_subscriptions', () => receiver.adapter()?.refresh());
	let phase: 'open' | 'closed' = 'open';
	const flush = () => flushWindows({journal, isShared, wakeRuns: runs.wake, publish});

	const apply = async () => {
		if (phase === 'closed') return;
		const {webhook} = current().config;
		const refusals = webhookRefusals(webhook, scripts.expand);
		const lists = createListFiles(paths.directory);
		logProblems(context, without(refusals, checkRoutes(webhook, {expand: scripts.expand, lists})));
		await (refusals.length > 0 ? receiver.refuse(refusals) : receiver.follow(webhook));
		if (!receiver.adapter()) {
			await flush();
		}

		delivery.apply();
		// More runs may be allowed at once than before.
		runs.wake();
	};

	return {
		runs,
		apply,
		async resume() {
			delivery.followChanges();
			await (receiver.adapter()?.resume() ?? flush());
		},
		inForce: receiver.inForce,
		url: receiver.url,
		routes: receiver.rows,
		deliverAgain: delivery.sendAgain,
		deliveries: delivery,
		handshakes: receiver.handshakes,
		dismissDeliveries: journal.dismissFailedDeliveries,
		...createEventViews(context, journal, receiver.adapter),
		async stop() {
			phase = 'closed';
			endFollowing();
			// They would wait as long as the runs, of which some wait for the next start.
			delivery.acknowledgeCallers();
			// First of all: what still arrives, and groups that are flushed, stay in the queue.
			const ended = runs.stop();
			await receiver.close();
			await ended;
			await delivery.stop();
			watcher.close();
			receiver.endWatching();
		},
	};
}

/** The limit of each route that has one. */
function maxRunsOf(routes: readonly RouteConfig[]): MaxRuns {
	return new Map(routes.flatMap(({name, maxRuns}) => (maxRuns === undefined ? [] : [[name, maxRuns]])));
}

/** The flaws without those for which their route is refused already: one fault is logged once. */
function without(refusals: readonly Problem[], flaws: readonly Problem[]): readonly Problem[] {
	const nameOf = ({code, scope}: Problem) => `${code} ${scope?.kind === 'route' ? scope.name : ''}`;
	const reported = new Set(refusals.map(nameOf));
	return flaws.filter(flaw => !reported.has(nameOf(flaw)));
}
