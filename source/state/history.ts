import {type GatewayEvent} from './event.ts';
import {type ViewEvent} from './view-event.ts';

/** A listener for what happened; answers to a window's own questions do not reach it. For logs and for everybody outside. */
export function historyOnly(listener: (event: GatewayEvent) => void): (event: GatewayEvent) => void {
	return event => {
		if (!isViewEvent(event)) {
			listener(event);
		}
	};
}

function isViewEvent(event: GatewayEvent): event is Extract<GatewayEvent, ViewEvent> {
	return event.type.startsWith('view.');
}
