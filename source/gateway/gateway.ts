import {acquireLock, type Lock} from '../control/lock.ts';
import {type CronService} from './services/cron-service.ts';
import {type Closing, createClosing} from './services/closing.ts';
import {type WebhookService} from './services/webhook-service.ts';
import {shareJournal} from './share-journal.ts';
import {type ProfileContext, type RuntimeContext} from './profiles/profile-context.ts';
import {type Profiles} from './services/profiles.ts';
import {type GatewayJournal, openGatewayJournal} from './journal/gateway-journal.ts';
import {createSilenceGuard} from './journal/silent-journal.ts';
import {createReadiness, publishStarted, type Readiness} from './readiness.ts';
import {createReloads, type Reloads, watchFiles} from './services/reload.ts';
import {createRemoteAccess} from './services/remote-access.ts';
import {restoreRates} from './restore-rates.ts';
import {type SpendingLimits} from './services/spending-limits.ts';
import {type ToolService} from './services/tool-service.ts';
import {openEventLog} from '../journal/log-file.ts';
import {type StorageWorker} from '../journal/sqlite/storage-thread.ts';
import {type Console, type OpenConsole} from '../state/console.ts';
import {type LiveSnapshot, openLiveSnapshot} from '../state/gathered-snapshot.ts';
import {atMost} from '../util/clock.ts';
import {type Problem} from '../util/problem.ts';
import {loadHttpServer} from '../util/http-server.ts';

/** A running gateway. */
export type Gateway = {
	/** A person is there who looks on, and who may be asked if the console is a deciding one. */
	readonly openConsole: OpenConsole;
	/** The console of the process that started the gateway. */
	readonly console: Console | undefined;
	readonly callTool: ToolService['callTool'];
	/** Fires a cron job of the first profile. */
	readonly fireJob: CronService['fire'];
	readonly webhookUrl: () => string | null;
	/** Milliseconds since the last key at any console of the journal's gateways; undefined before the first. */
	readonly sinceLastKey: () => number | undefined;
	readonly reload: Reloads['reload'];
	/** Runs before an orderly stop: readiness turns false, and requests are still served until balancers have noticed. */
	readonly drain: Readiness['drain'];
	/**
	Refuses what comes, ends what runs, in reverse order of the start. A second call waits for the first. Rejects with `storage_unavailable` when the
	journal answers nothing any more: then the process is to end as it is.
	*/
	readonly stop: (reason: string) => Promise<void>;
};

/** Mode, profiles and injected parts of a gateway. */
export type GatewayOptions = {
	readonly mode: 'normal' | 'demo';
	/** A console that is open before anything can ask a person (docs/approvals.md, Consoles); absent: nobody is there. */
	readonly console?: Pick<Parameters<OpenConsole>[0], 'mode'> | undefined;
	/** Started ahead, for a journal that is a file. It opens nothing before the lock is held, and ends with the gateway. */
	readonly storageThread?: StorageWorker | undefined;
	/** Makes a new journal where the one that the state directory knew is empty. */
	readonly emptyJournal?: 'new-journal' | undefined;
	/** Asks the process that started the gateway to stop it: somebody at another terminal wants it, or it cannot go on for this reason. */
	readonly onStopAsked: (why?: Problem) => void;
};

/**
Starts a gateway: lock, journal, tool servers, webhooks, control socket. Rejects with the Problem that keeps it from running at all
(`gateway_running`, `config_unreadable`); everything else is logged and the rest goes on.
*/
export async function startGateway(runtime: RuntimeContext, options: GatewayOptions): Promise<Gateway> {
	const closing = createClosing();
	closing.push(() => void options.storageThread?.terminate());
	try {
		return await start(runtime, options, closing);
	} catch (error) {
		// The first error is the one to report, not a failure to close after it.
		await closing.run().catch(() => undefined);
		throw error;
	}
}

