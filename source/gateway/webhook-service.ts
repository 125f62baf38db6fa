import {webhookRefusals} from '../config/webhooks/refusals.ts';
import {createSubscriptionStore} from '../config/webhooks/subscriptions.ts';
import {type WebhookConfig} from '../config/webhooks/webhook-entry.ts';
import {type EventRecord, type Journal} from '../journal/journal.ts';
import {createChildWatcher} from '../mcp/transport/child-watcher.ts';
import {type ProfileOf} from '../runs/run-profile.ts';
import {createRuns, type Runs} from '../runs/runs.ts';
import {actionCommands, problemActions} from '../state/next-action.ts';
import {redactTexts} from '../util/redact-texts.ts';
import {type Problem, problemLine} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type FireJob} from '../webhooks/pipeline/dispatch.ts';
import {checkRoutes} from '../webhooks/routes/prepared-route.ts';
import {flushWindows} from '../webhooks/coalesce/coalescer.ts';
import {createListFiles} from '../webhooks/filters/list-file.ts';
import {type AdapterOptions, createWebhookAdapter, type WebhookAdapter} from '../webhooks/webhook-adapter.ts';
import {type DeliveryService, openDeliveryService} from './delivery-service.ts';
import {createEventViews, type EventViews, storedPayload} from './stored-events.ts';
import {type FormerRoutes, type RouteRow} from './route-rows.ts';
import {type OpenProfile} from './profiles/open-profile.ts';
import {type ProfileContext} from './profiles/profile-context.ts';
import {createRouteStatus, type ReceiverState, type RouteStatus} from './route-status.ts';
import {profileScripts} from './profiles/profile-scripts.ts';

/** Everything an event goes through. */
export type WebhookService = EventViews & {
	readonly runs: Runs;
	/** Listens, moves or closes until the adapter is what the current configuration says. Never rejects: it shows as failed. */
	readonly apply: () => Promise<void>;
	/** Takes up what an earlier process left in a journal that could not be read at the start. */
	readonly resume: () => Promise<void>;
	/** The last good configuration, which stays in force while a newer one is refused; undefined while there was none. */
	readonly inForce: () => WebhookConfig | undefined;
	/** Base address of the listener; null while there is none. */
	readonly url: () => string | null;
	/** Every route as it stands now. Rejects when the subscriptions cannot be read. */
	readonly routes: () => Promise<readonly RouteRow[]>;
	/** Delivers once more what an event led to. Rejects with `not_replayable`. */
	readonly deliverAgain: DeliveryService['sendAgain'];
	/** Takes failed deliveries from the list of what needs a person. */
	readonly dismissDeliveries: Journal['dismissFailedDeliveries'];
	readonly stop: () => Promise<void>;
};

/** What a webhook service takes from elsewhere. */
export type WebhookServiceOptions = {
	/** The profiles that routes may name beside the first one. */
	readonly others?: readonly ProfileContext[];
	readonly fireJob?: FireJob;
	readonly profileOf: ProfileOf;
	readonly isHeld: () => boolean;
	readonly unready?: AdapterOptions['unready'];
};

