import {createSubscriptionStore} from '../../config/webhooks/subscriptions.ts';
import {type WebhookConfig} from '../../config/webhooks/webhook-entry.ts';
import {type EventRecord, type Journal} from '../../journal/journal.ts';
import {actionCommands, problemActions} from '../../state/next-action.ts';
import {type Problem, problemLine} from '../../util/problem.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {safeText} from '../../util/safe-text.ts';
import {createHandshakeWindows} from '../../webhooks/routes/handshake-windows.ts';
import {type FetchText, largestKeySetBytes} from '../../webhooks/signature/key-sets.ts';
import {type AdapterOptions, createWebhookAdapter, type WebhookAdapter} from '../../webhooks/webhook-adapter.ts';
import {type OpenProfile} from '../documents/open-profile.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {type profileScripts} from '../profiles/profile-scripts.ts';
import {type FormerRoutes} from './route-rows.ts';
import {createRouteStatus, type ReceiverState, type RouteStatus} from './route-status.ts';

type Handlers = ReturnType<typeof profileScripts> &
	Pick<AdapterOptions, 'deliver' | 'callers' | 'noteFailure' | 'fireJob' | 'wakeRuns' | 'unready' | 'isShared'>;

/** Fetches keys and certificates of senders, and addresses that confirm a subscription. */
const fetchText: FetchText = async (url, options) => {
	const {createTextFetch} = await import('../../net/fetch-text.ts');
	return createTextFetch({limitBytes: largestKeySetBytes})(url, options);
};

/** The adapter, opened when the configuration first asks for it, and which routes it serves. */
export function openReceiver(context: OpenProfile, journal: Journal, handlers: Handlers) {
	const {publish} = context;
	let adapter: WebhookAdapter | undefined;
	let inForce: WebhookConfig | undefined;
	let kept: FormerRoutes | undefined;
	const findRoute = (name: string) => adapter?.routes().get(name);
	const handshakes = createHandshakeWindows({clock: context.clock, fetchText, findRoute});
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
			adapter = createWebhookAdapter({
				...adapterOptions(context, journal),
				...handlers,
				offerConfirmation: handshakes.offer,
				areConfiguredRoutesRead: () => context.inForce() !== 'nothing',
			});
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
		handshakes,
		close,
		endWatching: listener.close,
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

export function logProblems({publish, paths}: ProfileContext, problems: readonly Problem[]): void {
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

/** The options of the webhook adapter, from the profile and its journal. */
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
		fetchText,
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
		endDelivery: (event, ends) =>
			journal.endDelivery(
				event,
				ends.map(({detail, ...end}) => ({...end, ...(detail !== undefined && {detail: redact(detail)})})),
			),
	};
}
