import {type PlatformConfig} from '../../config/platforms/platform-settings.ts';
import {checkDeliveries} from '../../delivery/check-delivery.ts';
import {createDeliver, type Deliver} from '../../delivery/deliver.ts';
import {findTarget} from '../../delivery/find-target.ts';
import {openPlatforms, type Platforms, readStateFile} from '../../delivery/open-platforms.ts';
import {type Journal} from '../../journal/journal.ts';
import {createOutbox, type LeftMessages, type Outbox} from '../../runs/outbox.ts';
import {createPublishEnd, resumeAnswers} from '../../runs/run-answers.ts';
import {type DeliveryReady} from '../../runs/take-runs.ts';
import {problemActions} from '../../state/next-action.ts';
import {errorText, Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';

/** Everything a message goes through on its way out. */
export type DeliveryService = {
	/** For answers: kept until they are delivered. */
	readonly deliver: Outbox['deliver'];
	/** Loads what delivering the answer of a run needs. Rejects when that is not possible now. */
	readonly ready: DeliveryReady;
	/** For messages whose sender waits, and keeps them itself. */
	readonly deliverNow: Deliver;
	/** Publishes which platforms can be used now, and warns of routes that deliver to one that cannot. */
	readonly apply: () => void;
	/** Deliveries that a former process left, read once before any new one. Rejects with `storage_unavailable`. */
	readonly leftBehind: Outbox['leftBehind'];
	/** Takes it up. Never rejects. */
	readonly resume: (left: LeftMessages) => Promise<void>;
	/** Delivers once more what an event led to. Rejects with `not_replayable`. */
	readonly sendAgain: Outbox['sendAgain'];
	/** The same for one message. */
	readonly sendMessageAgain: Outbox['sendMessageAgain'];
	/** Ends a message that was to be sent again. Rejects with `not_replayable`. */
	readonly cancel: Outbox['cancel'];
	readonly stop: () => Promise<void>;
};

/** Builds the delivery service of all served profiles; each delivers over platforms of its own. Nothing is connected before something is delivered. */
export function openDeliveryService(
	contexts: readonly [ProfileContext, ...ProfileContext[]],
	journal: Journal,
): DeliveryService {
	const targetsOf = routeTargets(contexts[0]);
	const profileDeliveries = contexts.map(context => openProfileDelivery(context, targetsOf));
	const [{paths, clock, redactor, eventBus}] = contexts;
	// Events of a delivery belong to the profile it is for.
	const publishOf = (profile: string = paths.profile) => eventBus.publishFor(profile);
	const deliver: Deliver = async (delivery, options) => {
		const wanted = delivery.profile ?? paths.profile;
		const profileDelivery = profileDeliveries.find(({profile}) => profile === wanted);
		// Never by another profile's platforms.
		const detail = 'the profile of this delivery is not served';
		return (
			profileDelivery?.deliver(delivery, options) ?? {kind: 'failed', problem: new Problem('delivery_failed', {detail})}
		);
	};

	const settled = createPublishEnd({journal, publishOf});
	const outbox = createOutbox({journal, clock, publishOf, redact: redactor.redact, deliver, settled});
	return {
		async ready({deliver, profile}) {
			// Nothing is loaded for an answer that is only written down.
			const targets = deliver.map(({target}) => target).filter(target => target !== 'log');
			if (targets.length > 0) {
				await Promise.all([
					...targets.map(findTarget),
					profileDeliveries.find(profileDelivery => profileDelivery.profile === profile)?.platforms.load(),
				]);
			}
		},
		deliver: outbox.deliver,
		deliverNow: deliver,
		sendAgain: outbox.sendAgain,
		sendMessageAgain: outbox.sendMessageAgain,
		cancel: outbox.cancel,
		apply() {
			profileDeliveries.forEach(({report}) => report());
			const changed = new Map(profileDeliveries.map(({profile, platforms}) => [profile, platforms.changed()]));
			if ([...changed.values()].some(names => names.length > 0)) {
				void outbox.sendAfterChange(({target, profile = paths.profile}) =>
					(changed.get(profile) ?? []).includes(target),
				);
			}

			const deliveryFor = (profile: string) =>
				profileDeliveries.find(profileDelivery => profileDelivery.profile === profile);
			warnRoutes(contexts[0], deliveryFor).catch((caught: unknown) => logFailure(contexts[0], caught));
		},
		leftBehind: outbox.leftBehind,
		resume: left => resumeAnswers(left, {outbox, journal, publishOf}),
		async stop() {
			await outbox.stop();
			await Promise.all(profileDeliveries.map(({platforms}) => platforms.close()));
		},
	};
}

/** Opens the delivery platforms and targets of one profile. */
function openProfileDelivery(context: ProfileContext, targetsOf: RouteTargets) {
	const {clock, publish, paths} = context;
	const platforms = openProfilePlatforms(context);
	return {
		profile: paths.profile,
		platforms,
		deliver: createDeliver({clock, publish, platforms}),
		report: createPlatformStatus(context, platforms, targetsOf),
	};
}

/** The platforms as the configuration in force describes them: for the gateway, and for commands that only check. */
export function openProfilePlatforms({clock, publish, paths, current, expand, redactor}: ProfileContext): Platforms {
	return openPlatforms({
		clock,
		publish,
		configured: () => current().config.platforms,
		scope: {expand, variables: name => current().secrets.variables(name)},
		learn: redactor.learn,
		learnPassing: redactor.learnPassing,
		stateFile: name => readStateFile(paths.directory, name),
	});
}

/** The delivery targets that the routes of a profile name. */
type RouteTargets = (profile: string) => readonly string[];

/** Routes are in the file of the first profile, whichever profile they are for. */
function routeTargets({paths, current}: ProfileContext): RouteTargets {
	return profile =>
		current()
			.config.webhook.routes.filter(route => (route.profile ?? paths.profile) === profile)
			.flatMap(({deliver}) => deliver.map(({target}) => target));
}

/** Publishes every platform that matters: configured, named by a route, usable by the environment alone, or published before. */
function createPlatformStatus(
	{publish, paths, current}: ProfileContext,
	platforms: Platforms,
	targetsOf: RouteTargets,
) {
	const published = new Set<string>();
	const isConfigured = ({state, written, endpoints}: PlatformConfig) =>
		state !== 'enabled' || Object.keys({...written, ...endpoints}).length > 0;
	return () => {
		const targets = targetsOf(paths.profile);
		for (const config of current().config.platforms) {
			const problems = platforms.problems(config.name);
			// Everyone who has `gh` could comment; that alone is no reason to.
			const usable = problems.length === 0 && config.name !== 'github_comment';
			if (usable || isConfigured(config) || published.has(config.name) || targets.includes(config.name)) {
				published.add(config.name);
				const state = problems.length === 0 ? 'usable' : config.state === 'disabled' ? 'disabled' : 'unusable';
				const reason = problems.map(problem => safeText(problem.message)).join('; ');
				const why = reason !== '' && {reason, nextActions: problemActions(problems)};
				publish({type: 'platform.state', platform: config.name, state, ...why});
			}
		}
	};
}

/** Nobody waits for it, so nobody else would hear of an error. */
function logFailure({publish}: ProfileContext, caught: unknown): void {
	publish({type: 'log', level: 'error', area: 'delivery', text: safeText(`routes: ${errorText(caught)}`)});
}

/**
A target that cannot be used is a warning at the start, not a refusal: the route takes events all the same (docs/delivery.md, What is never sent twice).
Rejects when the checks of a platform cannot be loaded.
*/
async function warnRoutes(
	{publish, paths, current}: ProfileContext,
	deliveryFor: (profile: string) => {readonly platforms: Platforms} | undefined,
): Promise<void> {
	for (const {name, profile = paths.profile, deliver} of current().config.webhook.routes) {
		const platforms = deliveryFor(profile)?.platforms;
		const problems = platforms ? await checkDeliveries(deliver, platforms) : [];
		for (const {level, message} of problems) {
			publish({type: 'log', level, area: 'delivery', text: safeText(`route ${name}: ${message}`)});
		}
	}
}
