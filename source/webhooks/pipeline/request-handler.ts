import {type EventFile} from '../../journal/rows/file-rows.ts';
import {type Clock, openDeadline} from '../../util/clock.ts';
import {type InFlight} from '../../util/in-flight.ts';
import {readBody} from '../http/body.ts';
import {bodyLimitText} from '../http/body-budget.ts';
import {type BodySlots} from '../http/body-slots.ts';
import {type IncomingRequest} from '../http/incoming-request.ts';
import {type Confirmation, type Outcome, type Reply, type UnreadyReason} from '../http/outcome.ts';
import {type MalformedRequest, type ReadyReply} from '../http/server.ts';
import {findRoute, findServedRoute, type RouteTable, type ServedProfiles} from '../routes/route-table.ts';
import {checkHeaders} from './check-headers.ts';
import {type EventRows, replayReason} from './event-rows.ts';
import {notServed, type ReceivedRequest} from './receive.ts';
import {createRequestContext, type RequestContext} from './request-context.ts';

/** Gives every request exactly one response and one row. */
export type RequestHandler = {
	/** Never rejects: an internal error is answered with 500 and logged. */
	readonly answer: (request: IncomingRequest) => Promise<ReadyReply>;
	/** Replays a stored event under a row of its own, marked as a replay. Never rejects. */
	readonly replay: (event: ReplayableEvent) => Promise<Replay>;
	readonly answerMalformed: (kind: MalformedRequest) => Reply;
	/** Resolves when no request is open, at the latest after `milliseconds`. */
	readonly drained: (milliseconds: number) => Promise<void>;
};

/** A stored event that can be replayed. */
export type ReplayableEvent = {
	readonly id: string;
	readonly route: string;
	/** Secrets are masked. */
	readonly headers: Readonly<Record<string, string>>;
	/** Without the contents of its files. */
	readonly body: Uint8Array;
	readonly files?: readonly EventFile[];
	readonly deliveryId?: string;
	/** The trace of its first handling. */
	readonly trace?: RequestContext['trace'];
};

/** The outcome of a replay, and the id of its row. */
export type Replay = Pick<Reply, 'status' | 'name'> & {readonly eventId: string; readonly reason: string};

/** Dependencies for handling requests. */
export type RequestHandlerOptions = {
	readonly clock: Clock;
	readonly rows: EventRows;
	/** The current routes; each request is handled by the routes of its arrival. */
	readonly table: () => RouteTable;
	readonly profiles: ServedProfiles;
	/** Limits the bodies that are read at once. */
	readonly slots: BodySlots;
	readonly bodyMilliseconds: number;
	/** True once new requests are refused. */
	readonly isStopping: () => boolean;
	/** False while nobody could read which routes are subscribed. */
	readonly areRoutesRead: () => boolean;
	/** The reason that no new requests may come. */
	readonly unready: () => Promise<readonly UnreadyReason[]>;
	/** Aborts when the adapter stops waiting for open requests. */
	readonly signal: AbortSignal;
	/** Counts a request that verifies the URL of a route; the refusal when there were too many. */
	readonly takeChallengeQuota: (route: string) => Outcome | undefined;
	/** Puts a confirmation before a person; the refusal when nobody waits for it. */
	readonly offerConfirmation: (route: string, confirmation: Confirmation) => Outcome | undefined;
	/** The steps after the body. */
	readonly receive: (request: ReceivedRequest, table: RouteTable) => Promise<Outcome>;
	/** Requests under way, and what goes on after their responses. */
	readonly inFlight: InFlight;
	/** Receives internal errors, which no sender may see. */
	readonly report: (caught: unknown) => void;
};

/** Creates the request handler. */
export function createRequestHandler(options: RequestHandlerOptions): RequestHandler {
	const {clock, rows, slots, inFlight, report} = options;
	const internal = (caught: unknown): Outcome => {
		report(caught);
		return {kind: 'internal'};
	};

	return {
		async answer(request) {
			const context = createRequestContext(clock, request.headers, request.closed);
			const outcome = await inFlight.track(handleRequest(request, context, options).catch(internal));
			const takeDiscard = () => (isCutOff(outcome) ? undefined : slots.takeDiscard(context.route));
			const {onResponseEnd} = context;
			return {...rows.settle(context, outcome), takeDiscard, ...(onResponseEnd && {onResponseEnd})};
		},
		async replay(event) {
			const created = createRequestContext(clock, new Map(Object.entries(event.headers)));
			const trace = {signature: event.trace?.signature ?? 'verified when it came'};
			const context: RequestContext = {...created, replayOf: event.id, trace};
			const outcome = await inFlight.track(replayEvent(event, context, options).catch(internal));
			const {status, name, reason} = rows.settle(context, outcome);
			return {eventId: context.id, status, name, reason: replayReason(event.id, reason)};
		},
		answerMalformed: kind => rows.settle(createRequestContext(clock, new Map()), {kind}),
		async drained(milliseconds) {
			const reason = () => new Error('requests are still being answered');
			const deadline = openDeadline(clock, milliseconds, {reason});
			await inFlight.whenEmpty(deadline.signal);
			deadline.cancel();
		},
	};
}

