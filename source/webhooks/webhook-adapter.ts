import {type WebhookConfig} from '../config/webhooks/webhook-entry.ts';
import {type StoredDocument} from '../config/values/stored-document.ts';
import {type Journal} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {createInFlight} from '../util/in-flight.ts';
import {type JsonObject} from '../util/json-text.ts';
import {type Coalescer, createCoalescer} from './coalesce/coalescer.ts';
import {createListener} from './http/listener.ts';
import {createLogLines} from './http/log-lines.ts';
import {type UnreadyReason} from './http/outcome.ts';
import {type BodyLimits, unverifiedBytes} from './http/body-budget.ts';
import {createBodySlots} from './http/body-slots.ts';
import {createRateLimit} from './http/route-limits.ts';
import {createSharedRateLimit} from './http/shared-rate-limit.ts';
import {createServer, type ServerLimits} from './http/server.ts';
import {createDispatch, type DispatchOptions, type FireJob} from './pipeline/dispatch.ts';
import {createDryRuns, type TryStored} from './pipeline/dry-run.ts';
import {createEventRows} from './pipeline/event-rows.ts';
import {receive} from './pipeline/receive.ts';
import {createRequestHandler, type RequestHandler, type RequestHandlerOptions} from './pipeline/request-handler.ts';
import {createKeySets, type FetchText} from './signature/key-sets.ts';
import {type HandshakeWindows, refuseConfirmation} from './routes/handshake-windows.ts';
import {createLiveRoutes, type RouteTable, type ServedProfiles} from './routes/route-table.ts';
import {createScripts, type ProfileFiles, type RunScript} from './script/script.ts';

/** The webhook adapter of one gateway. It publishes its own state (`webhook.state`). */
export type WebhookAdapter = {
	/** Starts to listen and returns the base URL. Rejects with `port_in_use` or `listen_failed`. */
	readonly listen: () => Promise<string>;
	/** Takes up what an earlier process left in the journal. `listen` does that too; call it when the journal could not be read then. */
	readonly resume: () => Promise<void>;
	/** Applies a new configuration. Open requests finish with the old one; the listener moves only when its address changed. Never rejects. */
	readonly apply: (config: WebhookConfig) => Promise<void>;
	/** Takes over subscriptions that changed, without waiting for a request. */
	readonly refresh: () => void;
	/** The routes that are served now. */
	readonly routes: () => RouteTable['routes'];
	/** Replays a stored event through its current route. Never rejects. */
	readonly replay: RequestHandler['replay'];
	readonly dryRun: TryStored;
	/** Refuses new requests, waits a bounded time for open ones, aborts the rest and closes the connections. */
	readonly close: () => Promise<void>;
};

/** Dependencies from the other modules. */
export type AdapterOptions = {
	readonly config: WebhookConfig;
	readonly clock: Clock;
	readonly publish: Publish;
	/** The publisher of a profile whose route an event came through. Default: `publish` for all. */
	readonly publishFor?: (profile: string) => Publish;
	readonly journal: Pick<
		Journal,
		| 'acceptEvent'
		| 'recordEvent'
		| 'settleEvent'
		| 'confirmEvent'
		| 'endDelivery'
		| 'listDeliveryMessages'
		| 'releaseOpenDeliveries'
		| 'takeWindow'
		| 'takeDueWindow'
		| 'listWindows'
		| 'takeQuotaBlock'
	>;
	/** True if other gateways may have the journal, too. Default: none has. */
	readonly isShared?: () => boolean;
	readonly deliver: DispatchOptions['deliver'];
	/** Default: nobody gets results. */
	readonly callers?: DispatchOptions['callers'];
	/** Called with each delivery that failed, or may have arrived. Default: nobody has to know. */
	readonly noteFailure?: DispatchOptions['noteFailure'];
	/** Fires scheduled jobs. Default: there are none. */
	readonly fireJob?: FireJob;
	/** Called when a run was queued, with its profile where that is known. */
	readonly wakeRuns: (profile?: string) => void;
	/** False while no configuration could be read once. Default: it was. */
	readonly areConfiguredRoutesRead?: () => boolean;
	/** The reason that no new requests may come, besides routes that could not be read. Default: nothing keeps them away. */
	readonly unready?: () => Promise<readonly UnreadyReason[]>;
	/** The limit of runs waiting in the journal. */
	readonly queueLimit: () => number;
	/** The running profile. */
	readonly profile: string;
	readonly subscriptions: StoredDocument<JsonObject>;
	/** The profile's directory: location of relative `in_file` paths. */
	readonly directory: string;
	readonly scripts: ProfileFiles['scripts'];
	/** Expands the variable references of route secrets, with the secrets of the profile that serves the route. */
	readonly expand: (text: string, profile?: string) => string;
	/** The dependencies of routes that name another profile; undefined when it is not served (docs/configuration.md, Profiles). Default: no other profile is served. */
	readonly otherProfile?: (name: string) => ProfileFiles | undefined;
	/** Fetches keys and certificates of senders. Default: none can be fetched. */
	readonly fetchText?: FetchText;
	/** Puts a confirmation before a person. Default: nobody waits for one. */
	readonly offerConfirmation?: HandshakeWindows['offer'];
	/** Receives the secrets of subscriptions, so that they are masked. */
	readonly learnSecret?: (secret: string) => void;
	/** Other limits, for tests. */
	readonly limits?: Partial<AdapterLimits>;
};

