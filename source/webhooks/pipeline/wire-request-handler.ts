import {type AdapterOptions, type AdapterState} from './adapter-options.ts';
import {createEventRows} from './event-rows.ts';
import {createLogLines} from '../http/log-lines.ts';
import {createPipeline} from './create-pipeline.ts';
import {createReadingSlots} from '../http/route-limits.ts';
import {createRequestHandler, type RequestHandler} from './request-handler.ts';
import {type RouteTable} from '../routes/route-table.ts';
import {replayEvent, handleRequest} from './handle-request.ts';

/** Wires the request handler of an adapter. The table and whether it is stopping are asked for at each request. */
export function wireRequestHandler(
	options: AdapterOptions,
	state: AdapterState & {readonly table: () => RouteTable},
): RequestHandler {
	const {clock, profile, publish} = options;
	const {limits, isStopping, signal} = state;
	const rows = createEventRows(options);
	const log = createLogLines(publish);
	const steps = {
		clock,
		profile,
		serves: (name: string) => options.otherProfile?.(name) !== undefined,
		slots: createReadingSlots(limits.unverifiedBodies),
		bodyMilliseconds: limits.bodyMilliseconds,
		isStopping,
		signal,
		receive: createPipeline(options, {rows, log, coalesced: state.coalesced, signal}),
	};
	return createRequestHandler({
		clock,
		rows,
		handleRequest: (request, context) => handleRequest(request, {context, table: state.table()}, steps),
		replay: (event, context) => replayEvent(event, {context, table: state.table()}, steps),
		report: log.error,
	});
}
