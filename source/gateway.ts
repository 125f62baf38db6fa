import {acquireLock, type Lock} from './control/lock.ts';
import {type CronWing} from './gateway/cron-wing.ts';
import {type AgentWing, openAgentWing} from './gateway/agent-wing.ts';
import {type EndpointWing} from './gateway/endpoint-wing.ts';
import {type EventWing, openEventWing} from './gateway/event-wing.ts';
import {type Foundation, type Ground, layFoundation} from './gateway/foundation.ts';
import {type OrderTargets} from './gateway/orders/order-targets.ts';
import {openProfileGrounds} from './gateway/profile-grounds.ts';
import {type Profiles} from './gateway/profiles.ts';
import {type ToolWing} from './gateway/tool-wing.ts';
import {type Journal, openJournal} from './journal/journal.ts';
import {openLogFile} from './journal/log-file.ts';
import {type ReloadSummary} from './mcp/connections.ts';
import {type Send} from './state/command.ts';
import {historyOnly} from './state/history.ts';
import {type Timer} from './util/clock.ts';
import {errorText, Problem} from './util/problem.ts';
import {safeText} from './util/safe-text.ts';

/** A running gateway. */
export type Gateway = {
	readonly send: Send;
	readonly callTool: ToolWing['callTool'];
	/** Fires a cron job of the first profile. */
	readonly fireJob: CronWing['fire'];
	/** A person is there who may be asked; the returned function says that they left. */
	readonly attachConsole: Profiles['attachConsole'];
	readonly webhookUrl: () => string | null;
	readonly reload: () => Promise<ReloadSummary>;
	/** Refuses what comes, ends what runs, in reverse order of the start. A second call waits for the first. */
	readonly stop: (reason: string) => Promise<void>;
};

const pruneMilliseconds = 3_600_000;

type Closing = {
	readonly push: (close: () => unknown) => void;
	/** Keeps a place for something that is opened later; the returned function fills it. */
	readonly reserve: () => (close: () => unknown) => void;
	readonly run: () => Promise<void>;
};

/**
Starts a gateway: lock, journal, tool servers, webhooks, control socket. Rejects with the Problem that keeps it from running at all
(`gateway_running`, `config_unreadable`, `storage_unavailable`); everything else is told in its place and the rest goes on.
*/
export async function startGateway(
	ground: Ground,
	options: {readonly mode: 'normal' | 'demo'; readonly leave: OrderTargets['leave']},
): Promise<Gateway> {
	const closing = createClosing();
	try {
		return await start(ground, options, closing);
	} catch (error) {
		await closing.run();
		throw error;
	}
}

async function start(ground: Ground, options: Parameters<typeof startGateway>[1], closing: Closing): Promise<Gateway> {
	// The lock before all else: nothing in the directory is touched while another gateway holds it.
	const lock: Lock = await acquireLock(ground.paths.lock);
	closing.push(lock.release);
	openLog(ground, closing);
	const foundation = await layFoundation(ground);
	// The last event, once everything below it is down.
	let reason = 'the start failed';
	closing.push(() => foundation.publish({type: 'gateway.stopped', reason}));
	const {profiles, events, endpoint, reload} = await openWings(foundation, closing);
	const {createOrders} = await import('./gateway/orders.ts');
	profiles.all.forEach(({tools}) => tools.uncertain.recover());
	tellStarted(foundation, events, options.mode);
	// Nobody waits for it: a gateway has started without its endpoint.
	void endpoint.apply();

	let stopped: Promise<void> | undefined;
	return {
		send: createOrders({profiles, events, reload, leave: options.leave}),
		callTool: profiles.first.tools.callTool,
		fireJob: profiles.first.cron.fire,
		attachConsole: profiles.attachConsole,
		webhookUrl: events.url,
		reload,
		stop(why) {
			if (!stopped) {
				reason = why;
				foundation.publish({type: 'log', level: 'info', area: 'gateway', text: `stopping: ${why}`});
				stopped = closing.run();
			}

			return stopped;
		},
	};
}

/** Opens everything behind the lock. Webhooks are taken from the first moment; the rest, which is larger, is only loaded then. */
async function openWings(foundation: Foundation, closing: Closing) {
	const journal = openKeptJournal(foundation, closing);
	const others = await openProfileGrounds(foundation);
	closing.push(() => Promise.all(others.map(({release}) => release())));
	const foundations = [foundation, ...others.map(other => other.foundation)] as const;
	// Before the event wing on this list, so that it is closed after it: runs may still call tools while they end.
	const closeTools = closing.reserve();
	const agents = openAgentWing(foundations);
	closing.push(agents.stop);
	const jobs = Promise.withResolvers<Profiles>();
	const events = openEventWing(foundation, journal, {
		others: others.map(other => other.foundation),
		profileOf: agents.profileOf,
		// An event that comes in the first moments waits until there are jobs.
		fireJob: async (job, {profile, ...by}) =>
			(await jobs.promise).find(profile).cron.fire(job, {kind: 'webhook', ...by}),
	});
	closing.push(events.stop);
	await events.runs.start();
	await events.apply();

	const {openProfiles} = await import('./gateway/profiles.ts');
	const {openEndpointWing} = await import('./gateway/endpoint-wing.ts');
	const profiles = openProfiles(foundations, {
		journal,
		wakeRuns: events.runs.wake,
		completeOf: agents.completeOf,
	});
	closeTools(profiles.stop);
	agents.giveTools(name => profiles.find(name).tools);
	const endpoint = openEndpointWing(profiles, journal);
	const reloads = createReloads({foundation, profiles, events, agents, endpoint});
	const {reload} = reloads;
	await openControl({profiles, journal, events, reload}, closing);
	closing.push(endpoint.stop);
	// What a reload opens while the rest goes down would stay open.
	closing.push(reloads.close);
	profiles.apply();
	closing.push(profiles.stopCron);
	await profiles.startCron();
	jobs.resolve(profiles);
	agents.apply();
	await watchFiles(foundations, reload, closing);
	return {profiles, events, endpoint, reload};
}

