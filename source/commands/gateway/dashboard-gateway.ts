import {type ControlClient} from '../../control/client.ts';
import {type GatewayOptions} from '../../gateway/gateway.ts';
import {type RuntimeContext} from '../../gateway/profiles/profile-context.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {type GatewayEvent} from '../../state/event.ts';
import {createSubscriptions} from '../../state/subscriptions.ts';
import {type Session} from '../cli/session.ts';
import {openReconnectingConsole, type DashboardGateway} from './reconnecting-console.ts';
import {createGatewaySupervisor} from './gateway-process.ts';

/** More calls than a person makes while a gateway starts. */
const maxEarlyCalls = 100;

/**
Prepares the gateway of a dashboard; nothing happens before `start`. Without a `running` one, a gateway is started in this process; when
another process turns out to have been quicker, the dashboard is attached to that one.
*/
export function createDashboardGateway(
	runtime: RuntimeContext,
	session: Session,
	options: {
		readonly running: ControlClient | undefined;
		readonly onStopAsked: GatewayOptions['onStopAsked'];
		readonly onFailure: (error: unknown) => void;
	},
): DashboardGateway & {readonly start: () => void; readonly startDemo: () => void} {
	const {flags, paths} = session;
	const {onFailure} = options;
	const {subscribe, onEvent, onSnapshot} = createSubscriptions();
	const publish = runtime.eventBus.publishFor(paths.profile);
	const warn = (text: string) => publish({type: 'log', level: 'warning', area: 'commands', text});
	let current: DashboardGateway | undefined;
	let opening = createOpening();
	const receive = (event: GatewayEvent) => {
		onEvent(event);
		opening.follow(event);
	};

	const attach = () => {
		current = openReconnectingConsole({session, first: options.running, onFailure});
		current.subscribe(receive, onSnapshot);
	};

	const supervisor = createGatewaySupervisor(runtime, {
		mode: flags.readOnly ? 'read-only' : 'deciding',
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
	supervisor.subscribe(receive);
	return {
		subscribe,
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
				opening = createOpening();
				supervisor.restart('demo');
			} else {
				warn('This window is attached to a running gateway; leave it and run `sluice --demo`');
			}
		},
		async call(method, params, callOptions) {
			if (!(await opening.wait())) {
				const message = 'The gateway is still starting';
				warn(message);
				throw new Problem('gateway_not_running', {message});
			}

			if (!current) {
				throw new Problem('gateway_not_running');
			}

			return current.call(method, params, callOptions);
		},
		drain: async (reason, skip) => current?.drain(reason, skip),
		leave: async reason => current?.leave(reason),
	};
}

/** The time before a console is open. Calls that are made then wait for it, up to a bound. */
function createOpening() {
	const {promise, resolve: open} = Promise.withResolvers<true>();
	let waiting = 0;
	let state: 'opening' | 'open' = 'opening';
	return {
		follow(event: GatewayEvent) {
			if (event.type === 'view.console' && event.state !== 'lost') {
				state = 'open';
				open(true);
			}
		},
		/** False: too many wait already. */
		async wait(): Promise<boolean> {
			if (state === 'open') {
				return true;
			}

			waiting++;
			return waiting <= maxEarlyCalls && promise;
		},
	};
}
