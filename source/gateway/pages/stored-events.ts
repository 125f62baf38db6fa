import {presets} from '../../config/webhooks/presets/preset-table.ts';
import {type EventCaller} from '../../state/event-caller.ts';
import {type StoredCallJson} from '../../state/json/call.ts';
import {type EventDetailJson} from '../../state/json/event.ts';
import {decisionToJson, storedCallToJson} from '../../control/history-wire.ts';
import {eventDetailToJson, eventToJson} from '../../control/to-wire.ts';
import {type EventRecord, type Journal} from '../../journal/journal.ts';
import {type EventQuery} from '../../journal/rows/event-rows.ts';
import {type TraceQuery} from '../../journal/rows/trace.ts';
import {findNamedRow} from '../../journal/named-row.ts';
import {type ApprovalRequest} from '../../state/approval-event.ts';
import {type Trace} from '../../state/trace.ts';
import {type Clock} from '../../util/clock.ts';
import {typedFlags} from '../../util/named-commands.ts';
import {Problem} from '../../util/problem.ts';
import {maskedText, type Redactor} from '../../util/redact.ts';
import {type DryRun} from '../../webhooks/pipeline/dry-run.ts';
import {type Replay, type ReplayableEvent} from '../../webhooks/pipeline/request-handler.ts';
import {readRecentEvents, type StoredEvents} from '../../webhooks/template/unresolved-variables.ts';
import {type WebhookAdapter} from '../../webhooks/webhook-adapter.ts';
import {type CallPages, createCallPages} from './call-page.ts';
import {readEventFiles} from './event-files.ts';
import {storedTrace, traceOf} from './trace.ts';
import {type OpenProfile} from '../documents/open-profile.ts';

/** Pages and actions for stored events, calls, decisions and routes. */
export type EventViews = CallPages & {
	/** Handles a stored event through its route again; a part of its id is enough. Rejects with `unknown_event`, `ambiguous_id` or `not_replayable`. */
	readonly replay: (id: string) => Promise<Replay>;
	/** Dry run of a stored event by its route. Rejects with `unknown_event`, `unknown_route` or `not_replayable`. */
	readonly dryRun: (id: string) => Promise<DryRun>;
	/** A request or run and what came of it; `pending` is what waits for a person now. */
	readonly showTrace: (query: Omit<TraceQuery, 'profile'>, pending: readonly ApprovalRequest[]) => Promise<Trace>;
	/** All that is known of a stored event. */
	readonly show: (id: string) => Promise<EventDetailJson | undefined>;
	/** Pauses or resumes a route where it is written. The change is in force after a reload. Rejects with `unknown_route`. */
	readonly setRoutePaused: (route: string, paused: boolean) => Promise<void>;
};

/** A body that was taken was decoded once already; the bound is for one that was not. */
const maxBodyBytes = 64 * 1_048_576;

/** Opens the views. `adapter` is the one that serves now, if any. */
export function createEventViews(
	{
		paths,
		clock,
		current,
		redactor,
		documents,
	}: Pick<OpenProfile, 'paths' | 'clock' | 'current' | 'redactor' | 'documents'>,
	journal: Journal,
	adapter: () => WebhookAdapter | undefined,
): EventViews {
	const serving = () => (current().config.webhook.enabled ? adapter() : undefined);
	return {
		replay: createReplay(journal, serving),
		dryRun: createDryRun(journal, serving),
		show: id => findEventDetail({journal, clock, redactor}, id),
		async showTrace({subject, part}, pending) {
			const {profile} = paths;
			const now = clock.now();
			const rows = await journal.findTrace({subject, profile, ...(part !== undefined && {part})});
			return traceOf(subject, rows, {now, pending, flags: typedFlags({profile}), redactor});
		},
		...createCallPages({journal, redactor}),
		async setRoutePaused(route, paused) {
			const {setRouteEnabled} = await import('../../config/edit/edit-config.ts');
			return setRouteEnabled({paths, documents, clock}, route, !paused);
		},
	};
}

