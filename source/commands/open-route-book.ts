import {openSubscriptionStore} from '../config/subscriptions.ts';
import {openGround} from './ground.ts';
import {type RouteBook} from './route-book.ts';
import {type Session} from './session.ts';

/** Reads the configuration of the state directory. */
export async function openRouteBook(session: Session): Promise<RouteBook> {
	const {layFoundation} = await import('../gateway/foundation.ts');
	const {paths, current, expand} = await layFoundation(openGround(session));
	const {directory, profile} = paths;
	return {
		webhook: current().config.webhook,
		expand,
		profile,
		directory,
		subscriptions: openSubscriptionStore(directory),
	};
}
