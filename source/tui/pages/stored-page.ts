import {type Command} from '../../state/command.ts';
import {type FailedDeliveryRow, type Snapshot} from '../../state/snapshot.ts';
import {type PageSubject} from '../../state/view-event.ts';
import {decisionId} from '../lists/approval-rows.ts';
import {failuresOfJob, jobId} from '../lists/job-rows.ts';
import {overviewRouteId} from '../lists/overview-rows.ts';
import {platformId} from '../lists/part-rows.ts';
import {failuresOfRoute, routeId} from '../lists/route-rows.ts';
import {serverId} from '../lists/server-rows.ts';
import {type ViewName} from '../lists/view-table.ts';
import {failedDeliveryId} from '../lists/you-rows.ts';

/** What the gateway has behind a row, in its journal or elsewhere: a page, and the profile the row belongs to. */
export type StoredPage = {
	readonly subject: Extract<PageSubject, {kind: 'event' | 'call' | 'decision' | 'delivery' | 'server'}>;
	readonly profile: string;
};

/** The page behind a row; undefined for rows that are all there is. */
export function storedPage(view: ViewName, rowId: string, snapshot: Snapshot): StoredPage | undefined {
	if (view === 'events') {
		return eventPage(rowId, snapshot);
	}

	if (view === 'rehearsal') {
		return rehearsedCallPage(rowId, snapshot);
	}

	const row = view === 'overview' ? snapshot.servers.find(server => serverId(server) === rowId) : undefined;
	if (row) {
		return {subject: {kind: 'server', server: row.server}, profile: row.profile};
	}

	const {serverCalls} = snapshot;
	if (view === 'server-calls' && serverCalls) {
		return {subject: {kind: 'call', callId: rowId}, profile: serverCalls.profile};
	}

	const failed = failuresAt(view, rowId, snapshot)
		.toSorted((first, second) => first.lastAt - second.lastAt)
		.at(-1);
	if (failed && failed.eventId !== '') {
		return {subject: {kind: 'event', eventId: failed.eventId}, profile: failed.profile};
	}

	const decision = view === 'you' ? snapshot.decisions.find(row => decisionId(row) === rowId) : undefined;
	return decision && {subject: {kind: 'decision', id: decision.id}, profile: decision.profile};
}

/** The deliveries that fail at a row: a route, a job or a platform. */
export function failuresAt(
	view: ViewName,
	rowId: string | undefined,
	{routes, jobs, failedDeliveries}: Pick<Snapshot, 'routes' | 'jobs' | 'failedDeliveries'>,
): readonly FailedDeliveryRow[] {
	switch (view) {
		case 'overview':
		case 'routes': {
			const idOf = view === 'overview' ? overviewRouteId : routeId;
			const route = routes.find(row => idOf(row) === rowId);
			return route ? failuresOfRoute(route, failedDeliveries) : [];
		}

		case 'jobs': {
			const job = jobs.find(row => jobId(row) === rowId);
			return job ? failuresOfJob(job, failedDeliveries) : [];
		}

		case 'parts':
			return failedDeliveries.filter(row => platformId({...row, platform: row.target}) === rowId);
		case 'you':
			return failedDeliveries.filter(row => failedDeliveryId(row) === rowId);
		case 'events':
		case 'log':
		case 'runs':
		case 'calls':
		case 'server-calls':
		case 'logins':
		case 'tools':
		case 'rules':
		case 'rehearsal':
			return [];
	}
}

function rehearsedCallPage(rowId: string, {rehearsal}: Snapshot): StoredPage | undefined {
	const calls = rehearsal?.progress.state === 'over' ? rehearsal.progress.changed : [];
	const call = calls.find(({callId}) => callId === rowId);
	return rehearsal && call && {subject: {kind: 'call', callId: call.callId}, profile: rehearsal.profile};
}

function eventPage(rowId: string, {events}: Snapshot): StoredPage | undefined {
	const event = events.find(({seq}) => String(seq) === rowId);
	switch (event?.type) {
		case 'webhook.settled':
			return {subject: {kind: 'event', eventId: event.eventId}, profile: event.profile};
		case 'tool.finished':
			return {subject: {kind: 'call', callId: event.callId}, profile: event.profile};
		case 'approval.settled':
			return {subject: {kind: 'decision', id: event.id}, profile: event.profile};
		case 'delivery.settled': {
			const {messageId: id, profile} = event;
			return id === undefined ? undefined : {subject: {kind: 'delivery', id}, profile};
		}

		case undefined:
			return undefined;
	}
}

/** The command that asks the gateway for a part of a page. */
export function pageCommand({subject, profile}: StoredPage, part = 1): Command {
	const wanted = {profile, ...(part > 1 && {part})};
	switch (subject.kind) {
		case 'event':
			return {type: 'show-event', eventId: subject.eventId, ...wanted};
		case 'call':
			return {type: 'show-call', callId: subject.callId, ...wanted};
		case 'decision':
			return {type: 'show-decision', id: subject.id, ...wanted};
		case 'delivery':
			return {type: 'show-delivery', id: subject.id, ...wanted};
		case 'server':
			return {type: 'show-server', server: subject.server, ...wanted};
	}
}
