import {type GatewayEvent} from './event.ts';
import {originText} from './origin.ts';
import {preciseTimeOfDay} from './time-text.ts';

/** One event as one line of text: local time, area, words. For `sluice gateway run`. */
export function eventLine(event: GatewayEvent): string {
	return `${preciseTimeOfDay(event.time)}  ${areaOf(event).padEnd(9)}  ${eventWords(event)}`;
}

/** The area alone: who speaks. */
export function areaOf(event: GatewayEvent): string {
	switch (event.type) {
		case 'gateway.started':
		case 'gateway.stopped':
			return 'gateway';
		case 'config.state':
			return 'config';
		case 'server.state':
		case 'server.removed':
			return 'server';
		case 'webhook.state':
		case 'webhook.settled':
			return 'webhooks';
		case 'approval.requested':
		case 'approval.settled':
			return 'approvals';
		case 'tool.finished':
			return 'tools';
		case 'run.state':
			return 'runs';
		case 'delivery.settled':
			return 'delivery';
		case 'log':
			return event.area;
	}
}

/** The words alone: what happened, without time and area. */
export function eventWords(event: GatewayEvent): string {
	switch (event.type) {
		case 'gateway.started':
			return `started, version ${event.version}, process ${event.pid}${event.webhookUrl ? `, webhooks at ${event.webhookUrl}` : ''}${event.demo ? ', demo' : ''}`;
		case 'gateway.stopped':
			return `stopped: ${event.reason}`;
		case 'config.state':
			return configWords(event);
		case 'server.state':
			return `${event.server} ${event.state}${because(event.reason)}${event.state === 'connected' ? `, ${counted(event.tools, 'tool')}` : ''}${event.nextAction ? ` (${event.nextAction})` : ''}`;
		case 'server.removed':
			return `${event.server} removed`;
		case 'webhook.state':
			return `${event.state}${event.url ? ` at ${event.url}` : ''}, ${counted(event.routes, 'route')}${because(event.reason)}`;
		case 'webhook.settled':
			return `${event.status} ${event.route} ${event.event} ${event.outcome}${because(event.reason)}${event.deliveryId ? `, delivery ${event.deliveryId}` : ''}, ${Math.round(event.ms)} ms`;
		case 'approval.requested':
			return `${event.id} asks for ${event.server}/${event.tool}, from ${originText(event.origin)}`;
		case 'approval.settled':
			return `${event.id} ${event.outcome} ${event.server}/${event.tool}${event.scope ? ` (${event.scope})` : ''}${event.by ? ` by ${event.by}` : ''}${because(event.message)}`;
		case 'tool.finished':
			return `${event.server}/${event.tool} ${event.outcome}${event.code ? ` ${event.code}` : ''}, ${Math.round(event.ms)} ms, from ${originText(event.origin)}`;
		case 'run.state':
			return `${event.runId} ${event.state}${event.route ? ` route ${event.route}` : ''}${event.job ? ` job ${event.job}` : ''}${because(event.reason)}`;
		case 'delivery.settled':
			return `${event.target} ${event.outcome}${event.code ? ` ${event.code}` : ''}, delivery ${event.delivery}`;
		case 'log':
			return event.level === 'info' ? event.text : `${event.level}: ${event.text}`;
	}
}

function configWords(event: Extract<GatewayEvent, {type: 'config.state'}>): string {
	switch (event.state) {
		case 'read':
			return 'config.yaml read';
		case 'absent':
			return 'there is no config.yaml';
		case 'unusable':
			return `unusable: ${event.reason ?? 'config.yaml cannot be used'} · the configuration stays as it was`;
	}
}

function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function because(reason: string | undefined): string {
	return reason ? `: ${reason}` : '';
}
