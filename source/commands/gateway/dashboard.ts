import {type ControlClient} from '../../control/client.ts';
import {type GatewayEvent, type Publish} from '../../state/event.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {createStore} from '../../state/store.ts';
import {type Dashboard, mountDashboard} from '../../tui/mount.tsx';
import {notificationStyle} from '../../tui/terminal/notification.ts';
import {jobControl} from '../../tui/terminal/job-control.ts';
import {openTerminalOutput} from '../../tui/terminal/terminal-output.ts';
import {atMost} from '../../util/clock.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext} from '../cli/command.ts';
import {createRuntime, type Session} from '../cli/session.ts';
import {createDashboardGateway} from './dashboard-gateway.ts';
import {createDraining} from './draining.ts';
import {leaveDashboard, leaveOnCrash, type Leaving, leavingOf} from './leave-dashboard.ts';
import {openLocalPrograms} from './local-programs.ts';
import {openPreferences, type Preferences, readPreferences} from './preferences.ts';

/** While the core starts, its words are gathered: drawing each of its first states would make it listen later. */
const firstMilliseconds = 150;
/** The end waits so long until the preferences are saved. */
const preferencesMilliseconds = 1000;

/** Opens the dashboard: attached to `running` where another process has the gateway, else with one in this process. Answers the exit code once both are closed. */
export async function openDashboard(
	context: Pick<CommandContext, 'stderr'>,
	session: Session,
	running: ControlClient | undefined,
): Promise<number> {
	const runtime = createRuntime(session);
	const leaving = Promise.withResolvers<Leaving>();
	const {store, output, receive, replace} = openDashboardStore(session);
	const gateway = createDashboardGateway(runtime, session, {
		running,
		onStopAsked: error => leaving.resolve(error ? {kind: 'broken', error} : {kind: 'asked'}),
		onFailure: error => leaving.resolve({kind: 'broken', error}),
	});
	gateway.subscribe(receive, replace);
	const draining = createDraining(gateway);
	const show: DashboardParts['show'] = (view, profile = session.paths.profile) =>
		runtime.eventBus.publishTo(receive, profile)(view);
	const act: DashboardParts['act'] = asked => {
		if (asked.type === 'start-demo') {
			gateway.startDemo();
		} else if (draining.skip() === 'nothing-to-skip') {
			leaving.resolve({kind: asked.force ? 'forced' : 'asked'});
		}
	};

	const publish = runtime.eventBus.publishFor(session.paths.profile);
	const warn = (text: string) => publish({type: 'log', level: 'warning', area: 'dashboard', text: safeText(text)});
	const preferences = openPreferences({path: session.paths.preferences, clock: session.clock, onFailure: warn});
	const programs = openLocalPrograms(session, {warn, call: gateway.call});
	const dashboard = createDashboard(session, {
		store,
		output,
		publish,
		call: gateway.call,
		show,
		act,
		savePreferences: preferences.save,
		warn,
		programs,
	});
	void dashboard.done.then(end => leaving.resolve(leavingOf(end, store.getSnapshot().console)));
	const endSignals = session.onSignal(signal => leaving.resolve({kind: 'signal', signal}));
	const endCrashWatch = leaveOnCrash(leaving.resolve);
	// The first frame is drawn before a gateway is loaded.
	session.clock.soon(gateway.start);
	const code = await leaveDashboard({
		leaving: await leaving.promise,
		dashboard,
		gateway,
		draining,
		endPrograms: programs.close,
		stderr: context.stderr,
		onSignal: session.onSignal,
	});
	endSignals();
	endCrashWatch();
	// A disk that hangs holds up no end.
	await atMost(preferencesMilliseconds, preferences.close(), session.clock);
	return code;
}

/** The store that a dashboard draws from. It numbers events for this window: those of this process and of another one share an order. */
function openDashboardStore({clock, environment}: Session) {
	// `SLUICE_WRITER=worker` draws from a thread of its own, for terminals on which the other way does not hold.
	const writer = environment.variables['SLUICE_WRITER'] === 'worker' ? 'worker' : 'non-blocking';
	const output = openTerminalOutput({stdout: process.stdout, stderr: process.stderr, writer});
	const openedAt = clock.elapsed();
	const store = createStore({
		clock,
		isBlocked: () => output.isBlocked() || clock.elapsed() - openedAt < firstMilliseconds,
	});
	let seq = 0;
	return {
		store,
		output,
		receive: (event: GatewayEvent) => {
			seq = Math.max(seq + 1, event.seq);
			store.publish({...event, seq});
		},
		replace: (snapshot: Snapshot) => {
			seq = Math.max(seq, newestSeq(snapshot));
			store.replace(snapshot);
		},
	};
}

function newestSeq({events, log}: Snapshot): number {
	// Events are sorted by their time, which is not the order in which they came.
	return events.reduce((newest, {seq}) => Math.max(newest, seq), log.at(-1)?.seq ?? 0);
}

type DashboardParts = Pick<ReturnType<typeof openDashboardStore>, 'store' | 'output'> &
	Pick<Parameters<typeof mountDashboard>[0], 'call' | 'show' | 'act' | 'programs'> & {
		readonly publish: Publish;
		readonly warn: (text: string) => void;
		readonly savePreferences: Preferences['save'];
	};

/** Opens the dashboard over its store. What anybody else writes to the terminal becomes a log event. */
function createDashboard(session: Session, parts: DashboardParts): Dashboard {
	const {clock, environment, flags, version} = session;
	const {store, publish, warn} = parts;
	return mountDashboard({
		...parts,
		clock,
		jobControl,
		stdin: process.stdin,
		settings: {
			noColor: environment.noColor,
			ascii: flags.ascii,
			readOnly: flags.readOnly,
			notifications: notificationStyle(environment.variables),
			...preferencesAtStart(session),
		},
		version,
		savePreferences(preferences) {
			// A read-only dashboard changes nothing, and what is looked at in a demo is no choice for the real one.
			if (!flags.readOnly && !flags.demo && !isDemo(store.getSnapshot())) {
				parts.savePreferences(preferences);
			}
		},
		guarded: [process.stdout, process.stderr],
		onStrayLine: text => publish({type: 'log', level: 'info', area: 'output', text}),
		onSilentTerminal: () => warn('this terminal does not confirm its output; text counts as shown once it is sent'),
		onExit: () => store.close(),
	});
}

function isDemo({gateway}: Snapshot): boolean {
	return gateway.phase === 'running' && gateway.demo;
}

/** The preferences that a dashboard opens with. A demo shows its own first view and its lists in their own order. */
function preferencesAtStart({paths, flags}: Session): ReturnType<typeof readPreferences> {
	const stored = readPreferences(paths.preferences);
	const {view: _view, sort: _sort, ...settings} = stored;
	return flags.demo ? settings : stored;
}
