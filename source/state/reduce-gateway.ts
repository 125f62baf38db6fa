import {type GatewayEvent} from './event.ts';
import {type ConfigRow, type Snapshot, type WebhookRow} from './snapshot.ts';

/** The snapshot after the core came up. A listener that told its own state before keeps it. */
export function gatewayStarted(snapshot: Snapshot, event: Extract<GatewayEvent, {type: 'gateway.started'}>): Snapshot {
	const {version, profile, configured, demo, webhookUrl} = event;
	const webhook: WebhookRow =
		webhookUrl !== null && snapshot.webhook.state === 'off'
			? {state: 'listening', url: webhookUrl, routes: configured.routes}
			: snapshot.webhook;
	return {...snapshot, webhook, gateway: {phase: 'running', version, profile, configured, demo}};
}

/** config.yaml as it stands after its state event. */
export function configState(event: Extract<GatewayEvent, {type: 'config.state'}>): ConfigRow {
	return event.state === 'unusable'
		? {
				state: 'unusable',
				reason: event.reason ?? 'config.yaml cannot be used',
				...(event.inForce && {inForce: event.inForce}),
			}
		: {state: event.state};
}

/** The listener as it stands after its state event. */
export function webhookState(event: Extract<GatewayEvent, {type: 'webhook.state'}>): WebhookRow {
	switch (event.state) {
		case 'off':
			return {state: 'off'};
		case 'listening':
			return {state: 'listening', url: event.url ?? '', routes: event.routes};
		case 'failed':
			return {state: 'failed', reason: event.reason ?? 'the webhook listener could not start'};
	}
}