/** Limits without a configuration key (docs/webhooks.md, Answers). */
type AdapterLimits = ServerLimits & {
	readonly bodyMilliseconds: number;
	/** Bodies of unverified senders read at once, per route. */
	readonly unverifiedBodies: number;
	/** Bytes that the bodies of all routes may hold. */
	readonly unverifiedBytes: Omit<BodyLimits, 'bodiesPerRoute'>;
	/** The time that a stop waits for open requests. */
	readonly drainMilliseconds: number;
	/** The time that it then waits for their connections. */
	readonly graceMilliseconds: number;
};

const adapterLimits: AdapterLimits = {
	headersMilliseconds: 10_000,
	bodyMilliseconds: 30_000,
	requestMilliseconds: 45_000,
	keepAliveMilliseconds: 15_000,
	checkMilliseconds: 1000,
	maxHeaderBytes: 16_384,
	maxConnections: 1024,
	unverifiedBodies: 64,
	unverifiedBytes,
	drainMilliseconds: 10_000,
	graceMilliseconds: 1000,
};

/** Requests that verify the URL of a route, a minute and route. */
const challengesPerMinute = 10;

/** Creates the adapter; nothing listens before `listen`. */
export function createWebhookAdapter(options: AdapterOptions): WebhookAdapter {
	const {clock, publish, journal, isShared = no, wakeRuns, otherProfile = none, learnSecret = none} = options;
	const {areConfiguredRoutesRead = yes} = options;
	const limits = {...adapterLimits, ...options.limits};
	let {config} = options;
	let closing: Promise<void> | undefined;
	const givingUp = new AbortController();
	const {signal} = givingUp;

	const onChange = () => listener.reportRoutes();
	const keySets = createKeySets({clock, fetchText: options.fetchText ?? noFetch, signal});
	const routes = createLiveRoutes({...options, otherProfile, learnSecret, keySets, onChange});
	const coalescer = createCoalescer({journal, isShared, clock, publish, wakeRuns});
	const isStopping = () => closing !== undefined;
	const {current: table} = routes;
	const areRoutesRead = () => routes.areRead() && areConfiguredRoutesRead();
	const unready = async (): Promise<readonly UnreadyReason[]> => [
		...(routes.areRead() ? [] : ['routes' as const]),
		...((await options.unready?.()) ?? []),
	];
	const {arrived: coalesced} = coalescer;
	const handler = wireRequestHandler(options, {limits, table, areRoutesRead, coalesced, isStopping, unready, signal});
	const listener = createListener({
		clock,
		publish,
		graceMilliseconds: limits.graceMilliseconds,
		countRoutes: () => routes.last().routes.size,
		createServer: () => createServer({answer: handler.answer, answerMalformed: handler.answerMalformed, clock, limits}),
	});

	const close = async () => {
		await handler.drained(limits.drainMilliseconds);
		givingUp.abort(new Error('The gateway is shutting down'));
		// The rows of aborted requests are still written.
		await handler.drained(limits.graceMilliseconds);
		await coalescer.close();
		await listener.close();
	};

	const resume = async () => {
		journal.releaseOpenDeliveries(clock.now());
		await coalescer.resume(route => routes.last().routes.get(route)?.config.coalesce);
	};

	return {
		resume,
		refresh: () => void routes.current(),
		routes: () => routes.last().routes,
		async listen() {
			await resume();
			return listener.open(config);
		},
		replay: handler.replay,
		// Scripts of dry runs do not count towards the limit for those of events.
		dryRun: createDryRuns({clock, profiles: servedProfiles(options), table, runScript: wireScripts(options, signal)}),
		async apply(next) {
			const disconnects = !next.enabled || next.host !== config.host || next.port !== config.port;
			config = next;
			routes.replace(next);
			await listener.follow(next);
			if (disconnects) {
				await coalescer.flush();
			}
		},
		close() {
			closing ??= close();
			return closing;
		},
	};
}

