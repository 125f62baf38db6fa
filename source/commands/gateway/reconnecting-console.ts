import {type ControlClient} from '../../control/client.ts';
import {type Gateway} from '../../gateway/gateway.ts';
import {type ParamsOf} from '../../state/api.ts';
import {type GatewayClient} from '../../state/gateway-call.ts';
import {createEventBus} from '../../state/event-bus.ts';
import {createSubscriptions, type Subscriptions} from '../../state/subscriptions.ts';
import {connectGateway} from '../cli/connect-gateway.ts';
import {type Session} from '../cli/session.ts';
import {type ConsoleClient} from '../../control/console-client.ts';
import {type ConsoleMode} from '../../state/console-state.ts';
import {type GatewayEventBody, type GatewayEvent} from '../../state/event.ts';
import {type Clock, sleep} from '../../util/clock.ts';
import {safeText} from '../../util/safe-text.ts';
import {createConsoleLogins, type ConsoleLogins} from './console-logins.ts';
import {Problem, problemLine, toProblem} from '../../util/problem.ts';

/** The gateway of a dashboard: of its own process, or of another one. */
export type DashboardGateway = GatewayClient & {
	/** Comes before `leave`, for a gateway of this process; another one is not touched. */
	readonly drain: Gateway['drain'];
	/** Stops a gateway of this process; leaves another one running. */
	readonly leave: (reason: string) => Promise<void>;
};

type ConsoleOptions = {
	readonly subscriptions: Subscriptions;
	readonly clock: Clock;
	/** Undefined: no gateway is running. */
	readonly connect: (signal: AbortSignal) => Promise<ControlClient | undefined>;
	readonly mode: ConsoleMode;
	/** The name that this window reports for its terminal. */
	readonly terminal: string;
	readonly logins: ConsoleLogins;
	/** Publishes what only this window has to say. */
	readonly publish: (event: GatewayEventBody) => void;
	/** The first connection could not be made. */
	readonly onFailure: (problem: Problem) => void;
};

/** A gateway that was just started opens its socket within this time. */
const firstDeadlineMilliseconds = 10_000;
const retryMilliseconds = 1000;
const firstRetryMilliseconds = 100;

/**
Connects a window with the gateway of another process, and again whenever the connection is lost (docs/dashboard.md, Attached). While it is lost
nothing of the gateway waits for a person: what was on the screen is withdrawn, and commands are refused.
*/
function createReconnectingConsole(options: ConsoleOptions): DashboardGateway {
	const {publish, logins, subscriptions} = options;
	const controller = new AbortController();
	const {signal} = controller;
	let console: ConsoleClient | undefined;
	const following = follow({
		...options,
		signal,
		onConsole(opened) {
			console = opened;
		},
	});
	return {
		async call(method, params, callOptions) {
			if (!console && method === 'console.key') {
				throw new Problem('control_failed');
			}

			if (!console) {
				const message = 'There is no connection with the gateway; nothing was done';
				publish({type: 'log', level: 'warning', area: 'console', text: message});
				throw new Problem('control_failed', {message});
			}

			if (method === 'mcp.login' || method === 'mcp.login.switch') {
				logins.started({...(params as ParamsOf<'mcp.login'>), profile: callOptions?.profile});
			}

			const result = await console.call(method, params, callOptions);
			if (method === 'questions.answer') {
				await logins.answered((params as ParamsOf<'questions.answer'>).answer);
			}

			return result;
		},
		subscribe: subscriptions.subscribe,
		drain: async () => undefined,
		async leave() {
			controller.abort(new Problem('cancelled', {message: 'The window was closed'}));
			console?.close();
			await following;
		},
	};
}

type Following = ConsoleOptions & {
	readonly signal: AbortSignal;
	readonly onConsole: (console: ConsoleClient | undefined) => void;
};

