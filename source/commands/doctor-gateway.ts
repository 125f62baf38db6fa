import {type GatewayConfig} from '../config/gateway-config.ts';
import {type ControlClient} from '../control/client.ts';
import {findHolder} from '../control/lock.ts';
import {type StatePaths} from '../config/state-paths.ts';
import {type Finding, fine, trouble} from './finding.ts';
import {portState} from './port-state.ts';

type Look = {
	readonly paths: StatePaths;
	readonly webhook: GatewayConfig['webhook'];
	/** The running gateway; undefined when none answers. */
	readonly client: ControlClient | undefined;
	readonly signal: AbortSignal;
};

/** Node.js, the lock, the control socket and the port for webhooks. */
export async function checkGateway({paths, webhook, client, signal}: Look): Promise<readonly Finding[]> {
	const node = fine('node', `Node.js ${process.versions.node}`);
	if (client) {
		const {pid, version, webhook_url: url} = await client.call('status', {}, {signal});
		return [node, fine('gateway', `Gateway ${version} runs (process ${pid})`), receiverFinding(webhook, url)];
	}

	return [node, await lockFinding(paths.lock), await portFinding(webhook)];
}

async function lockFinding(lock: string): Promise<Finding> {
	const holder = await findHolder(lock).catch(() => 'unreadable' as const);
	if (holder === 'unreadable') {
		const message = `The lock ${lock} cannot be read`;
		return trouble('gateway', 'error', {message, remedy: 'Check owner and rights of the state directory'});
	}

	return holder === undefined
		? fine('gateway', 'No gateway is running')
		: trouble('gateway', 'error', {
				message: `Process ${holder} holds the lock, but does not answer`,
				remedy: 'Wait while it starts or stops; else look at logs/sluice.log and end it',
			});
}

function receiverFinding({enabled, host, port}: GatewayConfig['webhook'], url: string | null): Finding {
	if (url !== null || !enabled) {
		return fine('webhooks', url === null ? 'Webhooks are off' : `Webhooks are received at ${url}`);
	}

	return trouble('webhooks', 'error', {
		message: `The gateway does not listen at ${host}:${port}`,
		remedy: 'Its log names the reason: a refused route, or a port that is taken',
	});
}

async function portFinding({enabled, host, port}: GatewayConfig['webhook']): Promise<Finding> {
	if (!enabled) {
		return fine('webhooks', 'Webhooks are off');
	}

	const state = await portState(host, port);
	switch (state.kind) {
		case 'free':
			return fine('webhooks', `Port ${port} on ${host} is free`);
		case 'taken':
			return trouble('webhooks', 'error', {
				message: `Port ${port} on ${host} is taken by another program`,
				remedy: 'Choose another `platforms.webhook.port`, or stop the other program',
			});
		case 'refused':
			return trouble('webhooks', 'error', {
				message: `Nothing can listen at ${host}:${port} (${state.code})`,
				remedy: 'Check `platforms.webhook.host` and `port`; ports below 1024 need rights of their own',
			});
	}
}
