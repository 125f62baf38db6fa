import {type Clock, openDeadline} from '../../util/clock.ts';
import {createInFlight} from '../../util/in-flight.ts';
import {type EventRows, replayReason} from './event-rows.ts';
import {type IncomingRequest} from '../http/incoming-request.ts';
import {type Outcome, type Reply} from '../http/outcome.ts';
import {type ReplayableEvent} from './handle-request.ts';
import {type MalformedRequest} from '../http/server.ts';
import {createRequestContext, type RequestContext} from './request-context.ts';

/** Where every request ends in exactly one answer and one row. */
export type RequestHandler = {
	/** Never rejects: an error of our own is answered 500 and told in the log. */
	readonly answer: (request: IncomingRequest) => Promise<Reply>;
	/** Handles a stored event again under a row of its own, which says that it is a replay. Never rejects. */
	readonly replay: (event: ReplayableEvent) => Promise<Replay>;
	readonly answerMalformed: (kind: MalformedRequest) => Reply;
	/** Resolves when no request is under way, at the latest after `milliseconds`. */
	readonly drained: (milliseconds: number) => Promise<void>;
};

/** How a replay ended, and the id of its row. */
export type Replay = Pick<Reply, 'status' | 'name'> & {readonly eventId: string; readonly reason: string};

/** Opens the request handler. `walk` takes a request to its outcome. */
export function createRequestHandler(options: {
	readonly clock: Clock;
	readonly rows: EventRows;
	readonly handleRequest: (request: IncomingRequest, context: RequestContext) => Promise<Outcome>;
	readonly replay: (event: ReplayableEvent, context: RequestContext) => Promise<Outcome>;
	/** Told what no sender may see. */
	readonly report: (caught: unknown) => void;
}): RequestHandler {
	const {clock, rows, handleRequest, report} = options;
	const inFlight = createInFlight();
	const internal = (caught: unknown): Outcome => {
		report(caught);
		return {kind: 'internal'};
	};

	return {
		async answer(request) {
			const context = createRequestContext(clock, request.headers);
			return rows.settle(context, await inFlight.track(handleRequest(request, context).catch(internal)));
		},
		async replay(event) {
			const opened = createRequestContext(clock, new Map(Object.entries(event.headers)));
			const trace = {signature: event.trace?.signature ?? 'verified when it came'};
			const context: RequestContext = {...opened, replayOf: event.id, trace};
			const outcome = await inFlight.track(options.replay(event, context).catch(internal));
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
