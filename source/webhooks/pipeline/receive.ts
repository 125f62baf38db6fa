import {type Dispatch} from './dispatch.ts';
import {readLaterAddress} from './event-caller.ts';
import {type AcceptedHeaders} from './check-headers.ts';
import {deliveryIdOf, freshDeliveryId, payloadDeliveryId} from '../signature/delivery-id.ts';
import {type Outcome} from '../http/outcome.ts';
import {acceptsEvent, eventTypeOf, readPayload} from '../payload/payload.ts';
import {type RunScript} from '../script/script.ts';
import {type RequestContext} from './request-context.ts';

/** A request whose body was read. */
export type ReceivedRequest = {
	readonly context: RequestContext;
	readonly accepted: AcceptedHeaders;
	readonly body: Uint8Array;
	/** The sizes of the files of a stored body, from which their contents were taken out. */
	readonly fileSizes?: readonly number[] | undefined;
};

/** Dependencies of the steps after the body, besides the request. */
type ReceiveOptions = {
	/** The largest body of a route that names none of its own. */
	readonly maxBodyBytes: number;
	/** Counts a request of the route; the refusal when its quota is used up. */
	readonly takeQuota: (route: string) => Outcome | undefined | Promise<Outcome | undefined>;
	/** Called for each valid legacy signature. */
	readonly onLegacySignature: (route: string) => void;
	readonly runScript: RunScript;
	readonly dispatch: Dispatch;
};

/** The steps after the body. Each may end the request, and their order is fixed (docs/webhooks.md, Order of checks). */
export async function receive(request: ReceivedRequest, options: ReceiveOptions): Promise<Outcome> {
	const {context, accepted, fileSizes} = request;
	const {signature} = accepted;
	const {config, auth, service} = accepted.route;
	const {headers} = context;

	// Nothing could prove who sent it.
	if (auth.kind === 'keyless') return notServed(service);
	if (auth.kind === 'signed' && !signature?.isSigned(request.body)) return {kind: 'invalid-signature'};
	const body = signature?.withoutSecret?.(request.body) ?? request.body;
	context.trace = {signature: signature?.name ?? context.trace.signature ?? 'none asked for'};
	if (signature?.scheme === 'legacy') options.onLegacySignature(config.name);
	const isReplay = context.replayOf !== undefined;
	const sent = {signedId: signature?.signedId, source: config.deliveryId};
	const headerId = isReplay ? freshDeliveryId(context.arrivedAt) : deliveryIdOf(headers, context.arrivedAt, sent);
	context.deliveryId = headerId.id;
	context.body = body;

	if (service.kind !== 'open') return notServed(service);

	const refusal = await options.takeQuota(config.name);
	if (refusal) return refusal;

	const limitBytes = config.maxBodyBytes ?? options.maxBodyBytes;
	const reading = await readPayload(body, headers, limitBytes, fileSizes);
	if (reading.kind !== 'payload') return reading;
	const {form} = reading;
	// The files of a stored body are there already.
	if (form && !fileSizes) {
		context.body = form.body;
		context.files = form.files;
	}

	const handshake = service.handshake(reading.payload, {headers, body, now: context.arrivedAt});
	if (handshake) return handshake;

	const payload = readLaterAddress(context, config.respond, reading.payload);

	const deliveryId = (isReplay ? undefined : payloadDeliveryId(config.deliveryId, payload)) ?? headerId;
	context.deliveryId = deliveryId.id;
	context.acknowledgement = service.acknowledgement(payload);
	const event = eventTypeOf(headers, payload, config.eventType);
	context.event = event.name;
	if (!acceptsEvent(config.events, event)) return {kind: 'event-ignored', event: event.name};

	const filter = await service.findRefusal({payload, event: event.name, headers});
	if (filter !== undefined) {
		context.trace = {...context.trace, filter};
		return {kind: 'filtered', route: config.name};
	}

	const scope = {payload, event: event.name, deliveryId: deliveryId.id, route: config.name};
	if (config.script === undefined) return options.dispatch({context, route: config, deliveryId, scope});

	const {output, result} = await options.runScript({file: config.script, profile: config.profile}, scope);
	context.trace = {...context.trace, script: output};
	if (result.kind !== 'payload') return result;

	return options.dispatch({context, route: config, deliveryId, scope: {...scope, payload: result.payload}});
}

/** A route that cannot be served answers as a paused one does; its row says why. */
export function notServed(service: AcceptedHeaders['route']['service']): Outcome {
	return {kind: 'paused', ...(service.kind === 'failed' && {reason: service.reason})};
}
