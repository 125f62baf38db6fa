import {type GatewayEvent} from './event.ts';
import {withDropped, withOlderPage} from './entities/older-events.ts';
import {unstamped} from './keyed-rows.ts';
import {personEvent} from './reduce-person.ts';
import {draftRates, type RatesDraft} from './reduce-rates.ts';
import {statusEvent} from './reduce-status.ts';
import {isRunEvent, type RunEvent, runRows, workEvent, workLimits} from './reduce-work.ts';
import {
	type ConfigRow,
	type Counters,
	type DecisionRow,
	type EventRow,
	type LogRow,
	type Snapshot,
	emptySnapshot,
	type WebhookRow,
} from './snapshot.ts';
import {type ConsoleState} from './console-state.ts';
import {isViewEvent, type ViewEvent} from './view-event.ts';

/** Bounds on the rows of the rings. */
export const ringLimits = {events: 5000, log: 2000, decisions: 500, runs: workLimits.runs} as const;

/** New rows of the rings, changes of runs, the totals and the rates, gathered so that a batch copies each of them and the snapshot once. */
type Added = {
	counters: Counters;
	readonly events: EventRow[];
	readonly log: LogRow[];
	readonly decisions: DecisionRow[];
	readonly runs: RunEvent[];
	readonly rates: RatesDraft;
};

/** The snapshot after one event. */
export function reduce(snapshot: Snapshot, event: GatewayEvent): Snapshot {
	return reduceAll(snapshot, [event]);
}

/** The snapshot after many events, in order. The same as `reduce` for each, at the price of one. */
export function reduceAll(snapshot: Snapshot, events: readonly GatewayEvent[]): Snapshot {
	const added: Added = {
		counters: snapshot.counters,
		events: [],
		log: [],
		decisions: [],
		runs: [],
		rates: draftRates(snapshot.rates),
	};
	const rest = events.reduce((current, event) => {
		gather(added, event);
		added.rates.note(event, current);
		return apply(current, event);
	}, snapshot);
	const kept = appendInOrder(rest.events, added.events);
	return {
		...rest,
		counters: added.counters,
		events: kept,
		olderEvents: rest.olderEvents && withDropped(rest.olderEvents, {before: rest.events, after: kept}),
		log: append(rest.log, added.log, ringLimits.log),
		decisions: append(rest.decisions, added.decisions, ringLimits.decisions),
		runs: runRows(rest.runs, added.runs),
		rates: added.rates.result(),
	};
}

/** The snapshot that a gateway sent, with what the console that draws it has asked for itself. */
export function replaceSnapshot(shown: Snapshot, sent: Snapshot): Snapshot {
	const {console, toolList, serverCalls, ruleList, askerList, rehearsal, ruleProposal, page, trace, manualCall} = shown;
	const asked = {toolList, serverCalls, ruleList, askerList, rehearsal, ruleProposal, page, trace, manualCall};
	return {...sent, console, ...asked};
}

/** Everything but the rings, the runs, the totals and the rates. */
function apply(snapshot: Snapshot, event: GatewayEvent): Snapshot {
	if (isViewEvent(event)) {
		return viewEvent(snapshot, event);
	}

	switch (event.type) {
		case 'gateway.started':
			return gatewayStarted(snapshot, event);
		case 'gateway.draining':
			return snapshot.gateway.phase === 'running'
				? {...snapshot, gateway: {...snapshot.gateway, drainingUntil: event.until}}
				: snapshot;
		case 'gateway.stopped':
			return {...snapshot, gateway: {phase: 'stopped', reason: event.reason}};
		case 'config.state':
			return {...snapshot, config: configState(event)};
		case 'webhook.state':
			return {...snapshot, webhook: webhookState(event)};
		case 'approval.requested':
		case 'approval.deadline':
		case 'approval.settled':
		case 'login.state':
		case 'proposal.asked':
		case 'proposal.settled':
		case 'question.asked':
		case 'remote.sent':
		case 'question.deadline':
		case 'question.finished':
		case 'question.settled':
			return personEvent(snapshot, event);
		case 'tool.started':
		case 'tool.progress':
		case 'tool.finished':
		case 'call.uncertain':
		case 'call.resolved':
		case 'cron.job':
		case 'cron.removed':
		case 'cron.fired':
		case 'cron.dropped':
			return workEvent(snapshot, event);
		case 'server.state':
		case 'server.removed':
		case 'route.state':
		case 'route.removed':
		case 'platform.state':
		case 'delivery.failing':
		case 'delivery.cleared':
		case 'model.state':
		case 'endpoint.state':
		case 'fault.state':
		case 'hold.state':
		case 'limits.state':
			return statusEvent(snapshot, event);
		case 'webhook.settled':
		case 'log':
		case 'delivery.started':
		case 'delivery.settled':
		case 'rates.restored':
		case 'run.state':
		case 'run.text':
		case 'run.step':
		case 'run.note':
			return snapshot;
	}
}

