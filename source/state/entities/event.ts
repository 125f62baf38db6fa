import {claimed, quoted, shownName} from '../../util/safe-text.ts';
import {type GatewayEvent} from '../event.ts';
import {because, nodeWords} from '../status-line.ts';
import {type Fields} from './entity.ts';
import {type JsonRow} from './json-kind.ts';
import {tableOf} from './table.ts';

/** The properties of a stored webhook event. */
export const eventFields = {
	id: {json: 'id'},
	time: {json: 'time'},
	route: {json: 'name'},
	event: {json: 'text'},
	delivery_id: {json: 'text'},
	status: {json: 'count'},
	outcome: {json: 'text'},
	reason: {json: 'text?'},
	ms: {json: 'ms'},
	/** The newest run that it led to. */
	run: {json: 'run?'},
	/** The messages that it led to, newest first. */
	deliveries: {json: 'deliveries'},
	node: {json: 'text-?'},
	profile: {show: 'text'},
	/** Secrets are masked. */
	headers: {show: 'headers'},
	/** As text, after its encoding was undone. A refused event has none. */
	body: {show: 'text?'},
	/** The proof of who sent it. */
	signature: {show: 'text?'},
	/** The filter that it did not pass. */
	filter: {show: 'text?'},
	/** The output of the script of the route, or why it did no work. */
	script_output: {show: 'text?'},
	/** The rendered prompt; of a direct delivery, its text. */
	prompt: {show: 'text?'},
	/** The target of the answer. */
	deliver: {show: 'text?'},
} as const satisfies Fields<object>;

/** `sluice events list`. */
export const eventTable = tableOf(eventFields, [
	'time',
	'id',
	'status',
	'route',
	{title: 'EVENT', cell: ({event}) => event && quoted(event)},
	'outcome',
	'reason',
	{title: 'RESULT', cell: resultText},
]);

/** The state of the run and the outcomes of the deliveries: `run finished, telegram delivered`. */
function resultText({run, deliveries}: JsonRow<typeof eventFields>): string {
	return [...(run ? [`run ${run.state}`] : []), ...deliveries.map(({target, outcome}) => `${target} ${outcome}`)].join(
		', ',
	);
}

/** An event as Tab offers it. */
export function eventCompletion({
	route,
	event,
	outcome,
}: {
	readonly route: string;
	readonly event: string;
	readonly outcome: string;
}): string {
	return `${shownName(route)} ${claimed('event', event)} ${outcome}`;
}

/** The answer to a webhook request as a line of the log. */
export function webhookLogText(event: Extract<GatewayEvent, {type: 'webhook.settled'}>): string {
	const request = [event.status, shownName(event.route), claimed('event', event.event), event.outcome];
	const facts = [
		`${request.filter(Boolean).join(' ')}${because(event.reason)}`,
		claimed('delivery', event.deliveryId),
		`${Math.round(event.ms)} ms`,
	];
	return `${facts.filter(Boolean).join(', ')}${nodeWords(event)}`;
}
