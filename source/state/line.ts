import {type GatewayEvent} from './event.ts';
import {personText} from './person-text.ts';
import {because} from './because.ts';
import {statusText} from './status-text.ts';
import {preciseTimeOfDay} from './time-text.ts';
import {workText} from './work-text.ts';

/** One event as one line of text: local time, area, words. For `sluice gateway run`. */
export function eventLine(event: GatewayEvent): string {
	return `${preciseTimeOfDay(event.time)}  ${areaOf(event).padEnd(9)}  ${eventText(event)}`;
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
		case 'question.asked':
		case 'question.settled':
			return 'questions';
		case 'login.state':
			return 'logins';
		case 'proposal.asked':
		case 'proposal.settled':
			return 'install';
		case 'tool.started':
		case 'tool.progress':
		case 'tool.finished':
		case 'call.uncertain':
		case 'call.resolved':
			return 'tools';
		case 'run.state':
		case 'run.text':
		case 'run.step':
			return 'runs';
		case 'cron.job':
		case 'cron.removed':
		case 'cron.fired':
		case 'cron.dropped':
			return 'cron';
		case 'route.state':
		case 'route.removed':
			return 'routes';
		case 'platform.state':
			return 'platforms';
		case 'model.state':
			return 'model';
		case 'endpoint.state':
			return 'endpoint';
		case 'view.tools':
		case 'view.rules':
		case 'view.page':
		case 'view.call':
			return 'window';
		case 'delivery.settled':
			return 'delivery';
		case 'log':
			return event.area;
	}
}

/** The words alone: what happened, without time and area. */
export function eventText(event: GatewayEvent): string {
	switch (event.type) {
		case 'gateway.started':
			return `started, version ${event.version}, process ${event.pid}${event.webhookUrl ? `, webhooks at ${event.webhookUrl}` : ''}${event.demo ? ', demo' : ''}`;
		case 'gateway.stopped':
			return `stopped: ${event.reason}`;
		case 'config.state':
			return configText(event);
		case 'server.state':
			return `${event.server} ${event.state}${because(event.reason)}${event.state === 'connected' ? `, ${counted(event.tools, 'tool')}` : ''}${event.nextAction ? ` (${event.nextAction})` : ''}`;
		case 'server.removed':
			return `${event.server} removed`;
		case 'webhook.state':
			return `${event.state}${event.url ? ` at ${event.url}` : ''}, ${counted(event.routes, 'route')}${because(event.reason)}`;
		case 'webhook.settled':
			return `${event.status} ${event.route} ${event.event} ${event.outcome}${because(event.reason)}${event.deliveryId ? `, delivery ${event.deliveryId}` : ''}, ${Math.round(event.ms)} ms`;
		case 'approval.requested':
		case 'approval.settled':
		case 'login.state':
		case 'proposal.asked':
		case 'proposal.settled':
		case 'question.asked':
		case 'question.settled':
			return personText(event);
		case 'tool.started':
		case 'tool.progress':
		case 'tool.finished':
		case 'call.uncertain':
		case 'call.resolved':
		case 'run.state':
		case 'run.text':
		case 'run.step':
		case 'cron.job':
		case 'cron.removed':
		case 'cron.fired':
		case 'cron.dropped':
			return workText(event);
		case 'route.state':
		case 'route.removed':
		case 'platform.state':
		case 'model.state':
		case 'endpoint.state':
			return statusText(event);
		case 'view.tools':
		case 'view.rules':
		case 'view.page':
		case 'view.call':
			return event.type;
		case 'delivery.settled':
			return `${event.target} ${event.outcome}${event.code ? ` ${event.code}` : ''}, delivery ${event.delivery}`;
		case 'log':
			return event.level === 'info' ? event.text : `${event.level}: ${event.text}`;
	}
}

function configText(event: Extract<GatewayEvent, {type: 'config.state'}>): string {
	switch (event.state) {
		case 'read':
			return 'config.yaml read';
		case 'absent':
			return 'there is no config.yaml';
		case 'unusable':
			return `unusable: ${event.reason ?? 'config.yaml cannot be used'} · ${inForceText(event)}`;
	}
}

/** What goes on while config.yaml cannot be used. */
export function inForceText({inForce}: {readonly inForce?: 'nothing'}): string {
	return inForce === 'nothing' ? 'nothing is configured until it is mended' : 'the configuration stays as it was';
}

function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
