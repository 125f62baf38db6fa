import {type AdapterOptions, type AdapterState} from './adapter-options.ts';
import {createEventRows} from './event-rows.ts';
import {createLogLines} from './log-lines.ts';
import {openLadder} from './open-ladder.ts';
import {createReadingSlots} from './reading-slots.ts';
import {createReception, type Reception} from './reception.ts';
import {type RouteTable} from './route-table.ts';
import {replayEvent, walk} from './walk.ts';

/** Wires the reception of an adapter. The table and whether it is stopping are asked for at each request. */
export function openReception(
	options: AdapterOptions,
	state: AdapterState & {readonly table: () => RouteTable},
): Reception {
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
		receive: openLadder(options, {rows, log, coalesced: state.coalesced, signal}),
	};
	return createReception({
		clock,
		rows,
		walk: (request, visit) => walk(request, {visit, table: state.table()}, steps),
		replay: (event, visit) => replayEvent(event, {visit, table: state.table()}, steps),
		report: log.error,
	});
}
