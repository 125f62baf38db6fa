import {type GatewayEvent} from './event.ts';
import {limitText} from './limit-state.ts';
import {actionCommands} from './next-action.ts';
import {type HeldState, type StatusEvent} from './status-event.ts';
import {dateAndTime} from './time-text.ts';

/** The state of a route or another part of the gateway, in one line. */
export function statusText(event: Extract<GatewayEvent, StatusEvent>, home: string | undefined): string {
	switch (event.type) {
		case 'route.state':
			return `${event.route} ${event.state}${because(event.reason)}${nextText(event, home)}`;
		case 'route.removed':
			return `${event.route} removed`;
		case 'platform.state':
			return `${event.platform} ${event.state}${because(event.reason)}${nextText(event, home)}`;
		case 'delivery.failing':
			return `${placeText(event)} failing, ${event.failures} not delivered since the last success${because(event.reason)}`;
		case 'delivery.cleared':
			return `${placeText(event)} ${clearedWords[event.by]}`;
		case 'model.state':
			return `${event.provider}${event.model ? ` ${event.model}` : ''}${because(event.reason)}`;
		case 'fault.state':
			return event.reason ?? 'works again';
		case 'hold.state':
			return event.held
				? `${heldText(event.held)}; ${event.waiting} ${event.waiting === 1 ? 'waits' : 'wait'}`
				: `released${event.releasedBy === undefined ? '' : ` by ${event.releasedBy}`}`;
		case 'limits.state':
			return event.limits.length === 0 ? 'none' : event.limits.map(limitText).join('; ');
		case 'endpoint.state':
			return `${event.state}${event.url ? ` at ${event.url}` : ''}${because(event.reason)}${nextText(event, home)}`;
	}
}

const clearedWords = {
	delivery: 'delivered again',
	person: 'failures dismissed',
	'another-node': 'delivered again or dismissed at another gateway',
} as const;

/** Since when, by whom and why everything is held. */
export function heldText({since, by, reason}: Pick<HeldState, 'since' | 'by' | 'reason'>): string {
	return `held since ${dateAndTime(since)} by ${by}${because(reason)}`;
}

function placeText(event: Extract<StatusEvent, {type: 'delivery.failing' | 'delivery.cleared'}>): string {
	const {route, job, target} = event;
	return [route && `route ${route}`, job && `job ${job}`, `to ${target}`].filter(Boolean).join(' ');
}

/** The next step for a part of the gateway, at the end of its line. */
export function nextText(
	{
		nextActions,
		profile,
	}: Extract<GatewayEvent, {type: 'route.state' | 'platform.state' | 'endpoint.state' | 'webhook.state' | 'cron.job'}>,
	home: string | undefined,
): string {
	const commands = actionCommands(nextActions, {home, profile});
	return commands === undefined ? '' : ` (${commands})`;
}

/** A reason as the end of a line, after a colon; nothing when there is none. */
export function because(reason: string | undefined): string {
	return reason ? `: ${reason}` : '';
}

/** The other gateway of a shared journal, at the end of a line. */
export function nodeWords({node}: {readonly node?: string}): string {
	return node === undefined ? '' : ` (${node})`;
}