async function start(runtime: RuntimeContext, options: GatewayOptions, closing: Closing): Promise<Gateway> {
	// The lock before all else: nothing in the directory is touched while another gateway holds it.
	const lock: Lock = await acquireLock(runtime.paths.lock);
	closing.push(lock.release);
	const startedAt = runtime.clock.now();
	const live = openLiveSnapshot(runtime.eventBus);
	closing.push(live.close);
	closing.push(await openEventLog(runtime, `${runtime.paths.logs}/sluice.log`, runtime.paths.profile));
	// The last event, once everything below it is down.
	const announceStop = closing.reserve();
	const loading = import('./profiles/profile-context.ts').then(({loadProfile}) => loadProfile(runtime));
	// A file is opened while the rest is loaded and the configuration is read.
	const opening = openGatewayJournal(runtime, loading, {
		thread: options.storageThread,
		...(options.emptyJournal && {emptyJournal: options.emptyJournal}),
		onNewer: options.onStopAsked,
	});
	closing.push(async () => (await opening).close());
	const context = await loading;
	let reason = 'the start failed';
	announceStop(() => context.publish({type: 'gateway.stopped', reason}));
	const readiness = createReadiness(context, async () => (await opening).isReached());
	const services = await openServices(context, {...options, ...readiness, opening, live}, closing);
	const {profiles, events, endpoint, reload, stored, openConsole, console} = services;
	await stored.take(profiles.recoverCalls);
	// The start is over once the endpoint and its token are there, or the endpoint has failed.
	await endpoint.apply();
	publishStarted(context, events.url(), options.mode);
	closing.push(restoreRates({...runtime, profile: runtime.paths.profile}, {...stored, live, startedAt}));
	shareJournal(context, {...services, live});
	closing.push(stored.nodes.endWork);

	let stopped: Promise<void> | undefined;
	return {
		openConsole,
		console,
		callTool: profiles.first.tools.callTool,
		fireJob: profiles.first.cron.fire,
		webhookUrl: events.url,
		sinceLastKey: services.stored.nodes.lastKey.since,
		reload,
		drain: readiness.drain,
		stop(why) {
			readiness.end();
			if (!stopped) {
				reason = why;
				context.publish({type: 'log', level: 'info', area: 'gateway', text: `stopping: ${why}`});
				stopped = closing.run();
			}

			return stopped;
		},
	};
}

/** Opens everything behind the lock. Webhooks are taken from the first moment; the rest, which is larger, is only loaded then. */
async function openServices(first: ProfileContext, options: ServiceOptions, closing: Closing) {
	const taking = await openEvents(first, options, closing);
	return openTools(taking, options, closing);
}

type ServiceOptions = GatewayOptions &
	Pick<Readiness, 'unready' | 'watchServers'> & {
		readonly opening: Promise<GatewayJournal>;
		readonly live: LiveSnapshot;
	};

/** Opens the journal, and takes webhooks. */
async function openEvents(first: ProfileContext, {opening, unready}: ServiceOptions, closing: Closing) {
	const [{readServedProfiles}, {openHold}, {openAgentService}, {openWebhookService}] = await loadWebhooks(first);
	const stored = await opening;
	const {journal, nodes} = stored;
	closing.guard(createSilenceGuard(stored, {...first, path: first.paths.journal}));
	stored.startPruning(() => first.current().config.journal);
	const {contexts, others} = await readServedProfiles(first, {stored, closing});
	const [context] = contexts;
	// It goes on until everything that waits for a person has ended, and shows that.
	const remote = createRemoteAccess(nodes.hasChannelElsewhere);
	closing.push(remote.close);
	// Before the webhook service on this list, so that it is closed after it: runs may still call tools while they end.
	const closeTools = closing.reserve();
	// From here on, nothing is sent past it.
	const hold = openHold(contexts, stored.sharedAs);
	closing.push(hold.close);
	const spending = await openLimits(context, {stored, closing}, () => events.runs.wake());
	const agents = openAgentService(contexts, spending.spending);
	closing.push(agents.stop);
	const jobs = Promise.withResolvers<Profiles>();
	const events = openWebhookService(context, journal, {
		others,
		profileOf: agents.profileOf,
		isHeld: () => hold.current() !== undefined,
		withheldOrigins: spending.withheldOrigins,
		unready,
		isShared: () => stored.sharedAs() !== undefined,
		isJournalOpen: stored.isOpen,
		nodes,
		// An event that comes in the first moments waits until there are jobs.
		fireJob: async (job, {profile, ...by}) =>
			(await jobs.promise).find(profile).cron.fire(job, {kind: 'webhook', ...by}),
	});
	closing.push(events.stop);
	hold.onRelease(events.runs.wake);
	const isLate = await takeEvents(events, {stored, spending});
	return {contexts, stored, remote, closeTools, hold, spending, agents, events, jobs, isLate};
}

