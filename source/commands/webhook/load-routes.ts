import {statePaths} from '../../config/read/state-paths.ts';
import {createSubscriptionStore} from '../../config/webhooks/subscriptions.ts';
import {Problem} from '../../util/problem.ts';
import {createRuntime} from '../cli/create-runtime.ts';
import {readOtherSecrets} from './other-secrets.ts';
import {type RouteRegistry} from './route-registry.ts';
import {type Session} from '../cli/session.ts';

/** Reads the configuration of the state directory. */
export async function loadRoutes(session: Session): Promise<RouteRegistry> {
	const {loadProfile} = await import('../../gateway/profiles/profile-context.ts');
	const {scriptSettings} = await import('../../gateway/script-settings.ts');
	const {createScripts} = await import('../../webhooks/script/script.ts');
	const {findJob} = await import('../../runs/find-job.ts');
	const {createCronStore} = await import('../../runs/cron-store.ts');
	const context = await loadProfile(createRuntime(session));
	// A command ends its scripts itself.
	const settings = scriptSettings(context, () => () => () => undefined);
	const {paths, current} = context;
	const others = await readOtherSecrets(context);
	const {directory, profile} = paths;
	const {openProfilePlatforms} = await import('../../gateway/delivery-service.ts');
	const {checkDelivery} = await import('../../delivery/check-delivery.ts');
	return {
		webhook: current().config.webhook,
		...others,
		openScripts: options => createScripts({settings, clock: session.clock, ...options}),
		// The secrets of another profile are not at hand here; the gateway that serves it checks with them.
		checkDelivery: async ({deliver: target, deliverExtra: extra, profile: served = profile}) =>
			served === profile ? checkDelivery({target, extra}, openProfilePlatforms(context)) : [],
		profile,
		checkJob(reference, other = profile) {
			const {cronJobs} = other === profile ? paths : statePaths({root: paths.root, profile: other});
			const found = findJob(createCronStore(cronJobs).list(), reference);
			return found instanceof Problem ? found : undefined;
		},
		directory,
		subscriptions: createSubscriptionStore(directory),
	};
}
