import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {type EventFile} from '../../journal/rows/file-rows.ts';
import {type EventTrace} from '../../journal/rows/records.ts';
import {type LaterAddress, type ResponseEnd} from '../../state/event-caller.ts';
import {type Clock} from '../../util/clock.ts';
import {orderedId} from '../../util/random-id.ts';
import {type RequestHeaders} from '../http/incoming-request.ts';
import {type Acknowledgement} from '../http/outcome.ts';
import {type DeliveryId} from '../signature/delivery-id.ts';
import {type TemplateScope} from '../template/template.ts';

/** The state of one request. Handling it fills in the last members; all texts are untrusted. */
export type RequestContext = {
	readonly id: string;
	/** Milliseconds since the epoch. */
	readonly arrivedAt: number;
	/** Milliseconds of the measuring clock. */
	readonly startedAt: number;
	readonly headers: RequestHeaders;
	/** The stored event that a person replays. */
	readonly replayOf?: string;
	/** Aborts when the sender has closed the connection; absent: nobody waits for the response. */
	readonly closed?: (() => AbortSignal) | undefined;
	/** Empty until the route is known. */
	route: string;
	/** The profile that the route names; undefined: the running one. */
	profile: string | undefined;
	/** The header that carries the secret itself, in lower case. */
	secretHeader: string | undefined;
	event: string;
	/** The form of every 2xx that is due to this sender. */
	acknowledgement: Acknowledgement;
	deliveryId: string;
	/** The place of an answer after the response, as the signed message names it. */
	later?: LaterAddress | undefined;
	/** Called once the response ended that has the result. */
	onResponseEnd?: ((end: ResponseEnd) => void) | undefined;
	/** The trace so far. */
	trace: EventTrace;
	/** The body as sent, once its signature has been verified; without its files once it was parsed. */
	body: Uint8Array | undefined;
	/** The files of a form. */
	files: readonly EventFile[];
};

/** An event that passed every check and is to be acted on. */
export type AcceptableEvent = {
	readonly context: RequestContext;
	readonly route: RouteConfig;
	readonly deliveryId: DeliveryId;
	readonly scope: TemplateScope;
	/** Called once a direct delivery is on disk, or follows that of an earlier request. */
	readonly onBegun?: (how: 'stored' | 'following') => void;
};

/** Texts of the trace are cut to this length. */
export const tracedCharacters = 4000;

/** Creates the context of a request that has just arrived. */
export function createRequestContext(
	clock: Clock,
	headers: RequestHeaders,
	closed?: () => AbortSignal,
): RequestContext {
	const arrivedAt = clock.now();
	return {
		id: orderedId(arrivedAt),
		arrivedAt,
		startedAt: clock.elapsed(),
		headers,
		closed,
		route: '',
		profile: undefined,
		secretHeader: undefined,
		event: '',
		acknowledgement: 'json',
		deliveryId: '',
		trace: {},
		body: undefined,
		files: [],
	};
}
