import {openSubscriptionStore} from '../config/subscriptions.ts';
import {openGround} from './ground.ts';
import {type RouteBook} from './route-book.ts';
import {type Session} from './session.ts';

/** Reads the configuration of the state directory. */
export async function openRouteBook(session: Session): Promise<RouteBook> {
	const {layFoundation} = await import('../gateway/foundation.ts');
	const {scriptSettings} = await import('../gateway/script-settings.ts');
	const {createScripts} = await import('../webhooks/script.ts');
	const foundation = await layFoundation(openGround(session));
	// A command ends its scripts itself.
	const settings = scriptSettings(foundation, () => () => undefined);
	const {paths, current, expand} = foundation;
	const {directory, profile} = paths;
	return {
		webhook: current().config.webhook,
		expand,
		openScripts: options => createScripts({settings, clock: session.clock, ...options}),
		profile,
		directory,
		subscriptions: openSubscriptionStore(directory),
	};
}
