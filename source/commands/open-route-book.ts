import {statePaths} from '../config/state-paths.ts';
import {openSubscriptionStore} from '../config/subscriptions.ts';
import {Problem} from '../util/problem.ts';
import {openGround} from './ground.ts';
import {readOtherSecrets} from './other-secrets.ts';
import {type RouteBook} from './route-book.ts';
import {type Session} from './session.ts';

/** Reads the configuration of the state directory. */
export async function openRouteBook(session: Session): Promise<RouteBook> {
	const {layFoundation} = await import('../gateway/foundation.ts');
	const {scriptSettings} = await import('../gateway/script-settings.ts');
	const {createScripts} = await import('../webhooks/script.ts');
	const {findJob} = await import('../runs/find-job.ts');
	const {openCronStore} = await import('../runs/cron-store.ts');
	const foundation = await layFoundation(openGround(session));
	// A command ends its scripts itself.
	const settings = scriptSettings(foundation, () => () => () => undefined);
	const {paths, current} = foundation;
	const others = await readOtherSecrets(foundation);
	const {directory, profile} = paths;
	const {openProfilePlatforms} = await import('../gateway/delivery-wing.ts');
	const {checkDelivery} = await import('../delivery/check-delivery.ts');
	return {
		webhook: current().config.webhook,
		...others,
		openScripts: options => createScripts({settings, clock: session.clock, ...options}),
		// The secrets of another profile are not at hand here; the gateway that serves it checks with them.
		checkDelivery: async ({deliver: target, deliverExtra: extra, profile: served = profile}) =>
			served === profile ? checkDelivery({target, extra}, openProfilePlatforms(foundation)) : [],
		profile,
		checkJob(reference, other = profile) {
			const {cronJobs} = other === profile ? paths : statePaths({root: paths.root, profile: other});
			const found = findJob(openCronStore(cronJobs).list(), reference);
			return found instanceof Problem ? found : undefined;
		},
		directory,
		subscriptions: openSubscriptionStore(directory),
	};
}
