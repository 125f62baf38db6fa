import {type GatewayEvent} from './event.ts';
import {putRow, sameNamed, unstamped} from './keyed-rows.ts';
import {serverRemoved, serverState} from './reduce-servers.ts';
import {type RouteEvent} from './route-event.ts';
import {type Snapshot} from './snapshot.ts';
import {type StatusEvent} from './status-event.ts';

type PublishedEvent = Extract<GatewayEvent, StatusEvent | RouteEvent | {type: 'server.state' | 'server.removed'}>;

const shownRoutes = 1000;
const mostShownStatuses = 200;

/** Servers, routes, platforms, models and the endpoint after one more event. */
export function statusEvent(snapshot: Snapshot, event: PublishedEvent): Snapshot {
	switch (event.type) {
		case 'server.state':
			return {...snapshot, servers: serverState(snapshot.servers, event)};
		case 'server.removed':
			return {...snapshot, servers: serverRemoved(snapshot.servers, event)};
		case 'route.state': {
			const row = unstamped(event);
			const isSame = sameNamed('route', row);
			return {...snapshot, routes: putRow(snapshot.routes, row, {isSame, limit: shownRoutes})};
		}
		case 'route.removed':
			return {...snapshot, routes: snapshot.routes.filter(row => !sameNamed('route', event)(row))};
		case 'platform.state': {
			const row = unstamped(event);
			const isSame = sameNamed('platform', row);
			return {...snapshot, platforms: putRow(snapshot.platforms, row, {isSame, limit: mostShownStatuses})};
		}
		case 'model.state': {
			const row = unstamped(event);
			const isSame = ({profile}: {readonly profile: string}) => profile === row.profile;
			return {...snapshot, models: putRow(snapshot.models, row, {isSame, limit: mostShownStatuses})};
		}
		case 'endpoint.state':
			return {...snapshot, endpoint: unstamped(event)};
	}
}
