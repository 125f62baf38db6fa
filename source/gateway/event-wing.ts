import {check} from '../config/refusals.ts';
import {type WebhookConfig} from '../config/webhook-entry.ts';
import {type EventRecord, type Journal} from '../journal/journal.ts';
import {createChildWatcher} from '../mcp/child-watcher.ts';
import {type ProfileOf} from '../runs/run-profile.ts';
import {createRuns, type Runs} from '../runs/runs.ts';
import {cleanTexts} from '../util/clean-texts.ts';
import {type Problem, problemLine} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type FireJob} from '../webhooks/acceptable-event.ts';
import {checkRoutes} from '../webhooks/check.ts';
import {flushWindows} from '../webhooks/coalescer.ts';
import {createListFiles} from '../webhooks/list-file.ts';
import {createWebhookAdapter, type WebhookAdapter} from '../webhooks/webhook-adapter.ts';
import {type DeliveryWing, openDeliveryWing} from './delivery-wing.ts';
import {type EventViews, openEventViews} from './event-views.ts';
import {type Foundation} from './foundation.ts';
import {createRouteBoard, type RouteBoard} from './route-board.ts';
import {profilePlaces} from './profile-places.ts';

/** Everything an event walks through. */
export type EventWing = EventViews & {
	readonly runs: Runs;
	/** Listens, moves or closes until the adapter is what the current configuration says. Never rejects: it shows as failed. */
	readonly apply: () => Promise<void>;
	/** Base address of the listener; null while there is none. */
	readonly url: () => string | null;
	/** Delivers once more what an event led to. Rejects with `not_replayable`. */
	readonly deliverAgain: DeliveryWing['sendAgain'];
	readonly stop: () => Promise<void>;
};

/** What an event wing takes from elsewhere. */
export type EventWingOptions = {
	/** The profiles that routes may name beside the first one. */
	readonly others?: readonly Foundation[];
	readonly fireJob?: FireJob;
	readonly profileOf: ProfileOf;
};

/** Builds the event wing; nothing listens before `apply`. */
export function openEventWing(
	foundation: Foundation,
	journal: Journal,
	{others = [], fireJob, profileOf}: EventWingOptions,
): EventWing {
	const {publish, paths, current} = foundation;
	const delivery = openDeliveryWing([foundation, ...others], journal);
	const runs = openRuns(foundation, {journal, delivery, profileOf});
	const watcher = createChildWatcher();
	const places = profilePlaces([foundation, ...others], watcher.guard);
	const doings = {...places, deliver: delivery.deliverNow, fireJob, wakeRuns: runs.wake};
	let adapter: WebhookAdapter | undefined;
	let phase: 'open' | 'closed' = 'open';
	const listener = watchListener(foundation, createRouteBoard(foundation, {journal, ...places}));

	const close = async () => {
		await adapter?.close();
		adapter = undefined;
	};

	/** The adapter does not listen while one configured route is refused; the rest of the gateway goes on (spec/decisions.md, D3). */
	const refuse = async (refusals: readonly Problem[]) => {
		await close();
		tellRefused(foundation, refusals);
	};

	/** Listens where and while the configuration says so. Why it does not is told once, and a change of the configuration tries again. */
	const follow = async (webhook: WebhookConfig) => {
		const before = listener.failure();
		if (adapter) {
			await adapter.apply(webhook);
		} else if (webhook.enabled) {
			adapter = createWebhookAdapter({...adapterOptions(foundation, journal), ...doings});
			await adapter.listen().catch(() => undefined);
		} else if (before !== undefined) {
			publish({type: 'webhook.state', state: 'off', routes: webhook.routes.length});
		}

		const failure = listener.failure();
		if (failure !== undefined && failure !== before) {
			publish({type: 'log', level: 'error', area: 'webhooks', text: failure});
		}
	};

	const apply = async () => {
		if (phase === 'closed') return;
		const {webhook} = current().config;
		const refusals = check(webhook, places.expand);
		const lists = createListFiles(paths.directory);
		tellProblems(foundation, without(refusals, checkRoutes(webhook, {expand: places.expand, lists})));
		await (refusals.length > 0 ? refuse(refusals) : follow(webhook));
		if (!adapter) {
			await flushWindows({journal, wakeRuns: runs.wake, publish});
		}

		delivery.apply();
		// More runs may be allowed at once than before.
		runs.wake();
	};

	return {
		runs,
		apply,
		url: listener.url,
		deliverAgain: delivery.sendAgain,
		...openEventViews(foundation, journal, () => adapter),
		async stop() {
			phase = 'closed';
			await close();
			await runs.stop();
			await delivery.stop();
			watcher.close();
			listener.close();
		},
	};
}