async function openControl(
	parts: {profiles: Profiles; journal: Journal; events: EventWing; reload: () => Promise<ReloadSummary>},
	closing: Closing,
): Promise<void> {
	const {createControlHandlers} = await import('./gateway/control-handlers.ts');
	const {openControlServer} = await import('./control/server.ts');
	const {foundation} = parts.profiles.first;
	const handlersOf = createControlHandlers(parts);
	const control = await openControlServer({...foundation, path: foundation.paths.controlSocket, handlersOf});
	closing.push(control.close);
}

/** A saved file is taken over by itself. */
async function watchFiles(
	foundations: readonly Foundation[],
	reload: () => Promise<ReloadSummary>,
	closing: Closing,
): Promise<void> {
	const {watchFile} = await import('./config/watch.ts');
	// A reload that fails has told so already.
	const onChange = () => void reload().catch(() => undefined);
	for (const {paths, firstStamp} of foundations) {
		closing.push(watchFile(paths.config, onChange, firstStamp).close);
	}
}

function tellStarted({publish, version, current}: Foundation, events: EventWing, mode: 'normal' | 'demo'): void {
	const {servers, brokenServers, webhook} = current().config;
	publish({
		type: 'gateway.started',
		version,
		pid: process.pid,
		webhookUrl: events.url(),
		configured: {
			servers: servers.length + brokenServers.length,
			routes: webhook.routes.length + webhook.brokenRoutes.length,
		},
		demo: mode === 'demo',
	});
}

function openLog({hall, paths, clock}: Ground, closing: Closing): void {
	const publish = hall.publishFor(paths.profile);
	const log = openLogFile({
		path: `${paths.logs}/sluice.log`,
		clock,
		report: problem => publish({type: 'log', level: 'warning', area: 'log', text: problem.message}),
	});
	const endListening = hall.listen(historyOnly(log.write));
	closing.push(async () => {
		endListening();
		await log.close();
	});
}

function openKeptJournal({paths, clock, publish, current}: Foundation, closing: Closing): Journal {
	const journal = openJournal({
		path: paths.journal,
		clock,
		limits: () => current().config.journal,
		report: problem =>
			publish({type: 'log', level: 'error', area: 'journal', text: safeText(problem.detail ?? problem.message)}),
	});
	let timer: Timer | undefined;
	const prune = () => {
		journal.prune(clock.now());
		timer = clock.after(pruneMilliseconds, prune);
	};

	prune();
	closing.push(async () => {
		timer?.cancel();
		await journal.close();
	});
	return journal;
}

/** Reloads one after another: a file that is saved twice must not be applied in the wrong order. */
function createReloads(parts: {
	foundation: Foundation;
	profiles: Profiles;
	events: EventWing;
	agents: AgentWing;
	endpoint: EndpointWing;
}): {
	readonly reload: () => Promise<ReloadSummary>;
	/** Refuses further reloads and waits for the one under way. */
	readonly close: () => Promise<unknown>;
} {
	const {foundation, profiles, events, agents, endpoint} = parts;
	let last: Promise<unknown> = Promise.resolve();
	let phase: 'open' | 'closed' = 'open';
	const run = async () => {
		if (phase === 'closed') {
			throw new Problem('cancelled', {message: 'The gateway stops'});
		}

		for (const profile of profiles.all) {
			await profile.foundation.reload();
		}

		const summary = profiles.apply();
		agents.apply();
		await events.apply();
		await endpoint.apply();
		foundation.publish({type: 'log', level: 'info', area: 'reload', text: summaryText(summary)});
		return summary;
	};

	return {
		reload() {
			const next = last.then(run);
			last = next.catch((caught: unknown) => {
				const text = `The reload failed: ${safeText(errorText(caught))}`;
				foundation.publish({type: 'log', level: 'error', area: 'reload', text});
			});
			return next;
		},
		close() {
			phase = 'closed';
			return last;
		},
	};
}

/** What changed, by name; nothing else is worth a line. */
function summaryText({added, removed, reconnected, unchanged}: ReloadSummary): string {
	const parts = Object.entries({added, removed, reconnected}).filter(([, names]) => names.length > 0);
	const words = parts.map(([what, names]) => `${what} ${names.map(name => safeText(name)).join(', ')}`);
	return [...words, `${unchanged.length} unchanged`].join(' · ');
}

/** Runs what was pushed in reverse order; one part that cannot close does not keep the others open. */
function createClosing(): Closing {
	const parts: Array<() => unknown> = [];
	return {
		push: close => void parts.push(close),
		reserve() {
			let close: (() => unknown) | undefined;
			parts.push(() => close?.());
			return later => {
				close = later;
			};
		},
		async run() {
			for (let close = parts.pop(); close !== undefined; close = parts.pop()) {
				try {
					await close();
				} catch {
					// It goes down either way, and the log may be closed already.
				}
			}
		},
	};
}
