import {type Command, onlyLooks} from '../state/command.ts';
import {type GatewayEventBody} from '../state/event.ts';
import {type CommandContext} from './command-context.ts';
import {openWindow} from './dashboard-window.ts';
import {createGatewaySeat} from './gateway-seat.ts';
import {openGround} from './ground.ts';
import {leaveDashboard, type Leaving, leavingOf} from './leave-dashboard.ts';
import {type Session} from './session.ts';

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
	const ground = openGround(session);
	const publish = ground.hall.publishFor(session.paths.profile);
	const leaving = Promise.withResolvers<Leaving>();
	const seat = createGatewaySeat(ground, {
		console: session.flags.readOnly ? 'looking' : 'deciding',
		leave: order => act(order),
		onFailure: error => leaving.resolve({kind: 'broken', error}),
	});
	const act = (command: Command) => {
		if (session.flags.readOnly && command.type !== 'stop' && !onlyLooks(command)) {
			// The window offers nothing else; this is the lock behind it.
			publish(readOnly);
		} else if (command.type === 'stop') {
			leaving.resolve({kind: command.force ? 'forced' : 'asked'});
		} else if (command.type === 'start-demo') {
			seat.restart('demo');
		} else {
			seat.send(command, () => publish(stillStarting));
		}
	};

	const dashboard = openWindow(session, ground.hall, act);
	void dashboard.done.then(end => leaving.resolve(leavingOf(end)));
	const endSignals = session.onSignal(signal => leaving.resolve({kind: 'signal', signal}));
	// The first frame goes out before the rooms behind it are loaded.
	session.clock.soon(() => seat.restart(session.flags.demo ? 'demo' : 'normal'));
	const code = await leaveDashboard({
		leaving: await leaving.promise,
		dashboard,
		seat,
		stderr: context.stderr,
		onSignal: session.onSignal,
	});
	endSignals();
	return code;
}
