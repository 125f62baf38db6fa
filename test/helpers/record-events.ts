import {type GatewayEventBody, type Publish} from '../../source/state/event.ts';

/** A publisher that keeps its events. */
export type RecordedEvents = {
	readonly publish: Publish;
	readonly events: GatewayEventBody[];
	/** The events of one type, in order. */
	readonly ofType: <Type extends GatewayEventBody['type']>(
		type: Type,
	) => Array<Extract<GatewayEventBody, {type: Type}>>;
};

/** Opens an empty record. */
export function recordEvents(): RecordedEvents {
	const events: GatewayEventBody[] = [];
	return {
		publish: event => void events.push(event),
		events,
		ofType: <Type extends GatewayEventBody['type']>(type: Type) =>
			events.filter((event): event is Extract<GatewayEventBody, {type: Type}> => event.type === type),
	};
}
