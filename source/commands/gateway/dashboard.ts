import {type Command, isReadOnlyCommand, type ReadWhole, type Send} from '../../state/command.ts';
import {type EventBus} from '../../state/event-bus.ts';
import {type GatewayEventBody} from '../../state/event.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {createStore} from '../../state/store.ts';
import {type Dashboard, mountDashboard} from '../../tui/mount.tsx';
import {jobControl} from '../../tui/terminal/job-control.ts';
import {openTerminalOutput} from '../../tui/terminal/terminal-output.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext} from '../cli/command.ts';
import {createRuntime, type Session} from '../cli/session.ts';
import {createGatewaySupervisor} from './gateway-process.ts';
import {leaveDashboard, leaveOnCrash, type Leaving, leavingOf} from './leave-dashboard.ts';
import {openPreferences, type Preferences, readPreferences} from './preferences.ts';

/** While the core starts, its words are gathered: drawing each of its first states would make it listen later. */
const firstMilliseconds = 150;

const stillStarting: GatewayEventBody = {
	type: 'log',
	level: 'warning',
	area: 'commands',
	text: 'The gateway is still starting',
};

const readOnly: GatewayEventBody = {
	type: 'log',
	level: 'warning',
	area: 'commands',
	text: 'This dashboard is read-only: it was opened with --read-only',
};

/** Opens the dashboard with the gateway in the same process; answers the exit code once both are closed. */
export async function openDashboard(context: Pick<CommandContext, 'stderr'>, session: Session): Promise<number> {
	const runtime = createRuntime(session);
	const publish = runtime.eventBus.publishFor(session.paths.profile);
	const leaving = Promise.withResolvers<Leaving>();
	const supervisor = createGatewaySupervisor(runtime, {
		console: session.flags.readOnly ? 'read-only' : 'deciding',
		leave: command => act(command),
		onFailure: error => leaving.resolve({kind: 'broken', error}),
	});
	const act = (command: Command) => {
		if (session.flags.readOnly && command.type !== 'stop' && !isReadOnlyCommand(command)) {
			// The dashboard offers nothing else; this check is the one that counts.
			publish(readOnly);
		} else if (command.type === 'stop') {
			leaving.resolve({kind: command.force ? 'forced' : 'asked'});
		} else if (command.type === 'start-demo') {
			supervisor.restart('demo');
		} else {
			supervisor.send(command, () => publish(stillStarting));
		}
	};

	const preferences = openPreferences({
		path: session.paths.preferences,
		clock: session.clock,
		onFailure: text => publish({type: 'log', level: 'warning', area: 'dashboard', text: safeText(text)}),
	});
	const dashboard = createDashboard(session, runtime.eventBus, {
		send: act,
		readWhole: supervisor.readWhole,
		savePreferences: preferences.save,
	});
	void dashboard.done.then(end => leaving.resolve(leavingOf(end)));
	const endSignals = session.onSignal(signal => leaving.resolve({kind: 'signal', signal}));
	const endCrashWatch = leaveOnCrash(leaving.resolve);
	// The first frame is drawn before the gateway is loaded.
	session.clock.soon(() => supervisor.restart(session.flags.demo ? 'demo' : 'normal'));
	const code = await leaveDashboard({
		leaving: await leaving.promise,
		dashboard,
		supervisor,
		stderr: context.stderr,
		onSignal: session.onSignal,
	});
	endSignals();
	endCrashWatch();
	await preferences.close();
	return code;
}

/** Opens the dashboard of this process over a store that follows the event bus. What anybody else writes to the terminal becomes a log event. */
function createDashboard(
	session: Session,
	eventBus: EventBus,
	core: {readonly send: Send; readonly readWhole: ReadWhole; readonly savePreferences: Preferences['save']},
): Dashboard {
	const {clock, environment, flags, version} = session;
	const publish = eventBus.publishFor(session.paths.profile);
	// `SLUICE_WRITER=worker` draws from a thread of its own, for terminals on which the other way does not hold.
	const writer = environment.variables['SLUICE_WRITER'] === 'worker' ? 'worker' : 'non-blocking';
	const output = openTerminalOutput({stdout: process.stdout, stderr: process.stderr, writer});
	const warn = (text: string) => publish({type: 'log', level: 'warning', area: 'dashboard', text: safeText(text)});
	const openedAt = clock.elapsed();
	const store = createStore({clock, hold: () => output.hold() || clock.elapsed() - openedAt < firstMilliseconds});
	eventBus.listen(store.publish);
	return mountDashboard({
		store,
		send: core.send,
		readWhole: core.readWhole,
		clock,
		jobControl,
		stdin: process.stdin,
		output,
		settings: {
			noColor: environment.noColor,
			ascii: flags.ascii,
			readOnly: flags.readOnly,
			...readPreferences(session.paths.preferences),
		},
		version,
		savePreferences(preferences) {
			// A read-only dashboard changes nothing, and what is looked at in a demo is no choice for the real one.
			if (!flags.readOnly && !flags.demo && !isDemo(store.getSnapshot())) {
				core.savePreferences(preferences);
			}
		},
		guarded: [process.stdout, process.stderr],
		onStrayLine: text => publish({type: 'log', level: 'info', area: 'output', text}),
		onSilentTerminal: () =>
			warn('this terminal does not confirm what it has shown; whatever is sent to it counts as shown'),
		onExit: () => store.close(),
	});
}

function isDemo({gateway}: Snapshot): boolean {
	return gateway.phase === 'running' && gateway.demo;
}
