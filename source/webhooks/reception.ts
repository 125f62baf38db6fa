import {type Clock} from '../util/clock.ts';
import {type EventRows, replayReason} from './event-rows.ts';
import {createInFlight} from './in-flight.ts';
import {type IncomingRequest} from './incoming-request.ts';
import {type Outcome, type Reply} from './outcome.ts';
import {type ReplayableEvent} from './walk.ts';
import {type MalformedRequest} from './server.ts';
import {openVisit, type Visit} from './visit.ts';

/** The desk at which every request ends in exactly one answer and one row. */
export type Reception = {
	/** Never rejects: an error of our own is answered 500 and told in the log. */
	readonly answer: (request: IncomingRequest) => Promise<Reply>;
	/** Walks a stored event again under a row of its own, which says that it is a replay. Never rejects. */
	readonly replay: (event: ReplayableEvent) => Promise<Replay>;
	readonly answerMalformed: (kind: MalformedRequest) => Reply;
	/** Resolves when no request is under way, at the latest after `milliseconds`. */
	readonly drained: (milliseconds: number) => Promise<void>;
};

/** How a replay ended, and the id of its row. */
export type Replay = Pick<Reply, 'status' | 'name'> & {readonly eventId: string; readonly reason: string};

/** Opens the reception. `walk` takes a request to its outcome. */
export function createReception(options: {
	readonly clock: Clock;
	readonly rows: EventRows;
	readonly walk: (request: IncomingRequest, visit: Visit) => Promise<Outcome>;
	readonly replay: (event: ReplayableEvent, visit: Visit) => Promise<Outcome>;
	/** Told what no sender may see. */
	readonly report: (caught: unknown) => void;
}): Reception {
	const {clock, rows, walk, report} = options;
	const inFlight = createInFlight(clock);
	const internal = (caught: unknown): Outcome => {
		report(caught);
		return {kind: 'internal'};
	};

	return {
		async answer(request) {
			const visit = openVisit(clock, request.headers);
			return rows.settle(visit, await inFlight.track(walk(request, visit).catch(internal)));
		},
		async replay(event) {
			const opened = openVisit(clock, new Map(Object.entries(event.headers)));
			const trace = {signature: event.trace?.signature ?? 'verified when it came'};
			const visit: Visit = {...opened, replayOf: event.id, trace};
			const outcome = await inFlight.track(options.replay(event, visit).catch(internal));
			const {status, name, reason} = rows.settle(visit, outcome);
			return {eventId: visit.id, status, name, reason: replayReason(event.id, reason)};
		},
		answerMalformed: kind => rows.settle(openVisit(clock, new Map()), {kind}),
		drained: inFlight.drained,
	};
}
