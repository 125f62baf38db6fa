import {type ControlClient} from '../../control/client.ts';
import {type GatewayOptions} from '../../gateway/gateway.ts';
import {type RuntimeContext} from '../../gateway/profiles/profile-context.ts';
import {type Command, isReadOnlyCommand} from '../../state/command.ts';
import {toProblem} from '../../util/problem.ts';
import {type Session} from '../cli/session.ts';
import {openReconnectingConsole, type ConsoleFeed, type DashboardGateway} from './reconnecting-console.ts';
import {createGatewaySupervisor} from './gateway-process.ts';

/** More than a person asks to see while a gateway starts. */
const mostAsked = 10;

/**
Prepares the gateway of a dashboard; nothing happens before `start`. Without a `running` one, a gateway is started in this process; when
another process turns out to have been quicker, the dashboard is attached to that one.
*/
export function createDashboardGateway(
	runtime: RuntimeContext,
	session: Session,
	options: {
		readonly running: ControlClient | undefined;
		/** Takes what is for this console alone, and everything of another process. */
		readonly feed: ConsoleFeed;
		readonly onStopAsked: GatewayOptions['onStopAsked'];
		readonly onFailure: (error: unknown) => void;
	},
): DashboardGateway & {readonly start: () => void; readonly startDemo: () => void} {
	const {flags, paths} = session;
	const {feed, onFailure} = options;
	const publish = runtime.eventBus.publishFor(paths.profile);
	let current: DashboardGateway | undefined;
	let phase: 'opening' | 'open' = 'opening';
	/** What was asked to be seen while no console was open to ask. */
	let asked: readonly Command[] = [];
	const receive: ConsoleFeed['receive'] = event => {
		feed.receive(event);
		if (event.type === 'view.console' && event.state !== 'lost') {
			phase = 'open';
			asked.forEach(command => current?.send(command));
			asked = [];
		}
	};

	const attach = () => {
		current = openReconnectingConsole({session, first: options.running, ...feed, receive, onFailure});
	};

	const supervisor = createGatewaySupervisor(runtime, {
		mode: flags.readOnly ? 'read-only' : 'deciding',
		show: receive,
		...(flags.newJournal && {emptyJournal: 'new-journal'}),
		onStopAsked: options.onStopAsked,
		onFailure(error) {
			if (toProblem(error).code === 'gateway_running') {
				attach();
			} else {
				onFailure(error);
			}
		},
	});
	return {
		start() {
			if (options.running) {
				attach();
			} else {
				current = supervisor;
				supervisor.restart(flags.demo ? 'demo' : 'normal');
			}
		},
		startDemo() {
			if (current === supervisor) {
				phase = 'opening';
				supervisor.restart('demo');
			} else {
				const text = 'This window is attached to a running gateway; leave it and run `sluice --demo`';
				publish({type: 'log', level: 'warning', area: 'commands', text});
			}
		},
		send(command) {
			if (phase === 'opening' && isReadOnlyCommand(command)) {
				asked = [...asked, command].slice(-mostAsked);
			} else {
				current?.send(command);
			}
		},
		readWhole: async query => current?.readWhole(query),
		drain: async (reason, skip) => current?.drain(reason, skip),
		leave: async reason => current?.leave(reason),
	};
}
