import {type GatewayConfig} from '../../config/read/gateway-config.ts';
import {type ControlClient} from '../../control/client.ts';
import {findHolder} from '../../control/lock.ts';
import {type StatePaths} from '../../config/read/state-paths.ts';
import {type Finding, fine, trouble} from './finding.ts';
import {portState} from './port-state.ts';

type CheckOptions = {
	readonly paths: StatePaths;
	readonly config: Pick<GatewayConfig, 'webhook' | 'gateway' | 'metrics'>;
	/** The running gateway; undefined when none answers. */
	readonly client: ControlClient | undefined;
	readonly signal: AbortSignal;
};

/** Node.js, the lock, the control socket and the ports for webhooks and of the endpoint. */
export async function checkGateway({paths, config, client, signal}: CheckOptions): Promise<readonly Finding[]> {
	const {webhook} = config;
	const node = fine('node', `Node.js ${process.versions.node}`);
	if (client) {
		const {pid, version, webhook_url: url} = await client.call('status', {}, {signal});
		return [node, fine('gateway', `Gateway ${version} is running (process ${pid})`), receiverFinding(webhook, url)];
	}

	return [
		node,
		await lockFinding(paths.lock),
		await (webhook.enabled
			? portFinding({...webhook, check: 'webhooks', key: 'platforms.webhook', level: 'error'})
			: fine('webhooks', 'Webhooks are off')),
		...(await endpointFindings(config)),
	];
}

async function lockFinding(lock: string): Promise<Finding> {
	const holder = await findHolder(lock).catch(() => 'unreadable' as const);
	if (holder === 'unreadable') {
		const message = `The lock ${lock} cannot be read`;
		return trouble('gateway', 'error', {message, remedy: 'Check the owner and permissions of the state directory'});
	}

	return holder === undefined
		? fine('gateway', 'No gateway is running')
		: trouble('gateway', 'error', {
				message: `Process ${holder} holds the lock, but does not answer`,
				remedy: 'Wait in case it is starting or stopping; otherwise check logs/sluice.log and stop it',
			});
}

function receiverFinding({enabled, host, port}: GatewayConfig['webhook'], url: string | null): Finding {
	if (url !== null || !enabled) {
		return fine('webhooks', url === null ? 'Webhooks are off' : `Webhooks are received at ${url}`);
	}

	return trouble('webhooks', 'error', {
		message: `The gateway is not listening on ${host}:${port}`,
		remedy: 'Its log says why: an invalid route, or a port that is in use',
	});
}

/** The metrics are served on the port of the endpoint. It is on by default and the rest goes on without it: a warning, no error. */
async function endpointFindings({gateway: {endpoint}, metrics}: CheckOptions['config']): Promise<readonly Finding[]> {
	return endpoint.enabled || metrics.enabled
		? [await portFinding({...endpoint, check: 'endpoint', key: 'gateway.endpoint', level: 'warning'})]
		: [];
}

type ListenTarget = {
	readonly host: string;
	readonly port: number;
	readonly check: string;
	/** The section of config.yaml that has `host` and `port`. */
	readonly key: string;
	readonly level: 'error' | 'warning';
};

async function portFinding({host, port, check, key, level}: ListenTarget): Promise<Finding> {
	const state = await portState(host, port);
	switch (state.kind) {
		case 'free':
			return fine(check, `Port ${port} on ${host} is free`);
		case 'taken':
			return trouble(check, level, {
				message: `Port ${port} on ${host} is in use by another program`,
				remedy: `Choose another \`${key}.port\`, or stop the other program`,
			});
		case 'refused':
			return trouble(check, level, {
				message: `Cannot listen on ${host}:${port} (${state.code})`,
				remedy: `Check \`${key}.host\` and \`port\`; ports below 1024 need special permission`,
			});
	}
}
