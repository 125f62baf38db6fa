import {type GatewayCall} from '../../state/gateway-call.ts';
import {type FailedDeliveryRow, type Snapshot} from '../../state/snapshot.ts';
import {type RowSubject, type TraceSubject} from '../../state/trace.ts';
import {type PageSubject} from '../../state/view-event.ts';
import {listedEvents} from '../../state/entities/older-events.ts';
import {decisionId} from '../../state/entities/decision.ts';
import {failuresOfJob} from '../lists/job-rows.ts';
import {jobId} from '../../state/entities/job.ts';
import {serverId} from '../../state/entities/server.ts';
import {overviewRouteId} from '../lists/overview-rows.ts';
import {platformId} from '../lists/part-rows.ts';
import {failuresOfRoute} from '../lists/route-rows.ts';
import {routeId} from '../../state/entities/route.ts';
import {type ViewName} from '../lists/view-table.ts';
import {failedDeliveryId} from '../../state/entities/delivery.ts';

/** The subject of a row's trace, and the profile of the row. */
export type TracedRow = {readonly subject: TraceSubject; readonly profile: string};

/** The trace subject of a row; undefined for rows without a trace. */
export function tracedRow(view: ViewName, rowId: string, snapshot: Snapshot): TracedRow | undefined {
	return subjects[view]?.(rowId, snapshot);
}

/** By view, the subject of a row. */
const subjects: Readonly<Partial<Record<ViewName, (rowId: string, snapshot: Snapshot) => TracedRow | undefined>>> = {
	events: tracedEvent,
	you(rowId, {decisions}) {
		const decision = decisions.find(row => decisionId(row) === rowId);
		return decision && traced('decision', decision.id, decision);
	},
	runs(rowId, {runs}) {
		const run = runs.find(({runId}) => runId === rowId);
		return run && traced('run', run.runId, run);
	},
	calls(rowId, {calls}) {
		const call = calls.find(({callId}) => callId === rowId);
		return call && traced('call', call.callId, call);
	},
	'server-calls': (rowId, {serverCalls}) => serverCalls && traced('call', rowId, serverCalls),
	jobs(rowId, {jobs}) {
		const job = jobs.find(row => jobId(row) === rowId);
		return job?.lastRunAt === undefined ? undefined : traced('job', job.name, job);
	},
	rehearsal(rowId, {rehearsal}) {
		const {progress, profile} = rehearsal ?? {};
		const calls = progress?.state === 'over' ? progress.changed : [];
		const call = calls.find(({callId}) => callId === rowId);
		return call && profile !== undefined ? traced('call', call.callId, {profile}) : undefined;
	},
};

function tracedEvent(rowId: string, snapshot: Snapshot): TracedRow | undefined {
	const event = listedEvents(snapshot).find(({seq}) => String(seq) === rowId);
	switch (event?.type) {
		case 'webhook.settled':
			return traced('event', event.eventId, event);
		case 'tool.finished':
			return traced('call', event.callId, event);
		case 'approval.settled':
			return traced('decision', event.id, event);
		case 'delivery.settled':
			return event.messageId === undefined ? undefined : traced('delivery', event.messageId, event);
		case undefined:
			return undefined;
	}
}

/** A page that the gateway has of a row, in its journal or elsewhere, and the profile the row belongs to. */
export type StoredPage = {
	readonly subject: RowSubject | Extract<PageSubject, {kind: 'server'}>;
	readonly profile: string;
};

/** The page below the details of a row: what the gateway knows of a server, or the last event whose delivery failed there. */
export function detailPage(view: ViewName, rowId: string, snapshot: Snapshot): StoredPage | undefined {
	const server = view === 'overview' ? snapshot.servers.find(row => serverId(row) === rowId) : undefined;
	if (server) {
		return {subject: {kind: 'server', server: server.server}, profile: server.profile};
	}

	const failed = failuresAt(view, rowId, snapshot)
		.toSorted((first, second) => first.lastAt - second.lastAt)
		.at(-1);
	return failed && failed.eventId !== ''
		? {subject: {kind: 'event', eventId: failed.eventId}, profile: failed.profile}
		: undefined;
}

function traced(kind: TraceSubject['kind'], id: string, {profile}: {readonly profile: string}): TracedRow {
	return {subject: {kind, id}, profile};
}

type FailureSources = Pick<Snapshot, 'routes' | 'jobs' | 'failedDeliveries'>;

/** The deliveries that fail at a row: a route, a job or a platform. */
export function failuresAt(
	view: ViewName,
	rowId: string | undefined,
	snapshot: FailureSources,
): readonly FailedDeliveryRow[] {
	return failures[view]?.(rowId, snapshot) ?? [];
}

/** By view, the deliveries that fail at a row. */
const failures: Readonly<
	Partial<
		Record<ViewName, (rowId: string | undefined, snapshot: FailureSources) => readonly FailedDeliveryRow[] | undefined>
	>
> = {
	overview: failuresOfRouteRow(overviewRouteId),
	routes: failuresOfRouteRow(routeId),
	jobs(rowId, {jobs, failedDeliveries}) {
		const job = jobs.find(row => jobId(row) === rowId);
		return job && failuresOfJob(job, failedDeliveries);
	},
	parts: (rowId, {failedDeliveries}) =>
		failedDeliveries.filter(row => platformId({...row, platform: row.target}) === rowId),
	you: (rowId, {failedDeliveries}) => failedDeliveries.filter(row => failedDeliveryId(row) === rowId),
};

function failuresOfRouteRow(idOf: typeof routeId) {
	return (rowId: string | undefined, {routes, failedDeliveries}: FailureSources) => {
		const route = routes.find(row => idOf(row) === rowId);
		return route && failuresOfRoute(route, failedDeliveries);
	};
}

/** The call that asks the gateway for a part of a page. */
export function pageCall(subject: PageSubject, profile: string | undefined, part = 1): GatewayCall {
	const wanted = part > 1 ? {part} : {};
	switch (subject.kind) {
		case 'event':
			return {method: 'events.view', params: {id: subject.eventId, ...wanted}, profile};
		case 'run':
			return {method: 'runs.view', params: {id: subject.runId, ...wanted}, profile};
		case 'call':
			return {method: 'calls.view', params: {id: subject.callId, ...wanted}, profile};
		case 'decision':
			return {method: 'decisions.view', params: {id: subject.id, ...wanted}, profile};
		case 'delivery':
			return {method: 'deliveries.view', params: {id: subject.id, ...wanted}, profile};
		case 'server':
			return {method: 'mcp.view', params: {server: subject.server, ...wanted}, profile};
		case 'server-log':
			return {method: 'mcp.view-log', params: {server: subject.server}, profile};
		case 'dry-run':
			return {method: 'events.dry-run', params: {id: subject.eventId}, profile};
	}
}