/** Builds the webhook service; nothing listens before `apply`. */
export function openWebhookService(
	context: OpenProfile,
	journal: Journal,
	{others = [], fireJob, profileOf, isHeld, unready}: WebhookServiceOptions,
): WebhookService {
	const {publish, paths, current} = context;
	const delivery = openDeliveryService([context, ...others], journal);
	const runs = openRuns(context, {journal, delivery, profileOf, isHeld});
	const watcher = createChildWatcher();
	const scripts = profileScripts([context, ...others], watcher.guard);
	const handlers = {...scripts, deliver: delivery.deliverNow, fireJob, wakeRuns: runs.wake, unready};
	const receiver = openReceiver(context, journal, handlers);
	let phase: 'open' | 'closed' = 'open';

	const apply = async () => {
		if (phase === 'closed') return;
		const {webhook} = current().config;
		const refusals = webhookRefusals(webhook, scripts.expand);
		const lists = createListFiles(paths.directory);
		logProblems(context, without(refusals, checkRoutes(webhook, {expand: scripts.expand, lists})));
		await (refusals.length > 0 ? receiver.refuse(refusals) : receiver.follow(webhook));
		if (!receiver.adapter()) {
			await flushWindows({journal, wakeRuns: runs.wake, publish});
		}

		delivery.apply();
		// More runs may be allowed at once than before.
		runs.wake();
	};

	return {
		runs,
		apply,
		resume: async () => receiver.adapter()?.resume(),
		inForce: receiver.inForce,
		url: receiver.url,
		routes: receiver.rows,
		deliverAgain: delivery.sendAgain,
		dismissDeliveries: journal.dismissFailedDeliveries,
		...createEventViews(context, journal, receiver.adapter),
		async stop() {
			phase = 'closed';
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

type Handlers = ReturnType<typeof profileScripts> &
	Pick<AdapterOptions, 'deliver' | 'fireJob' | 'wakeRuns' | 'unready'>;

/** The adapter, opened when the configuration first asks for it, and which routes it serves. */
function openReceiver(context: OpenProfile, journal: Journal, handlers: Handlers) {
	const {publish} = context;
	let adapter: WebhookAdapter | undefined;
	let inForce: WebhookConfig | undefined;
	let kept: FormerRoutes | undefined;
	const listener = watchListener(context, createRouteStatus(context, {journal, ...handlers, kept: () => kept}));

	const close = async () => {
		await adapter?.close();
		adapter = undefined;
	};

	/** While one configured route is refused, the last good ones stay in force; without any, the adapter does not listen (docs/webhooks.md, When the receiver does not start). */
	const refuse = async (refusals: readonly Problem[]) => {
		logProblems(context, refusals);
		if (adapter && inForce?.enabled) {
			kept = {webhook: inForce, prepared: adapter.routes()};
			publishKept(context, refusals);
			listener.refresh();
		} else {
			await close();
			publishRefused(context, refusals);
		}
	};

	/** Listens where and while the configuration says so. Why it does not is logged once, and a change of the configuration tries again. */
	const follow = async (webhook: WebhookConfig) => {
		const before = listener.failure();
		inForce = webhook;
		if (kept) {
			kept = undefined;
			publish({type: 'fault.state', part: 'routes'});
		}

		if (adapter) {
			await adapter.apply(webhook);
		} else if (webhook.enabled) {
			adapter = createWebhookAdapter({...adapterOptions(context, journal), ...handlers});
			await adapter.listen().catch(() => undefined);
		} else if (before !== undefined) {
			publish({type: 'webhook.state', state: 'off', routes: webhook.routes.length});
		}

		const failure = listener.failure();
		if (failure !== undefined && failure.reason !== before?.reason) {
			const commands = actionCommands(failure.nextActions, {profile: context.paths.profile});
			const text = commands === undefined ? failure.reason : `${failure.reason} (${commands})`;
			publish({type: 'log', level: 'error', area: 'webhooks', text});
		}
	};

	return {
		follow,
		refuse,
		adapter: () => adapter,
		inForce: () => inForce,
		url: listener.url,
		rows: listener.rows,
		close,
		endWatching: listener.close,
	};
}

/** The runs; what a former process had still to deliver is known before their queue is taken up, and sent behind it. */
function openRuns(
	{clock, publish, current}: ProfileContext,
	options: {journal: Journal; delivery: DeliveryService} & Pick<WebhookServiceOptions, 'profileOf' | 'isHeld'>,
): Runs {
	const {journal, delivery, profileOf, isHeld} = options;
	const {deliver, ready: deliveryReady, leftBehind, resume} = delivery;
	const maximumConcurrentRuns = () => current().config.agent.maxConcurrentRuns;
	const runs = createRuns({
		journal,
		clock,
		publish,
		deliver,
		deliveryReady,
		maximumConcurrentRuns,
		isHeld,
		profileOf,
		payloadOf: eventId => storedPayload(journal, eventId),
	});
	return {
		...runs,
		async start() {
			const left = await leftBehind();
			await runs.start();
			void resume(left);
		},
	};
}

/** The last published state of the webhook listener: where it listens, or why it does not. Each change refreshes the routes. */
function watchListener({eventBus}: Pick<ProfileContext, 'eventBus'>, routeStatus: RouteStatus) {
	let state: ReceiverState = {url: null, failure: undefined};
	const endListening = eventBus.listen(event => {
		if (event.type === 'webhook.state') {
			state = {
				url: event.state === 'listening' ? (event.url ?? null) : null,
				failure:
					event.state === 'failed' && event.reason !== undefined
						? {reason: event.reason, nextActions: event.nextActions}
						: undefined,
			};
			routeStatus.refresh(state);
		}
	});
	const close = () => {
		endListening();
		routeStatus.close();
	};

	return {
		url: () => state.url,
		failure: () => state.failure,
		rows: () => routeStatus.rows(state),
		refresh: () => routeStatus.refresh(state),
		close,
	};
}

function logProblems({publish, paths}: ProfileContext, problems: readonly Problem[]): void {
	for (const problem of problems) {
		const text = safeText(problemLine(problem, paths.directory));
		publish({type: 'log', level: problem.level, area: 'webhooks', text});
	}
}

function publishKept({publish, paths}: ProfileContext, refusals: readonly Problem[]): void {
	const reason = refusals.map(refusal => safeText(problemLine(refusal, paths.directory))).join('; ');
	const meanwhile = 'all webhook routes stay as they were until it is fixed';
	publish({type: 'fault.state', part: 'routes', reason: `${reason} · ${meanwhile}`});
}

function publishRefused({publish, current}: ProfileContext, refusals: readonly Problem[]): void {
	const reason = refusals.map(refusal => safeText(refusal.message)).join('; ');
	const nextActions = problemActions(refusals);
	publish({
		type: 'webhook.state',
		state: 'failed',
		reason,
		nextActions,
		routes: current().config.webhook.routes.length,
	});
}

/** The flaws without those for which their route is refused already: one fault is logged once. */
function without(refusals: readonly Problem[], flaws: readonly Problem[]): readonly Problem[] {
	const nameOf = ({code, scope}: Problem) => `${code} ${scope?.kind === 'route' ? scope.name : ''}`;
	const reported = new Set(refusals.map(nameOf));
	return flaws.filter(flaw => !reported.has(nameOf(flaw)));
}

/** What the adapter needs beside the service itself. */
function adapterOptions(
	{clock, publish, eventBus, paths, documents, current, redactor}: OpenProfile,
	journal: Journal,
) {
	return {
		subscriptions: createSubscriptionStore(documents),
		config: current().config.webhook,
		clock,
		publish,
		publishFor: eventBus.publishFor,
		journal: withRedactedHeaders(journal, redactor.redact),
		queueLimit: () => current().config.agent.maxQueuedRuns,
		profile: paths.profile,
		directory: paths.directory,
		learnSecret: redactor.learn,
	};
}

/** Senders put secrets under any name, platforms into what they answer; what is known as one is not kept. Bodies are kept as they came: they are what is replayed. */
function withRedactedHeaders(journal: Journal, redact: (text: string) => string): Journal {
	const cleaned = (event: EventRecord): EventRecord => ({
		...event,
		headers: redactTexts(event.headers, redact),
		trace: event.trace && redactTexts(event.trace, redact),
	});
	return {
		...journal,
		acceptEvent: request => journal.acceptEvent({...request, event: cleaned(request.event)}),
		recordEvent: event => journal.recordEvent(cleaned(event)),
		endDelivery: (event, {detail, ...message}) =>
			journal.endDelivery(event, {...message, ...(detail !== undefined && {detail: redact(detail)})}),
	};
}
