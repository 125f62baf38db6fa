import {type Clock} from '../util/clock.ts';
import {type Admission, admit} from './admit.ts';
import {readBody} from './body.ts';
import {type IncomingRequest} from './incoming-request.ts';
import {type Outcome} from './outcome.ts';
import {type ReadingSlots} from './reading-slots.ts';
import {findRoute, type RouteTable} from './route-table.ts';
import {type Visit} from './visit.ts';

/** What walking a request needs. */
export type WalkOptions = {
	readonly clock: Clock;
	/** The running profile, and whether another one is served too. */
	readonly profile: string;
	readonly serves?: (profile: string) => boolean;
	readonly slots: ReadingSlots;
	readonly bodyMilliseconds: number;
	/** From then on what comes is refused. */
	readonly isStopping: () => boolean;
	/** Aborts when what was begun is given up, too. */
	readonly signal: AbortSignal;
	readonly receive: (
		request: {readonly visit: Visit; readonly admission: Admission; readonly body: Uint8Array},
		table: RouteTable,
	) => Promise<Outcome>;
};

/** Takes a request from its first line to its outcome: admit, read the body, receive. The table is the one that held when it arrived. */
export async function walk(
	request: IncomingRequest,
	{visit, table}: {readonly visit: Visit; readonly table: RouteTable},
	options: WalkOptions,
): Promise<Outcome> {
	const {path, method, headers, target} = request;
	const {maxBodyBytes} = table;
	const {clock, signal, bodyMilliseconds, profile} = options;
	if (options.isStopping()) return {kind: 'stopping'};

	const route =
		path.kind === 'route' ? findRoute(table, {...path, running: profile, serves: options.serves}) : undefined;
	visit.route = route?.config.name ?? '';
	visit.secretHeader = route?.secretHeader;
	const admission = admit({path, method, headers, target, route}, {maxBodyBytes, now: visit.arrivedAt});
	if (admission.kind !== 'admitted') return admission;

	const giveBack = options.slots.take(visit.route);
	if (!giveBack) return {kind: 'queue-full'};
	request.invite();
	const length = headers.get('content-length');
	const declaredBytes = length === undefined ? undefined : Number(length);
	const limits = {limitBytes: maxBodyBytes, milliseconds: bodyMilliseconds, clock, signal, declaredBytes};
	const reading = await readBody(request.body, limits);
	giveBack();
	if (signal.aborted) return {kind: 'stopping'};
	if (reading.kind !== 'read') return reading;

	return options.receive({visit, admission, body: reading.bytes}, table);
}

/** A stored event that can be walked again. */
export type ReplayableEvent = {
	readonly id: string;
	readonly route: string;
	/** Secrets are masked. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
	/** How it was judged when it came. */
	readonly trace?: Visit['trace'];
};

/**
Takes a stored event through its route as it stands now: everything behind the signature, which was verified when the event came. The delivery
id is neither looked at nor claimed (spec/decisions.md, D8): a person asked for the second time.
*/
export async function replayEvent(
	event: ReplayableEvent,
	{visit, table}: {readonly visit: Visit; readonly table: RouteTable},
	options: Pick<WalkOptions, 'isStopping' | 'profile' | 'serves' | 'receive'>,
): Promise<Outcome> {
	if (options.isStopping()) return {kind: 'stopping'};

	const {profile: running, serves} = options;
	const profile = table.routes.get(event.route)?.config.profile;
	const route = findRoute(table, {name: event.route, profile, running, serves});
	visit.route = route?.config.name ?? '';
	if (!route) return {kind: 'unknown-route', name: event.route};

	const verified = {...route, gate: {kind: 'unsafe-none'} as const};
	return options.receive(
		{visit, admission: {kind: 'admitted', route: verified, claim: undefined}, body: event.body},
		table,
	);
}