/** Wires the request handler of an adapter. Its quotas start at zero and survive a new configuration. */
export function wireRequestHandler(
	options: AdapterOptions,
	state: Pick<RequestHandlerOptions, 'table' | 'areRoutesRead' | 'isStopping' | 'unready' | 'signal'> & {
		readonly limits: Pick<AdapterLimits, 'bodyMilliseconds' | 'unverifiedBodies'> &
			Partial<Pick<AdapterLimits, 'unverifiedBytes'>>;
		readonly coalesced: Coalescer['arrived'];
	},
): RequestHandler {
	const {
		clock,
		publish,
		journal,
		isShared = no,
		profile,
		deliver,
		fireJob = noJobs,
		wakeRuns,
		queueLimit,
		callers,
	} = options;
	const {unverifiedBodies: bodiesPerRoute} = state.limits;
	const {limits, table, areRoutesRead, coalesced, isStopping, unready, signal} = state;
	const rows = createEventRows({clock, publishFor: options.publishFor ?? (() => publish), journal, profile});
	const log = createLogLines(publish);
	const ownLimit = createRateLimit(clock);
	const challengeLimit = createRateLimit(clock);
	const sharedLimit = createSharedRateLimit({clock, journal, report: log.error});
	const runScript = wireScripts(options, signal);
	const inFlight = createInFlight();
	const dispatch = createDispatch({
		clock,
		journal,
		record: rows.record,
		report: log.error,
		signal,
		profile,
		deliver,
		callers,
		inFlight,
		noteFailure: options.noteFailure,
		fireJob,
		wakeRuns,
		coalesced,
		queueLimit,
	});
	return createRequestHandler({
		clock,
		rows,
		inFlight,
		table,
		profiles: servedProfiles(options),
		slots: createBodySlots({...unverifiedBytes, ...limits.unverifiedBytes, bodiesPerRoute}, clock),
		bodyMilliseconds: limits.bodyMilliseconds,
		areRoutesRead,
		isStopping,
		unready,
		signal,
		offerConfirmation: options.offerConfirmation ?? refuseConfirmation,
		takeChallengeQuota: route => challengeLimit.takeQuota(route, challengesPerMinute),
		receive: (request, {maxBodyBytes, rateLimit}) =>
			receive(request, {
				maxBodyBytes,
				takeQuota: route => (isShared() ? sharedLimit : ownLimit).takeQuota(route, rateLimit),
				onLegacySignature: log.legacySignature,
				runScript,
				dispatch,
			}),
		report: log.error,
	});
}

function wireScripts({clock, publish, scripts, otherProfile}: AdapterOptions, signal: AbortSignal): RunScript {
	return createScripts({
		settings: scripts,
		settingsOf: name => otherProfile?.(name)?.scripts,
		clock,
		signal,
		reportFault: createLogLines(publish).scriptFault,
	});
}

function servedProfiles({profile, otherProfile}: AdapterOptions): ServedProfiles {
	return {running: profile, serves: name => otherProfile?.(name) !== undefined};
}

const noFetch: FetchText = async () => Promise.reject(new Error('Nothing can be fetched here'));
const no = () => false;
const yes = () => true;
const none = () => undefined;
const noJobs: FireJob = async () => ({kind: 'dropped', reason: 'there are no jobs'});