async function follow(options: Following): Promise<void> {
	const {clock, publish, signal, onFailure} = options;
	const startedAt = clock.elapsed();
	let wasAttached = false;
	let lostAt: number | undefined;
	let said = '';
	while (!signal.aborted) {
		const lost = await attachOnce(options, () => {
			wasAttached = true;
			lostAt = undefined;
			said = '';
		});
		if (signal.aborted) {
			return;
		}

		const isStarting = lost.code === 'gateway_not_running' && clock.elapsed() - startedAt < firstDeadlineMilliseconds;
		if (!wasAttached && !isStarting) {
			onFailure(lost);
			return;
		}

		const reason = problemLine(lost);
		if (wasAttached && reason !== said) {
			lostAt ??= clock.now();
			said = reason;
			publish({type: 'view.console', state: 'lost', reason, since: lostAt});
		}

		await sleep(clock, wasAttached ? retryMilliseconds : firstRetryMilliseconds, signal).catch(() => undefined);
	}
}

/** Attaches, and answers why that did not work or ended. */
async function attachOnce(options: Following, onAttached: () => void): Promise<Problem> {
	const {connect, mode, terminal, logins, signal, subscriptions, onConsole} = options;
	try {
		const client = await connect(signal);
		if (!client) {
			return new Problem('gateway_not_running');
		}

		const console = await client.openConsole({mode, terminal, browser: logins.browser});
		const onEvent = (event: GatewayEvent) =>
			subscriptions.onEvent(event.type === 'login.state' ? logins.received(event) : event);
		console.subscribe(onEvent, snapshotReceiver(options, console.opened, onAttached));
		onConsole(console);
		if (signal.aborted) {
			console.close();
		}

		return await console.over;
	} catch (caught) {
		return toProblem(caught, 'control_failed');
	} finally {
		onConsole(undefined);
		logins.forget();
	}
}

/** Hands on the snapshots of a gateway. The first one says that the console is attached, so that nothing is shown as new that was there before. */
function snapshotReceiver(
	{subscriptions, publish, mode, logins}: Following,
	opened: ConsoleClient['opened'],
	onAttached: () => void,
): Subscriptions['onSnapshot'] {
	let state: 'opening' | 'attached' = 'opening';
	return snapshot => {
		subscriptions.onSnapshot({...snapshot, logins: snapshot.logins.map(logins.received)});
		const console = opened();
		if (console && state === 'opening') {
			state = 'attached';
			publish({type: 'view.console', state, ...console, mode});
			onAttached();
		}
	};
}

/** The console of this terminal at the gateway of another process. `first` is a connection that is there already. */
export function openReconnectingConsole(options: {
	readonly session: Session;
	readonly first: ControlClient | undefined;
	readonly onFailure: (error: unknown) => void;
}): DashboardGateway {
	const {clock, flags, environment, paths} = options.session;
	let {first} = options;
	const subscriptions = createSubscriptions();
	// A bus for events of this console alone: its connection.
	const bus = createEventBus({clock, redact: event => event});
	const publish = bus.publishTo(subscriptions.onEvent, paths.profile);
	return createReconnectingConsole({
		clock,
		mode: flags.readOnly ? 'read-only' : 'deciding',
		terminal: terminalName(environment.variables),
		async connect(signal) {
			const client = first ?? (await connectGateway({paths, clock, signal}));
			first = undefined;
			return client;
		},
		subscriptions,
		publish,
		logins: createConsoleLogins({
			variables: environment.variables,
			warn: text => publish({type: 'log', level: 'warning', area: 'login', text: safeText(text)}),
		}),
		onFailure: options.onFailure,
	});
}

/** The terminal of this process: its name or type, and the address over SSH. A mere claim to its receiver. */
function terminalName(variables: Readonly<Record<string, string | undefined>>): string {
	const {SSH_TTY: tty, SSH_CONNECTION: connection, TERM: type} = variables;
	const [address] = connection?.split(' ') ?? [];
	return [tty ?? type ?? '', address ? `from ${address}` : ''].filter(Boolean).join(' ');
}
