import {shownId} from '../util/id-part.ts';
import {hiddenWords, markedWords} from './approval-event.ts';
import {type ConfigInForce, type GatewayEvent} from './event.ts';
import {serverCommands} from './next-action.ts';
import {askedFromText, originText, sentName} from './origin.ts';
import {type PersonEvent} from './person-event.ts';
import {because, nextText, statusText} from './status-line.ts';
import {dateAndTime, preciseTimeOfDay} from './time-text.ts';
import {type ViewEvent} from './view-event.ts';
import {type WorkEvent} from './work-event.ts';
import {claimed, quoted, shownName, toolText} from '../util/safe-text.ts';

/** One event as one line of `sluice gateway run`: local time, area, what happened; commands in it are for the state directory `home`, where one was typed. */
export function eventLine(event: GatewayEvent, home?: string): string {
	return `${preciseTimeOfDay(event.time)}  ${areaOf(event).padEnd(9)}  ${eventText(event, home)}`;
}

/** Whether it is for one console alone, which asked to see it: no line of what happens. */
export function isViewEvent(event: GatewayEvent): event is Extract<GatewayEvent, ViewEvent> {
	return event.type.startsWith('view.');
}

/** The area alone: which part of the gateway it comes from. */
export function areaOf(event: GatewayEvent): string {
	if (isViewEvent(event)) {
		return 'dashboard';
	}

	switch (event.type) {
		case 'gateway.started':
		case 'gateway.draining':
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
		case 'fault.state':
			return event.part;
		case 'hold.state':
			return 'hold';
		case 'delivery.started':
		case 'delivery.settled':
		case 'delivery.failing':
		case 'delivery.cleared':
			return 'delivery';
		case 'rates.restored':
			return event.of === 'route' ? 'routes' : 'server';
		case 'log':
			return event.area;
	}
}

/** What happened, without time and area. */
export function eventText(event: GatewayEvent, home?: string): string {
	if (isViewEvent(event)) {
		return event.type;
	}

	switch (event.type) {
		case 'gateway.started':
			return `started, version ${event.version}, process ${event.pid}${event.webhookUrl ? `, webhooks at ${event.webhookUrl}` : ''}${event.demo ? ', demo' : ''}`;
		case 'gateway.draining':
			return `draining until ${dateAndTime(event.until)}: ${event.reason}`;
		case 'gateway.stopped':
			return `stopped: ${event.reason}`;
		case 'config.state':
			return configText(event);
		case 'server.state':
			return serverLine(event, home);
		case 'server.removed':
			return `${event.server} removed`;
		case 'webhook.state':
			return `${event.state}${event.url ? ` at ${event.url}` : ''}, ${counted(event.routes, 'route')}${because(event.reason)}${nextText(event, home)}`;
		case 'webhook.settled':
			return webhookText(event);
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
			return workText(event, home);
		case 'route.state':
		case 'route.removed':
		case 'platform.state':
		case 'delivery.failing':
		case 'delivery.cleared':
		case 'model.state':
		case 'fault.state':
		case 'hold.state':
		case 'endpoint.state':
			return statusText(event, home);
		case 'delivery.started':
			return `${event.target} sending, ${sentName('delivery', event.delivery, event)}`;
		case 'delivery.settled':
			return `${event.target} ${event.outcome}${event.code ? ` ${event.code}` : ''}, ${sentName('delivery', event.delivery, event)}`;
		case 'rates.restored': {
			const count = event.series.minutes.reduce((sum, [, happened]) => sum + happened, 0);
			return `${event.name} had ${counted(count, event.of === 'route' ? 'request' : 'call')} in the hour before this start`;
		}

		case 'log':
			return event.level === 'info' ? event.text : `${event.level}: ${event.text}`;
	}
}

function webhookText(event: Extract<GatewayEvent, {type: 'webhook.settled'}>): string {
	const what = [event.status, shownName(event.route), claimed('event', event.event), event.outcome]
		.filter(Boolean)
		.join(' ');
	const facts = [
		`${what}${because(event.reason)}`,
		claimed('delivery', event.deliveryId),
		`${Math.round(event.ms)} ms`,
	];
	return `${facts.filter(Boolean).join(', ')}${nodeWords(event)}`;
}