/** The runs; what a former process had still to deliver is known before their queue is taken up, and sent behind it. */
function openRuns(
	{clock, publish, current}: Foundation,
	{journal, delivery, profileOf}: {journal: Journal; delivery: DeliveryWing; profileOf: ProfileOf},
): Runs {
	const {deliver, leftBehind, resume} = delivery;
	const maximumConcurrentRuns = () => current().config.agent.maxConcurrentRuns;
	const runs = createRuns({journal, clock, publish, deliver, maximumConcurrentRuns, profileOf});
	return {
		...runs,
		async start() {
			const left = await leftBehind();
			await runs.start();
			void resume(left);
		},
	};
}

/** What the webhook listener told last: where it listens, or why it does not. The board of routes looks again whenever it tells. */
function watchListener({hall}: Pick<Foundation, 'hall'>, board: RouteBoard) {
	let url: string | null = null;
	let failure: string | undefined;
	const endListening = hall.listen(event => {
		if (event.type === 'webhook.state') {
			url = event.state === 'listening' ? (event.url ?? null) : null;
			failure = event.state === 'failed' ? event.reason : undefined;
			board.refresh(url);
		}
	});
	const close = () => {
		endListening();
		board.close();
	};

	return {url: () => url, failure: () => failure, close};
}

function tellProblems({publish, paths}: Foundation, problems: readonly Problem[]): void {
	for (const problem of problems) {
		const text = safeText(problemLine(problem, paths.directory));
		publish({type: 'log', level: problem.level, area: 'webhooks', text});
	}
}

function tellRefused(foundation: Foundation, refusals: readonly Problem[]): void {
	const {publish, current} = foundation;
	tellProblems(foundation, refusals);
	const reason = refusals.map(refusal => safeText(refusal.message)).join('; ');
	publish({type: 'webhook.state', state: 'failed', reason, routes: current().config.webhook.routes.length});
}

/** The flaws without those for which their route is refused already: one fault is told once. */
function without(refusals: readonly Problem[], flaws: readonly Problem[]): readonly Problem[] {
	const nameOf = ({code, scope}: Problem) => `${code} ${scope?.kind === 'route' ? scope.name : ''}`;
	const told = new Set(refusals.map(nameOf));
	return flaws.filter(flaw => !told.has(nameOf(flaw)));
}

/** What the adapter needs beside the wing itself. */
function adapterOptions({clock, publish, paths, current, redactor}: Foundation, journal: Journal) {
	return {
		config: current().config.webhook,
		clock,
		publish,
		journal: withCleanHeaders(journal, redactor.clean),
		queueLimit: () => current().config.agent.maxQueuedRuns,
		profile: paths.profile,
		directory: paths.directory,
		learnSecret: redactor.learn,
	};
}

/** Senders put secrets under any name; what is known as one is not kept. Bodies are kept as they came: they are what is replayed. */
function withCleanHeaders(journal: Journal, clean: (text: string) => string): Journal {
	const cleaned = (event: EventRecord): EventRecord => ({
		...event,
		headers: cleanTexts(event.headers, clean),
		trace: event.trace && cleanTexts(event.trace, clean),
	});
	return {
		...journal,
		acceptEvent: request => journal.acceptEvent({...request, event: cleaned(request.event)}),
		recordEvent: event => journal.recordEvent(cleaned(event)),
	};
}
