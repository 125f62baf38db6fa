import {type WebhookConfig} from '../../config/webhooks/webhook-entry.ts';
import {type Publish} from '../../state/event.ts';
import {problemLine, toProblem} from '../../util/problem.ts';
import {type Server} from './server.ts';

/** Runs one server at the configured address and publishes its state (`webhook.state`). */
type Listener = {
	/** Starts to listen and returns the base URL. Rejects with the Problem, after publishing it. */
	readonly open: (config: WebhookConfig) => Promise<string>;
	/** Moves to the address of a new configuration; an unchanged address leaves all connections open. Never rejects. */
	readonly follow: (config: WebhookConfig) => Promise<void>;
	/** Publishes the state again, because the number of routes changed. */
	readonly reportRoutes: () => void;
	readonly close: () => Promise<void>;
};

type Listening = {readonly server: Server; readonly url: string; readonly address: string};

/** Creates a listener that does not listen yet. */
export function createListener(options: {
	readonly publish: Publish;
	readonly createServer: () => Promise<Server>;
	readonly graceMilliseconds: number;
	readonly countRoutes: () => number;
}): Listener {
	const {publish, createServer, graceMilliseconds, countRoutes} = options;
	let current: Listening | undefined;
	let isClosed = false;

	const open = async (config: WebhookConfig): Promise<string> => {
		const routes = countRoutes();
		try {
			const server = await createServer();
			const url = await server.listen(config);
			current = {server, url, address: addressOf(config)};
			publish({type: 'webhook.state', state: 'listening', url, routes});
			return url;
		} catch (error) {
			const problem = toProblem(error, 'listen_failed');
			publish({type: 'webhook.state', state: 'failed', routes, reason: problemLine(problem)});
			throw problem;
		}
	};

	const shut = async () => {
		const listening = current;
		current = undefined;
		await listening?.server.close(graceMilliseconds);
	};

	const follow = async (config: WebhookConfig) => {
		const routes = countRoutes();
		if (isClosed) {
			return;
		}

		if (config.enabled && current?.address === addressOf(config)) {
			publish({type: 'webhook.state', state: 'listening', url: current.url, routes});
			return;
		}

		await shut();
		if (!config.enabled) {
			publish({type: 'webhook.state', state: 'off', routes});
		} else if (!isClosed) {
			await open(config).catch(() => undefined);
		}
	};

	let moves: Promise<unknown> = Promise.resolve();
	const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
		const next = moves.then(work);
		moves = next.catch(() => undefined);
		return next;
	};

	return {
		open: config => inTurn(() => open(config)),
		follow: config => inTurn(() => follow(config)),
		reportRoutes() {
			if (current) {
				publish({type: 'webhook.state', state: 'listening', url: current.url, routes: countRoutes()});
			}
		},
		close() {
			isClosed = true;
			return inTurn(shut);
		},
	};
}

function addressOf({host, port}: WebhookConfig): string {
	return `${host} ${port}`;
}
