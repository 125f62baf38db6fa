import {approvalLogText} from './entities/approval.ts';
import {questionLogText} from './entities/question.ts';
import {type ConfigInForce, type GatewayEvent} from './event.ts';
import {webhookLogText} from './entities/event.ts';
import {deliveryLogText} from './entities/delivery.ts';
import {jobLogText} from './entities/job.ts';
import {callLogText} from './entities/call.ts';
import {runLogText} from './entities/run.ts';
import {serverLogText} from './entities/server.ts';
import {counted} from './number-text.ts';
import {isPersonEvent, type PersonEvent} from './person-event.ts';
import {shownId} from '../util/id-part.ts';
import {because, nextText, statusText} from './status-line.ts';
import {dateAndTime, preciseTimeOfDay} from './time-text.ts';
import {isViewEvent} from './view-event.ts';

/** One event as one line of `sluice gateway run`: local time, area, what happened; commands in it are for the state directory `home`, where one was typed. */
export function eventLine(event: GatewayEvent, home?: string): string {
	return `${preciseTimeOfDay(event.time)}  ${areaOf(event).padEnd(9)}  ${eventText(event, home)}`;
}

/** The areas of the log by the noun in the type of an event. */
const areas = {
	gateway: 'gateway',
	config: 'config',
	server: 'server',
	webhook: 'webhooks',
	approval: 'approvals',
	question: 'questions',
	login: 'logins',
	proposal: 'install',
	tool: 'tools',
	call: 'tools',
	run: 'runs',
	cron: 'cron',
	route: 'routes',
	platform: 'platforms',
	model: 'model',
	endpoint: 'endpoint',
	hold: 'hold',
	limits: 'limits',
	delivery: 'delivery',
	remote: 'remote',
	view: 'dashboard',
} as const satisfies Readonly<Record<AreaNoun, string>>;

/** The nouns that name one area; the other events say theirs. */
type AreaNoun = Exclude<NounOf<GatewayEvent['type']>, 'fault' | 'rates' | 'log'>;

type NounOf<Type> = Type extends `${infer Noun}.${string}` ? Noun : Type;

/** The area alone: which part of the gateway it comes from. */
export function areaOf(event: GatewayEvent): string {
	if (event.type === 'fault.state') {
		return event.part;
	}

	if (event.type === 'rates.restored') {
		return event.of === 'route' ? 'routes' : 'server';
	}

	return event.type === 'log' ? event.area : areas[nounOf(event.type)];
}

function nounOf(type: `${AreaNoun}.${string}`): AreaNoun {
	const [noun] = type.split('.');
	return noun as AreaNoun;
}

/** The text of an event, without time and area. */
export function eventText(event: GatewayEvent, home?: string): string {
	if (isViewEvent(event)) {
		return event.type;
	}

	if (isPersonEvent(event)) {
		return personText(event);
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
			return serverLogText(event, home);
		case 'server.removed':
			return `${event.server} removed`;
		case 'webhook.state':
			return `${event.state}${event.url ? ` at ${event.url}` : ''}, ${counted(event.routes, 'route')}${because(event.reason)}${nextText(event, home)}`;
		case 'webhook.settled':
			return webhookLogText(event);
		case 'tool.started':
		case 'tool.progress':
		case 'tool.finished':
		case 'call.uncertain':
		case 'call.resolved':
			return callLogText(event);
		case 'run.state':
		case 'run.text':
		case 'run.step':
		case 'run.note':
			return runLogText(event);
		case 'cron.job':
		case 'cron.removed':
		case 'cron.fired':
		case 'cron.dropped':
			return jobLogText(event, home);
		case 'route.state':
		case 'route.removed':
		case 'platform.state':
		case 'delivery.failing':
		case 'delivery.cleared':
		case 'model.state':
		case 'fault.state':
		case 'hold.state':
		case 'limits.state':
		case 'endpoint.state':
			return statusText(event, home);
		case 'delivery.started':
		case 'delivery.settled':
			return deliveryLogText(event);
		case 'rates.restored': {
			const count = event.series.minutes.reduce((sum, [, happened]) => sum + happened, 0);
			return `${event.name} had ${counted(count, event.of === 'route' ? 'request' : 'call')} in the hour before this start`;
		}

		case 'log':
			return event.level === 'info' ? event.text : `${event.level}: ${event.text}`;
	}
}

function personText(event: Extract<GatewayEvent, PersonEvent>): string {
	switch (event.type) {
		case 'remote.sent':
			return sentText(event);
		case 'approval.requested':
		case 'approval.deadline':
		case 'approval.settled':
			return approvalLogText(event);
		case 'question.asked':
		case 'question.deadline':
		case 'question.finished':
		case 'question.settled':
		case 'proposal.asked':
		case 'proposal.settled':
			return questionLogText(event);
		case 'login.state':
			return `${event.server} ${event.flow} login ${event.state}${event.userCode ? `, code ${event.userCode}` : ''}${event.verificationUri ? ` at ${event.verificationUri}` : ''}${because(event.reason)}`;
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

/** The configuration in force while config.yaml cannot be used, in words. */
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

function sentText({id, messages}: Extract<GatewayEvent, {type: 'remote.sent'}>): string {
	const platforms = messages.map(({platform}) => platform).join(', ');
	return platforms === '' ? `${shownId(id)} has no message any more` : `${shownId(id)} sent to ${platforms}`;
}
