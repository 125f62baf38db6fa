import {type GatewayEvent} from '../state/event.ts';
import {eventJson} from '../state/event-json.ts';
import {type ControlCall} from './methods.ts';

/** Sends every event from now on to the caller, until it goes away or the gateway stops. The handler of `events.follow`. */
export function followEvents(
	listen: (listener: (event: GatewayEvent) => void) => () => void,
	call: Pick<ControlCall, 'signal' | 'sendEvent'>,
): Promise<Record<string, never>> {
	return new Promise(resolve => {
		const end = listen(event => call.sendEvent(eventJson(event)));
		const onAbort = () => {
			end();
			resolve({});
		};

		if (call.signal.aborted) {
			onAbort();
		} else {
			call.signal.addEventListener('abort', onAbort, {once: true});
		}
	});
}