function gather(added: Added, event: GatewayEvent): void {
	if (event.type === 'webhook.settled' && event.node === undefined) {
		added.counters = countRequest(added.counters, event);
	}

	if (event.type === 'log') {
		added.log.push(event);
		return;
	}

	if (isRunEvent(event)) {
		added.runs.push(event);
	}

	if (event.type === 'approval.settled') {
		added.decisions.push(event);
	}

	if (
		event.type === 'webhook.settled' ||
		event.type === 'tool.finished' ||
		event.type === 'delivery.settled' ||
		event.type === 'approval.settled'
	) {
		added.events.push(event);
	}
}

/** Newest last; the oldest rows fall out. */
function append<Row>(rows: readonly Row[], added: readonly Row[], limit: number): readonly Row[] {
	const kept = Math.max(0, limit - added.length);
	return added.length === 0 ? rows : [...rows.slice(Math.max(0, rows.length - kept)), ...added.slice(-limit)];
}

/** The newest events by their time: what another gateway did before anybody looked comes behind what this one did since. */
function appendInOrder(rows: readonly EventRow[], added: readonly EventRow[]): readonly EventRow[] {
	if (!added.some(event => 'node' in event)) {
		return append(rows, added, ringLimits.events);
	}

	const all = [...rows, ...added];
	const isOrdered = all.every((event, index) => event.time >= (all[index - 1]?.time ?? 0));
	return (isOrdered ? all : all.toSorted((first, second) => first.time - second.time)).slice(-ringLimits.events);
}

/** The totals of this gateway after one more request. */
function countRequest(counters: Counters, {outcome}: Extract<GatewayEvent, {type: 'webhook.settled'}>): Counters {
	return {
		webhooks: counters.webhooks + 1,
		webhooksRejected: counters.webhooksRejected + (outcome === 'rejected' ? 1 : 0),
	};
}

/** The snapshot after the core came up. A listener that published its own state before keeps it. */
function gatewayStarted(snapshot: Snapshot, event: Extract<GatewayEvent, {type: 'gateway.started'}>): Snapshot {
	const {version, pid, profile, configured, demo, webhookUrl, time: startedAt} = event;
	const webhook: WebhookRow =
		webhookUrl !== null && snapshot.webhook.state === 'off'
			? {state: 'listening', url: webhookUrl, routes: configured.routes}
			: snapshot.webhook;
	return {...snapshot, webhook, gateway: {phase: 'running', version, pid, startedAt, profile, configured, demo}};
}

/** The row of config.yaml after its state event. */
function configState(event: Extract<GatewayEvent, {type: 'config.state'}>): ConfigRow {
	return event.state === 'unusable'
		? {
				state: 'unusable',
				reason: event.reason ?? 'config.yaml cannot be used',
				...(event.inForce && {inForce: event.inForce}),
			}
		: {state: event.state};
}

/** The row of the listener after its state event. */
function webhookState(event: Extract<GatewayEvent, {type: 'webhook.state'}>): WebhookRow {
	switch (event.state) {
		case 'off':
			return {state: 'off'};
		case 'listening':
			return {state: 'listening', url: event.url ?? '', routes: event.routes};
		case 'failed':
			return {
				state: 'failed',
				reason: event.reason ?? 'the webhook listener could not start',
				...(event.nextActions && {nextActions: event.nextActions}),
			};
	}
}

/** A gateway that is gone answers nothing: nothing of it waits for a person any more. */
function withConsole(snapshot: Snapshot, event: Extract<ViewEvent, {type: 'view.console'}>): Snapshot {
	const console: ConsoleState = event;
	const {approvals, questions, sent, proposals, uncertain, logins, calls, failedDeliveries} = emptySnapshot;
	return console.state === 'lost'
		? {...snapshot, console, approvals, questions, sent, proposals, uncertain, logins, calls, failedDeliveries}
		: {...snapshot, console};
}

/** The snapshot after one more reply to the dashboard; a newer reply of a kind replaces the older one. */
function viewEvent(snapshot: Snapshot, event: Extract<GatewayEvent, ViewEvent>): Snapshot {
	switch (event.type) {
		case 'view.console':
			return withConsole(snapshot, event);
		case 'view.tools':
			return {...snapshot, toolList: unstamped(event)};
		case 'view.server-calls':
			return {...snapshot, serverCalls: unstamped(event)};
		case 'view.rules':
			return {...snapshot, ruleList: unstamped(event)};
		case 'view.askers':
			return {...snapshot, askerList: unstamped(event)};
		case 'view.rehearsal':
			return {...snapshot, rehearsal: unstamped(event)};
		case 'view.rule-proposal':
			return {...snapshot, ruleProposal: unstamped(event)};
		case 'view.page':
			return {...snapshot, page: {...unstamped(event), shownAt: event.time}};
		case 'view.trace':
			return {...snapshot, trace: unstamped(event)};
		case 'view.older-events':
			return {...snapshot, olderEvents: withOlderPage(snapshot, event)};
		case 'view.call':
			return {...snapshot, manualCall: unstamped(event)};
	}
}