/** Handles a stored event through its route again, by its id or a part of it. Rejects with `unknown_event`, `ambiguous_id` or `not_replayable`. */
export function createReplay(
	journal: Pick<Journal, 'findEvent' | 'findIds' | 'listEventFiles' | 'findEventFile'>,
	adapter: () => Pick<WebhookAdapter, 'replay'> | undefined,
): (typed: string) => Promise<Replay> {
	return async typed => {
		const id = await findNamedRow(journal, 'event', typed);
		const event = replayable(id === undefined ? undefined : await journal.findEvent(id));
		const current = adapter();
		if (!current) {
			throw new Problem('not_replayable', {message: 'Webhooks are off, or a route is invalid'});
		}

		const files = await readEventFiles(journal, event.id);
		return current.replay({...event, ...(files.length > 0 && {files})});
	};
}

/** Dry run of a stored event, by its id. Rejects with `unknown_event`, `unknown_route` or `not_replayable`. */
function createDryRun(
	journal: Pick<Journal, 'findEvent' | 'listEvents' | 'listEventFiles'>,
	adapter: () => Pick<WebhookAdapter, 'dryRun'> | undefined,
): (id: string) => Promise<DryRun> {
	return async id => {
		const event = replayable(await journal.findEvent(id));
		const current = adapter();
		if (!current) {
			throw new Problem('not_replayable', {message: 'Webhooks are off, or a route is invalid'});
		}

		const fileSizes = (await journal.listEventFiles(id)).map(({bytes}) => bytes);
		const recent = await readRecentEvents(storedPayloads(journal), event.route);
		const run = await current.dryRun({...event, fileSizes}, recent);
		if (!run) {
			throw new Problem('unknown_route', {message: 'The route of this event no longer exists'});
		}

		return run;
	};
}

/** The event as it can be handled again. Throws `unknown_event` or `not_replayable`. */
function replayable(event: EventRecord | undefined): ReplayableEvent {
	if (!event) {
		throw new Problem('unknown_event');
	}

	const {body} = event;
	if (!body) {
		throw new Problem('not_replayable', {
			message: 'The event was rejected or its body is not stored, so there is nothing to replay',
		});
	}

	return {...event, body};
}

/** Bounds on the calls and decisions shown with an event over all of its runs: they must fit into one line of the control socket. */
const maxCalls = 200;

/** The reads behind the page of an event. */
type EventSources = {
	readonly journal: Pick<
		Journal,
		| 'findEvent'
		| 'listEventFiles'
		| 'listEventRuns'
		| 'listMessages'
		| 'listRunCalls'
		| 'findCall'
		| 'listRunDecisions'
		| 'findTrace'
	>;
	readonly clock: Pick<Clock, 'now'>;
	readonly redactor: Pick<Redactor, 'partsOf' | 'redact'>;
	/** Approval requests that are open now; absent or empty without a running gateway. */
	readonly pending?: () => readonly ApprovalRequest[];
};

/** All that is known of a stored event: the row, what was sent, how it ended, and what became of its runs and messages. */
async function findEventDetail(
	{journal, clock, redactor, pending = () => []}: EventSources,
	id: string,
): Promise<EventDetailJson | undefined> {
	const event = await journal.findEvent(id);
	if (!event) {
		return undefined;
	}

	const [files, runs, messages] = await Promise.all([
		journal.listEventFiles(id),
		journal.listEventRuns(id),
		journal.listMessages({eventId: id, limit: 50}),
	]);
	const limit = Math.ceil(maxCalls / Math.max(1, runs.length));
	const runsWithHistory = await Promise.all(
		runs.map(async run => ({...run, ...(await runHistory(run.id, limit, {journal, redactor}))})),
	);
	const trace = await storedTrace({kind: 'event', id}, event.profile, {
		journal,
		now: clock.now(),
		redactor,
		pending: pending(),
	});
	const body = maskedBody(await bodyText(event), [...runs, ...messages]);
	return eventDetailToJson(event, {body, files, runs: runsWithHistory, messages, trace});
}

