import {type ParamsOf} from '../../state/api.ts';
import {type GatewayClient} from '../../state/gateway-call.ts';
import {type EventDetailJson, type EventRowJson} from '../../state/json/event.ts';

/** The stored webhook events. */
export type EventReader = {
	readonly list: (query: ParamsOf<'events.list'>) => Promise<readonly EventRowJson[]>;
	readonly show: (id: string) => Promise<EventDetailJson | null>;
};

/** Reads the stored events of a gateway, or of this process. */
export function createEventReader({call}: Pick<GatewayClient, 'call'>): EventReader {
	return {list: query => call('events.list', query), show: id => call('events.show', {id})};
}