/** True when nothing more is to come of the body. */
function isCutOff({kind}: Outcome): boolean {
	return kind === 'stalled' || kind === 'displaced' || kind === 'bad-request';
}

/** Handles a request from its head to its outcome: check the headers, read the body, receive. */
async function handleRequest(
	request: IncomingRequest,
	context: RequestContext,
	options: RequestHandlerOptions,
): Promise<Outcome> {
	const {path, headers} = request;
	const {clock, signal, slots, bodyMilliseconds} = options;
	if (options.isStopping() && path.kind !== 'ready') return {kind: 'stopping'};

	const table = options.table();
	const route = path.kind === 'route' ? findRoute(table, path, options.profiles) : undefined;
	const limitBytes = route?.config.maxBodyBytes ?? table.maxBodyBytes;
	context.route = route?.config.name ?? '';
	context.profile = route?.config.profile;
	context.secretHeader = route?.secretHeader;
	// A subscription may have the name: its sender shall come again.
	if (path.kind === 'route' && !route && !options.areRoutesRead()) return {kind: 'storage-unavailable'};
	const accepted = checkHeaders(request, route, {maxBodyBytes: limitBytes, now: context.arrivedAt});
	if (accepted.kind === 'ready') return checkReadiness(options);
	if (accepted.kind === 'challenged') {
		const {service} = accepted.route;
		return service.kind === 'open'
			? (options.takeChallengeQuota(context.route) ?? accepted.outcome)
			: notServed(service);
	}

	if (accepted.kind !== 'headers-accepted') return accepted;

	const {signature} = accepted;
	const reason = signature?.loadKey && (await signature.loadKey());
	if (reason !== undefined) return {kind: 'keys-unavailable', reason};

	request.invite();
	const length = headers.get('content-length');
	const declaredBytes = length === undefined ? undefined : Number(length);
	const takeSlot = () => slots.take(context.route);
	const limits = {limitBytes, milliseconds: bodyMilliseconds, clock, signal, declaredBytes, takeSlot};
	const reading = await readBody(request.body, limits);
	if (signal.aborted) return {kind: 'stopping'};
	if (reading.kind === 'displaced' || reading.kind === 'bodies-full') {
		const reason = bodyLimitText(reading.limit, slots.limits);
		return {kind: reading.kind === 'displaced' ? 'displaced' : 'busy', reason};
	}

	if (reading.kind !== 'read') return reading;

	const missing = await signature?.loadNamedKey?.(reading.bytes);
	if (missing !== undefined) return {kind: 'keys-unavailable', reason: missing};

	const outcome = await options.receive({context, accepted, body: reading.bytes}, table);
	return outcome.kind === 'handshake' && outcome.confirmation
		? (options.offerConfirmation(context.route, outcome.confirmation) ?? outcome)
		: outcome;
}

async function checkReadiness({isStopping, unready}: RequestHandlerOptions): Promise<Outcome> {
	const reasons = [...new Set<UnreadyReason>([...(await unready()), ...(isStopping() ? ['draining' as const] : [])])];
	return reasons.length === 0 ? {kind: 'ready'} : {kind: 'not-ready', reasons};
}

/**
Takes a stored event through its current route: all steps after the signature, which was verified on arrival. The delivery
id is neither checked nor claimed (docs/webhooks.md, Answers), because a person requested the repetition.
*/
async function replayEvent(
	event: ReplayableEvent,
	context: RequestContext,
	options: RequestHandlerOptions,
): Promise<Outcome> {
	if (options.isStopping()) return {kind: 'stopping'};

	const table = options.table();
	const route = findServedRoute(table, event.route, options.profiles);
	context.route = route?.config.name ?? '';
	context.profile = route?.config.profile;
	if (!route)
		return options.areRoutesRead() ? {kind: 'unknown-route', name: event.route} : {kind: 'storage-unavailable'};

	const {body, files = []} = event;
	context.files = files;
	const verified = {...route, auth: {kind: 'unsafe-none'} as const};
	const fileSizes = files.map(({content}) => content.length);
	return options.receive({context, accepted: {route: verified, signature: undefined}, body, fileSizes}, table);
}