function serverLine(event: Extract<GatewayEvent, {type: 'server.state'}>, home: string | undefined): string {
	const {reason, nextAction} = serverCommands(event, home);
	const tools = event.state === 'connected' ? `, ${counted(event.tools, 'tool')}` : '';
	return `${event.server} ${event.state}${because(reason)}${tools}${nextAction === undefined ? '' : ` (${nextAction})`}`;
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
export function inForceText({inForce}: {readonly inForce?: ConfigInForce}): string {
	switch (inForce) {
		case 'nothing':
			return 'nothing is configured until it is fixed';
		case 'no-tool-calls':
			return 'no tool is called until it is fixed';
		case 'former-rules':
			return 'the rules stay as they were';
		case undefined:
			return 'the configuration stays as it was';
	}
}

/** What a person was asked or answered, in one line. */
function personText(event: PersonEvent): string {
	switch (event.type) {
		case 'approval.requested':
			return `${shownId(event.id)} asks for ${toolText(event)}, from ${[
				askedFromText(event),
				...hiddenWords(event),
				...markedWords(event),
			].join(', ')}`;
		case 'approval.settled':
			return `${shownId(event.id)} ${event.outcome} ${toolText(event)}${event.scope ? ` (${event.scope})` : ''}${event.by ? ` by ${event.by}` : ''}${because(event.message)}`;
		case 'question.asked':
			return `${shownId(event.id)} ${event.asker} asks${because(event.message)}`;
		case 'question.settled':
			return `${shownId(event.id)} ${event.outcome} ${event.asker}${event.by ? ` by ${event.by}` : ''}`;
		case 'proposal.asked':
			return `${shownId(event.id)} wants to install ${shownName(event.name)}`;
		case 'proposal.settled':
			return `${shownId(event.id)} ${event.outcome}${event.name ? ` ${shownName(event.name)}` : ''}`;
		case 'login.state':
			return `${event.server} ${event.flow} login ${event.state}${event.userCode ? `, code ${event.userCode}` : ''}${event.verificationUri ? ` at ${event.verificationUri}` : ''}${because(event.reason)}`;
	}
}

/** The other gateway of a shared journal. */
function nodeWords({node}: {readonly node?: string}): string {
	return node === undefined ? '' : ` (${node})`;
}

/** A change of a call, run or job, in one line. */
function workText(event: Extract<GatewayEvent, WorkEvent>, home: string | undefined): string {
	switch (event.type) {
		case 'tool.started':
			return `${toolText(event)} started, from ${originText(event.origin)}${nodeWords(event)}`;
		case 'tool.progress':
			return `${shownId(event.callId)} ${event.progress}${event.total === undefined ? '' : ` of ${event.total}`}${because(event.message && quoted(event.message))}`;
		case 'tool.finished':
			return `${toolText(event)} ${event.outcome}${event.code ? ` ${event.code}` : ''}, ${Math.round(event.ms)} ms${event.rule ? `, rule ${event.rule.id}` : ''}, from ${originText(event.origin)}${nodeWords(event)}`;
		case 'call.uncertain':
			return `${shownId(event.callId)} ${toolText(event)} may have taken effect${because(event.reason)}`;
		case 'call.resolved':
			return `${shownId(event.callId)} ${event.resolution}${event.by ? ` by ${event.by}` : ''}`;
		case 'run.state':
			return `${shownId(event.runId)} ${event.state}${event.route ? ` route ${event.route}` : ''}${event.job ? ` job ${event.job}` : ''}${event.waitingFor ? ` waits for ${event.waitingFor === 'slot' ? 'a free slot' : event.waitingFor}` : ''}${because(event.reason)}${nodeWords(event)}`;
		case 'run.text':
			return `${shownId(event.runId)} says${because(event.text.replaceAll(/\s+/g, ' ').trim())}`;
		case 'run.step':
			return `${shownId(event.runId)} ${shownName(event.step.tool)} ${event.step.outcome ?? event.step.state}`;
		case 'cron.job':
			return `${event.name} ${event.state}${event.lastStatus ? `, last ${event.lastStatus}` : ''}${nextText(event, home)}`;
		case 'cron.removed':
			return `${event.id} removed`;
		case 'cron.fired':
			return `${event.job} fired by ${event.by}`;
		case 'cron.dropped':
			return `${event.job} not run, fired by ${event.by}${because(event.reason)}`;
	}
}

function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