/** Opens the profiles with their tools, and what people and programs reach them by. */
async function openTools(taking: Awaited<ReturnType<typeof openEvents>>, options: ServiceOptions, closing: Closing) {
	const {contexts, stored, remote, hold, spending, agents, events} = taking;
	const {live, onStopAsked} = options;
	const {journal, nodes} = stored;
	const [context] = contexts;
	const [{openProfiles}, {openEndpointService}, {createHandlers}, {createConsoles}] = await loadTools();
	const profiles = openProfiles(contexts, {
		journal,
		hold,
		others: {
			node: stored.sharedAs,
			hasConsoleElsewhere: nodes.hasConsoleElsewhere,
			clockAhead: stored.clockAhead,
			hasChannel: remote.hasChannel,
		},
		wakeRuns: events.runs.wake,
		completeOf: agents.completeOf,
		countCall: spending.countCall,
	});
	taking.closeTools(profiles.stop);
	options.watchServers(profiles.first.tools.connections.list);
	const endpoint = openEndpointService(profiles, journal, events.runs.counts);
	const parts = {profiles, events, spending, endpoint, remote};
	const {reload, close: closeReloads} = createReloads({...parts, context, stored, agents});
	const handlersOf = createHandlers({...parts, ...journalParts(stored), hold, live, onStopAsked, reload});
	const openConsole = createConsoles({live, profiles, handlersOf, onKey: nodes.lastKey.pressed});
	const console = options.console && openConsole(options.console);
	// From here on something may ask a person.
	agents.giveTools(name => profiles.find(name).tools);
	spending.begin(profiles.first.tools.askAboutLimit);
	void remote.start({profiles, journal, hold, live, inbox: events.runs.inbox, sinceLastKey: nodes.lastKey.since});
	const {openControlSocket} = await import('./control-socket.ts');
	closing.push(await openControlSocket(context, {handlersOf, openConsole, live}));
	closing.push(endpoint.stop);
	// Closed before the profiles: otherwise a reload could open parts during the stop that nobody closes.
	closing.push(closeReloads);
	profiles.apply();
	closing.push(profiles.stopCron);
	await profiles.startCron();
	taking.jobs.resolve(profiles);
	if (taking.isLate) {
		void stored.take(profiles.recoverCron);
	}

	agents.apply();
	await watchFiles(contexts, reload, closing);
	// First of all nothing more is begun. What runs have to write may wait for the journal as long as they may go on.
	closing.push(() => void atMost(runsStopMilliseconds, events.runs.stop(), context.clock).then(stored.endWaiting));
	return {profiles, events, agents, endpoint, reload, stored, remote, openConsole, console};
}

/** Opens the limits of the profile that the gateway was started for. */
async function openLimits(
	context: ProfileContext,
	{stored, closing}: {readonly stored: GatewayJournal; readonly closing: Closing},
	wakeRuns: () => void,
): Promise<SpendingLimits> {
	const {openSpendingLimits} = await import('./services/spending-limits.ts');
	const limits = () => context.current().config.limits;
	const isShared = () => stored.sharedAs() !== undefined;
	const spending = openSpendingLimits({...context, journal: stored.journal, limits, isShared, wakeRuns});
	closing.push(spending.close);
	return spending;
}

/** The journal, as handlers see it. */
function journalParts({journal, fault, standing, isOpen, nodes}: GatewayJournal) {
	return {journal, journalFault: fault, journalState: standing, isJournalOpen: isOpen, nodes};
}

/** Loads what webhooks need. Meanwhile the journal's thread opens its file. */
function loadWebhooks({current}: ProfileContext) {
	return Promise.all([
		import('./served-profiles.ts'),
		import('./stores/hold-store.ts'),
		import('./services/agent-service.ts'),
		import('./services/webhook-service.ts'),
		import('./services/spending-limits.ts'),
		current().config.webhook.enabled ? loadHttpServer() : undefined,
	]);
}

/** Loads what is behind the webhooks. */
function loadTools() {
	return Promise.all([
		import('./services/profiles.ts'),
		import('./services/endpoint-service.ts'),
		import('./api/handlers.ts'),
		import('./consoles.ts'),
	]);
}

/** From now on webhooks are taken. True: the journal could not be read before; what an earlier process left in it is taken up once it can. */
async function takeEvents(
	events: WebhookService,
	{stored, spending}: {readonly stored: GatewayJournal; readonly spending: SpendingLimits},
): Promise<boolean> {
	await stored.take(spending.apply);
	await stored.take(events.runs.start);
	const isLate = !stored.isOpen();
	await events.apply();
	if (isLate) {
		void stored.take(events.resume);
	}

	return isLate;
}

/** Runs that have asked their model get ten seconds at a stop; then they end, and that is written, too. */
const runsStopMilliseconds = 11_000;
