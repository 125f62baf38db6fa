import {type WebhookConfig} from '../../config/webhooks/webhook-entry.ts';
import {type Publish} from '../../state/event.ts';
import {listenActions} from '../../state/next-action.ts';
import {createBackOff, listenPauses} from '../../util/back-off.ts';
import {type Clock} from '../../util/clock.ts';
import {listenFailureText} from '../../util/http-server.ts';
import {toProblem} from '../../util/problem.ts';
import {type Server} from './server.ts';

/** Runs one server at the configured address and publishes its state (`webhook.state`). */
type Listener = {
	/** Starts to listen and returns the base URL. Rejects with the Problem, after publishing it; the address is then tried again until it is free. */
	readonly open: (config: WebhookConfig) => Promise<string>;
	/** Moves to the address of a new configuration; an unchanged address leaves all connections open, and one that failed is tried at once. Never rejects. */
	readonly follow: (config: WebhookConfig) => Promise<void>;
	/** Publishes the state again, because the number of routes changed. */
	readonly reportRoutes: () => void;
	readonly close: () => Promise<void>;
};

type ListenerOptions = {
	readonly clock: Clock;
	readonly publish: Publish;
	readonly createServer: () => Promise<Server>;
	readonly graceMilliseconds: number;
	readonly countRoutes: () => number;
};

type Listening = {readonly server: Server; readonly url: string; readonly address: string};

/** Creates a listener that does not listen yet. */
export function createListener(options: ListenerOptions): Listener {
	const {clock, publish, createServer, graceMilliseconds, countRoutes} = options;
	const again = createBackOff(clock, listenPauses);
	const inTurn = createTurns();
	let current: Listening | undefined;
	let wanted: WebhookConfig | undefined;

	const reportListening = (url: string) =>
		publish({type: 'webhook.state', state: 'listening', url, routes: countRoutes()});

	/** `known`: the failure that is published already. */
	const open = async (config: WebhookConfig, known?: string): Promise<string> => {
		wanted = config;
		try {
			const server = await createServer();
			const url = await server.listen(config);
			current = {server, url, address: addressOf(config)};
			again.reset();
			reportListening(url);
			return url;
		} catch (error) {
			const problem = toProblem(error, 'listen_failed');
			const reason = listenFailureText(problem);
			if (reason !== known) {
				const nextActions = listenActions(problem, 'platforms.webhook');
				publish({type: 'webhook.state', state: 'failed', routes: countRoutes(), reason, nextActions});
			}

			again.schedule(() => void inTurn(() => openAgain(reason)));
			throw problem;
		}
	};

	/** By its turn, a new configuration or the end may have come first. */
	const openAgain = async (known: string) => {
		if (wanted && !current) {
			await open(wanted, known).catch(() => undefined);
		}
	};

	const shut = async () => {
		again.reset();
		wanted = undefined;
		const listening = current;
		current = undefined;
		await listening?.server.close(graceMilliseconds);
	};

	let isClosed = false;
	const follow = async (config: WebhookConfig) => {
		if (isClosed) {
			return;
		}

		if (config.enabled && current?.address === addressOf(config)) {
			reportListening(current.url);
			return;
		}

		await shut();
		if (!config.enabled) {
			publish({type: 'webhook.state', state: 'off', routes: countRoutes()});
		} else if (!isClosed) {
			await open(config).catch(() => undefined);
		}
	};

	return {
		open: config => inTurn(() => open(config)),
		follow: config => inTurn(() => follow(config)),
		reportRoutes() {
			if (current) {
				reportListening(current.url);
			}
		},
		close() {
			isClosed = true;
			return inTurn(shut);
		},
	};
}

/** Runs one piece of work after the other. */
function createTurns() {
	let last: Promise<unknown> = Promise.resolve();
	return <Value>(work: () => Promise<Value>): Promise<Value> => {
		const next = last.then(work);
		last = next.catch(() => undefined);
		return next;
	};
}

function addressOf({host, port}: WebhookConfig): string {
	return `${host} ${port}`;
}