/** The first calls and decisions of a run, at most so many of each. Calls are read one at a time: results may be large, and only a part of each stays. */
export async function runHistory(
	runId: string,
	limit: number,
	{
		journal,
		redactor,
	}: Pick<EventSources, 'redactor'> & {
		readonly journal: Pick<Journal, 'listRunCalls' | 'findCall' | 'listRunDecisions'>;
	},
) {
	const calls: StoredCallJson[] = [];
	for (const call of await journal.listRunCalls(runId, limit)) {
		calls.push(storedCallToJson((await journal.findCall(call.id)) ?? call, redactor));
	}

	return {calls, decisions: (await journal.listRunDecisions(runId, limit)).map(decisionToJson)};
}

/** Handlers of `events list` and `events show`. A list has the rows of `profile`, or of all; an event is found by its id or a part of it. */
export function storedEvents(
	sources: EventSources & {
		readonly journal: Pick<Journal, 'listEventResults' | 'findIds'>;
		readonly profile?: string | undefined;
	},
) {
	const {profile} = sources;
	return {
		list: async (query: Omit<EventQuery, 'profile'>) =>
			(await sources.journal.listEventResults({...query, profile})).map(eventToJson),
		async show(typed: string) {
			const id = await findNamedRow(sources.journal, 'event', typed);
			return (id === undefined ? undefined : await findEventDetail(sources, id)) ?? null;
		},
	};
}

/** The events of a journal of this process, as templates are compared with them. */
export function storedPayloads(journal: Pick<Journal, 'findEvent' | 'listEvents'>): StoredEvents {
	return {
		list: journal.listEvents,
		async show(id) {
			const event = await journal.findEvent(id);
			return event ? {headers: event.headers, body: (await bodyText(event)) ?? null} : null;
		},
	};
}

/** All that the payload of an event says, as templates read it and beyond; undefined when it has none or is not stored any more. */
export async function storedPayload(journal: Pick<Journal, 'findEvent'>, eventId: string): Promise<string | undefined> {
	const {body, headers = {}} = (eventId === '' ? undefined : await journal.findEvent(eventId)) ?? {};
	if (!body) {
		return undefined;
	}

	const {fullPayloadText} = await import('../../webhooks/payload/payload.ts');
	return fullPayloadText(body, new Map(Object.entries(headers)), maxBodyBytes);
}

/** The body as text; one that cannot be decoded is shown as it was sent. */
async function bodyText({body, headers}: EventRecord): Promise<string | undefined> {
	if (!body) {
		return undefined;
	}

	const {decodeContent} = await import('../../webhooks/payload/payload.ts');
	const decoding = await decodeContent(body, headers['content-encoding'], maxBodyBytes);
	return Buffer.from(decoding.kind === 'decoded' ? decoding.bytes : body).toString('utf8');
}

const shortestSecret = 6;

/** The body of an event as it is shown: without the part of an address that would let anybody answer in its place. */
export function maskedBody(
	body: string | undefined,
	rows: ReadonlyArray<{readonly caller?: EventCaller}>,
): string | undefined {
	const secrets = rows.flatMap(({caller}) => (caller?.later?.kind === 'address' ? secretOf(caller.later) : []));
	return secrets
		.filter(secret => secret.length >= shortestSecret)
		.reduce((text, secret) => text?.replaceAll(secret, maskedText), body);
}

/** One segment of the address, which is written alike in JSON and in forms: the field that the path is built with, else the last one. */
function secretOf({url, preset}: {readonly url: string; readonly preset: string}): string {
	const later = Object.entries(presets).find(([name]) => name === preset)?.[1].answers?.later;
	const path = later?.by === 'request' ? (later.path ?? []) : [];
	const index = path.findIndex(
		part => typeof part !== 'string' && later?.by === 'request' && part.field === later.secretField,
	);
	const segments = new URL(url).pathname.split('/').filter(segment => segment !== '');
	return segments.at(index) ?? '';
}
