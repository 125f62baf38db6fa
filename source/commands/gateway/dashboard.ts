import {type Command, isReadOnlyCommand} from '../../state/command.ts';
import {type GatewayEventBody} from '../../state/event.ts';
import {type CommandContext} from '../cli/command-context.ts';
import {createDashboard} from './create-dashboard.ts';
import {createGatewaySupervisor} from './gateway-supervisor.ts';
import {createRuntime} from '../cli/create-runtime.ts';
import {leaveDashboard, leaveOnCrash, type Leaving, leavingOf} from './leave-dashboard.ts';
import {type Session} from '../cli/session.ts';

const stillStarting: GatewayEventBody = {
	type: 'log',
	level: 'warning',
	area: 'orders',
	text: 'The gateway is still starting',
};

const readOnly: GatewayEventBody = {
	type: 'log',
	level: 'warning',
	area: 'orders',
	text: 'This window only looks: it was opened with --read-only',
};

/** Opens the dashboard with the gateway in the same process; answers the exit code once both are closed. */
export async function openDashboard(context: Pick<CommandContext, 'stderr'>, session: Session): Promise<number> {
	const runtime = createRuntime(session);
	const publish = runtime.eventBus.publishFor(session.paths.profile);
	const leaving = Promise.withResolvers<Leaving>();
	const supervisor = createGatewaySupervisor(runtime, {
		console: session.flags.readOnly ? 'looking' : 'deciding',
		leave: order => act(order),
		onFailure: error => leaving.resolve({kind: 'broken', error}),
	});
	const act = (command: Command) => {
		if (session.flags.readOnly && command.type !== 'stop' && !isReadOnlyCommand(command)) {
			// The window offers nothing else; this is the lock behind it.
			publish(readOnly);
		} else if (command.type === 'stop') {
			leaving.resolve({kind: command.force ? 'forced' : 'asked'});
		} else if (command.type === 'start-demo') {
			supervisor.restart('demo');
		} else {
			supervisor.send(command, () => publish(stillStarting));
		}
	};

	const dashboard = createDashboard(session, runtime.eventBus, {send: act, readWhole: supervisor.readWhole});
	void dashboard.done.then(end => leaving.resolve(leavingOf(end)));
	const endSignals = session.onSignal(signal => leaving.resolve({kind: 'signal', signal}));
	const endCrashWatch = leaveOnCrash(leaving.resolve);
	// The first frame goes out before the rooms behind it are loaded.
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
	return code;
}
