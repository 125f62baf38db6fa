import {type AcceptableEvent} from './acceptable-event.ts';
import {type Admission} from './admit.ts';
import {deliveryIdOf, freshDeliveryId} from './delivery-id.ts';
import {acceptsEvent, eventTypeOf} from './event-type.ts';
import {type Outcome} from './outcome.ts';
import {readPayload} from './payload.ts';
import {type RunScript} from './script.ts';
import {type Visit} from './visit.ts';

/** What the ladder needs beside the request. */
export type ReceiveOptions = {
	readonly maxBodyBytes: number;
	/** Counts a request of the route; the refusal when its quota is used up. */
	readonly takeQuota: (route: string) => Outcome | undefined;
	/** Told of each valid legacy signature. */
	readonly onLegacySignature: (route: string) => void;
	readonly runScript: RunScript;
	readonly dispatch: (event: AcceptableEvent) => Promise<Outcome>;
};

/** The ladder after the body: each rung may end the walk, and the order of the rungs is the rule (spec/decisions.md, D8 Order). */
export async function receive(
	request: {readonly visit: Visit; readonly admission: Admission; readonly body: Uint8Array},
	options: ReceiveOptions,
): Promise<Outcome> {
	const {visit, admission, body} = request;
	const {claim} = admission;
	const {config, gate, service} = admission.route;
	const {headers} = visit;

	if (gate.kind === 'signed' && !claim?.isSigned(body)) return {kind: 'invalid-signature'};
	visit.trace = {signature: claim?.name ?? visit.trace.signature ?? 'none asked for'};
	if (claim?.scheme === 'legacy') options.onLegacySignature(config.name);
	const deliveryId =
		visit.replayOf === undefined ? deliveryIdOf(headers, visit.arrivedAt) : freshDeliveryId(visit.arrivedAt);
	visit.deliveryId = deliveryId.id;
	visit.body = body;

	if (service.kind === 'paused') return {kind: 'paused'};

	const refusal = options.takeQuota(config.name);
	if (refusal) return refusal;

	const reading = await readPayload(body, headers, options.maxBodyBytes);
	if (reading.kind !== 'payload') return {kind: reading.kind};
	const {payload} = reading;

	const answer = service.handshake(payload);
	if (answer) return {kind: 'handshake', answer};

	const event = eventTypeOf(headers, payload);
	visit.event = event.name;
	if (!acceptsEvent(config.events, event)) return {kind: 'event-ignored', event: event.name};

	const filter = await service.findRefusal({payload, event: event.name, headers});
	if (filter !== undefined) {
		visit.trace = {...visit.trace, filter};
		return {kind: 'filtered', route: config.name};
	}

	const scope = {payload, event: event.name, deliveryId: deliveryId.id, route: config.name};
	if (config.script === undefined) return options.dispatch({visit, route: config, deliveryId, scope});

	const {output, result} = await options.runScript({file: config.script, profile: config.profile}, scope);
	visit.trace = {...visit.trace, script: output};
	if (result.kind !== 'payload') return result;

	return options.dispatch({visit, route: config, deliveryId, scope: {...scope, payload: result.payload}});
}
