import {because} from './because.ts';
import {type RouteEvent} from './route-event.ts';
import {type StatusEvent} from './status-event.ts';

/** Where a route or a part of the gateway stands, in one line. */
export function statusText(event: StatusEvent | RouteEvent): string {
	switch (event.type) {
		case 'route.state':
			return `${event.route} ${event.state}${because(event.reason)}`;
		case 'route.removed':
			return `${event.route} removed`;
		case 'platform.state':
			return `${event.platform} ${event.state}${because(event.reason)}`;
		case 'model.state':
			return `${event.provider}${event.model ? ` ${event.model}` : ''}${because(event.reason)}`;
		case 'endpoint.state':
			return `${event.state}${event.url ? ` at ${event.url}` : ''}${because(event.reason)}`;
	}
}
