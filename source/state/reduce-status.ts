import {type GatewayEvent} from './event.ts';
import {putRow, sameNamed, unstamped} from './keyed-rows.ts';
import {type ServerRow, type Snapshot} from './snapshot.ts';
import {type StatusEvent} from './status-event.ts';

type PublishedEvent = Extract<GatewayEvent, StatusEvent | {type: 'server.state' | 'server.removed'}>;

const shownRoutes = 1000;
const shownParts = 200;
const shownFailedDeliveries = 500;

/** Servers, routes, platforms, failed deliveries, models and the endpoint after one more event. */
export function statusEvent(snapshot: Snapshot, event: PublishedEvent): Snapshot {
	switch (event.type) {
		case 'server.state':
			return {...snapshot, servers: serverRows(snapshot.servers, event)};
		case 'server.removed':
			return {...snapshot, servers: snapshot.servers.filter(row => !sameNamed('server', event)(row))};
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
			return {...snapshot, platforms: putRow(snapshot.platforms, row, {isSame, limit: shownParts})};
		}
		case 'delivery.failing': {
			const {failedDeliveries} = snapshot;
			const row = unstamped(event);
			const isSame = ({id}: {readonly id: string}) => id === row.id;
			return {...snapshot, failedDeliveries: putRow(failedDeliveries, row, {isSame, limit: shownFailedDeliveries})};
		}
		case 'delivery.cleared':
			return {...snapshot, failedDeliveries: snapshot.failedDeliveries.filter(({id}) => id !== event.id)};
		case 'model.state': {
			const row = unstamped(event);
			const isSame = ({profile}: {readonly profile: string}) => profile === row.profile;
			return {...snapshot, models: putRow(snapshot.models, row, {isSame, limit: shownParts})};
		}
		case 'endpoint.state':
			return {...snapshot, endpoint: unstamped(event)};
		case 'fault.state': {
			const others = snapshot.faults.filter(({part}) => part !== event.part);
			const {part, reason} = event;
			return {...snapshot, faults: reason === undefined ? others : [...others, {part, reason}]};
		}
		case 'limits.state':
			return {...snapshot, limits: event.limits};
		case 'hold.state':
			return {...snapshot, hold: event.held && {...event.held, waiting: event.waiting}};
	}
}

/** The servers after one of them changed; a new one comes last. `changedAt` is when a server came into the state it is in. */
function serverRows(
	rows: readonly ServerRow[],
	event: Extract<GatewayEvent, {type: 'server.state'}>,
): readonly ServerRow[] {
	const known = rows.findIndex(sameNamed('server', event));
	const before = rows[known];
	const changedAt = before?.state === event.state ? before.changedAt : event.time;
	const row: ServerRow = {...unstamped(event), changedAt};
	return known === -1 ? [...rows, row] : rows.with(known, row);
}
