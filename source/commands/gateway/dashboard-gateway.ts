import {type ControlClient} from '../../control/client.ts';
import {type GatewayOptions} from '../../gateway/gateway.ts';
import {type RuntimeContext} from '../../gateway/profiles/profile-context.ts';
import {type Command, type Send} from '../../state/command.ts';
import {toProblem} from '../../util/problem.ts';
import {type Session} from '../cli/session.ts';
import {openReconnectingConsole, type ConsoleFeed, type DashboardGateway} from './reconnecting-console.ts';
import {createGatewaySupervisor} from './gateway-process.ts';

/** More commands than a person gives while a gateway starts. */
const maxEarlyCommands = 100;

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
	const warn = (text: string) => publish({type: 'log', level: 'warning', area: 'commands', text});
	let current: DashboardGateway | undefined;
	let phase: 'opening' | 'open' = 'opening';
	const early = createEarlyCommands(() => warn('The gateway is still starting'));
	const receive: ConsoleFeed['receive'] = event => {
		feed.receive(event);
		if (event.type === 'view.console' && event.state !== 'lost') {
			phase = 'open';
			early.release(command => current?.send(command));
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
				warn('This window is attached to a running gateway; leave it and run `sluice --demo`');
			}
		},
		send(command) {
			if (phase === 'open') {
				current?.send(command);
			} else {
				early.keep(command);
			}
		},
		readWhole: async query => current?.readWhole(query),
		drain: async (reason, skip) => current?.drain(reason, skip),
		leave: async reason => current?.leave(reason),
	};
}

/** Keeps the commands that are given before a console is open. */
function createEarlyCommands(onFull: () => void) {
	let kept: readonly Command[] = [];
	return {
		keep(command: Command): void {
			if (kept.length < maxEarlyCommands) {
				kept = [...kept, command];
			} else {
				onFull();
			}
		},
		release(send: Send): void {
			const commands = kept;
			kept = [];
			commands.forEach(send);
		},
	};
}
