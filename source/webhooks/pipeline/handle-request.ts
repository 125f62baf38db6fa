import {type Clock} from '../../util/clock.ts';
import {type AcceptedHeaders, checkHeaders} from './check-headers.ts';
import {readBody} from '../http/body.ts';
import {type IncomingRequest} from '../http/incoming-request.ts';
import {type Outcome} from '../http/outcome.ts';
import {type ReadingSlots} from '../http/route-limits.ts';
import {findRoute, type RouteTable} from '../routes/route-table.ts';
import {type RequestContext} from './request-context.ts';

/** What handling a request needs. */
export type HandleRequestOptions = {
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
		request: {readonly context: RequestContext; readonly accepted: AcceptedHeaders; readonly body: Uint8Array},
		table: RouteTable,
	) => Promise<Outcome>;
};

/** Takes a request from its first line to its outcome: admit, read the body, receive. The table is the one that held when it arrived. */
export async function handleRequest(
	request: IncomingRequest,
	{context, table}: {readonly context: RequestContext; readonly table: RouteTable},
	options: HandleRequestOptions,
): Promise<Outcome> {
	const {path, method, headers, target} = request;
	const {maxBodyBytes} = table;
	const {clock, signal, bodyMilliseconds, profile} = options;
	if (options.isStopping()) return {kind: 'stopping'};

	const route =
		path.kind === 'route' ? findRoute(table, {...path, running: profile, serves: options.serves}) : undefined;
	context.route = route?.config.name ?? '';
	context.secretHeader = route?.secretHeader;
	const accepted = checkHeaders({path, method, headers, target, route}, {maxBodyBytes, now: context.arrivedAt});
	if (accepted.kind !== 'admitted') return accepted;

	const giveBack = options.slots.take(context.route);
	if (!giveBack) return {kind: 'queue-full'};
	request.invite();
	const length = headers.get('content-length');
	const declaredBytes = length === undefined ? undefined : Number(length);
	const limits = {limitBytes: maxBodyBytes, milliseconds: bodyMilliseconds, clock, signal, declaredBytes};
	const reading = await readBody(request.body, limits);
	giveBack();
	if (signal.aborted) return {kind: 'stopping'};
	if (reading.kind !== 'read') return reading;

	return options.receive({context, accepted, body: reading.bytes}, table);
}

/** A stored event that can be handled again. */
export type ReplayableEvent = {
	readonly id: string;
	readonly route: string;
	/** Secrets are masked. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
	readonly deliveryId?: string;
	/** How it was judged when it came. */
	readonly trace?: RequestContext['trace'];
};

/**
Takes a stored event through its route as it stands now: everything behind the signature, which was verified when the event came. The delivery
id is neither looked at nor claimed (docs/webhooks.md, Answers): a person asked for the second time.
*/
export async function replayEvent(
	event: ReplayableEvent,
	{context, table}: {readonly context: RequestContext; readonly table: RouteTable},
	options: Pick<HandleRequestOptions, 'isStopping' | 'profile' | 'serves' | 'receive'>,
): Promise<Outcome> {
	if (options.isStopping()) return {kind: 'stopping'};

	const {profile: running, serves} = options;
	const profile = table.routes.get(event.route)?.config.profile;
	const route = findRoute(table, {name: event.route, profile, running, serves});
	context.route = route?.config.name ?? '';
	if (!route) return {kind: 'unknown-route', name: event.route};

	const verified = {...route, auth: {kind: 'unsafe-none'} as const};
	return options.receive(
		{context, accepted: {kind: 'admitted', route: verified, signature: undefined}, body: event.body},
		table,
	);
}
