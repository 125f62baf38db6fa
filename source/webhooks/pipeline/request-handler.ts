import {type Clock, openDeadline} from '../../util/clock.ts';
import {createInFlight} from '../../util/in-flight.ts';
import {readBody} from '../http/body.ts';
import {type IncomingRequest} from '../http/incoming-request.ts';
import {type Outcome, type Reply} from '../http/outcome.ts';
import {type RouteSlots} from '../http/route-limits.ts';
import {type MalformedRequest} from '../http/server.ts';
import {findRoute, findServedRoute, type RouteTable, type ServedProfiles} from '../routes/route-table.ts';
import {checkHeaders} from './check-headers.ts';
import {type EventRows, replayReason} from './event-rows.ts';
import {type ReceivedRequest} from './receive.ts';
import {createRequestContext, type RequestContext} from './request-context.ts';

/** Every request ends here in exactly one answer and one row. */
export type RequestHandler = {
	/** Never rejects: an error of our own is answered 500 and logged. */
	readonly answer: (request: IncomingRequest) => Promise<Reply>;
	/** Handles a stored event again under a row of its own, which says that it is a replay. Never rejects. */
	readonly replay: (event: ReplayableEvent) => Promise<Replay>;
	readonly answerMalformed: (kind: MalformedRequest) => Reply;
	/** Resolves when no request is under way, at the latest after `milliseconds`. */
	readonly drained: (milliseconds: number) => Promise<void>;
};

/** A stored event that can be handled again. */
export type ReplayableEvent = {
	readonly id: string;
	readonly route: string;
	/** Secrets are masked. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
	readonly deliveryId?: string;
	/** What was found out about it when it came. */
	readonly trace?: RequestContext['trace'];
};

/** How a replay ended, and the id of its row. */
export type Replay = Pick<Reply, 'status' | 'name'> & {readonly eventId: string; readonly reason: string};

/** What handling requests needs. */
export type RequestHandlerOptions = {
	readonly clock: Clock;
	readonly rows: EventRows;
	/** The routes in force; each request is handled by those that held when it arrived. */
	readonly table: () => RouteTable;
	readonly profiles: ServedProfiles;
	/** Bounds how many bodies are read at once. */
	readonly slots: RouteSlots;
	readonly bodyMilliseconds: number;
	/** True once new requests are refused. */
	readonly isStopping: () => boolean;
	/** Aborts when the adapter waits no longer for requests under way. */
	readonly signal: AbortSignal;
	/** The steps after the body. */
	readonly receive: (request: ReceivedRequest, table: RouteTable) => Promise<Outcome>;
	/** Receives errors that no sender may see. */
	readonly report: (caught: unknown) => void;
};

/** Creates the request handler; no request is under way. */
export function createRequestHandler(options: RequestHandlerOptions): RequestHandler {
	const {clock, rows, report} = options;
	const inFlight = createInFlight();
	const internal = (caught: unknown): Outcome => {
		report(caught);
		return {kind: 'internal'};
	};

	return {
		async answer(request) {
			const context = createRequestContext(clock, request.headers);
			return rows.settle(context, await inFlight.track(handleRequest(request, context, options).catch(internal)));
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

/** Takes a request from its first line to its outcome: check the headers, read the body, receive. */
async function handleRequest(
	request: IncomingRequest,
	context: RequestContext,
	options: RequestHandlerOptions,
): Promise<Outcome> {
	const {path, headers} = request;
	const {clock, signal, bodyMilliseconds} = options;
	if (options.isStopping()) return {kind: 'stopping'};

	const table = options.table();
	const {maxBodyBytes} = table;
	const route = path.kind === 'route' ? findRoute(table, path, options.profiles) : undefined;
	context.route = route?.config.name ?? '';
	context.secretHeader = route?.secretHeader;
	const accepted = checkHeaders(request, route, {maxBodyBytes, now: context.arrivedAt});
	if (accepted.kind !== 'headers-accepted') return accepted;

	const release = options.slots.take(context.route);
	if (!release) return {kind: 'queue-full'};
	request.invite();
	const length = headers.get('content-length');
	const declaredBytes = length === undefined ? undefined : Number(length);
	const limits = {limitBytes: maxBodyBytes, milliseconds: bodyMilliseconds, clock, signal, declaredBytes};
	const reading = await readBody(request.body, limits);
	release();
	if (signal.aborted) return {kind: 'stopping'};
	if (reading.kind !== 'read') return reading;

	return options.receive({context, accepted, body: reading.bytes}, table);
}

/**
Takes a stored event through its route as it is now: everything behind the signature, which was verified when the event came. The delivery
id is neither looked up nor claimed (docs/webhooks.md, Answers): a person asked for the second time.
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
	if (!route) return {kind: 'unknown-route', name: event.route};

	const verified = {...route, auth: {kind: 'unsafe-none'} as const};
	return options.receive({context, accepted: {route: verified, signature: undefined}, body: event.body}, table);
}
