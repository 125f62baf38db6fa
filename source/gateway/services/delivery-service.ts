import {type PlatformConfig} from '../../config/platforms/platform-settings.ts';
import {checkDeliveries} from '../../delivery/check-delivery.ts';
import {createDeliver, type Deliver} from '../../delivery/deliver.ts';
import {findTarget} from '../../delivery/find-target.ts';
import {openPlatforms, type Platforms, readStateFile} from '../../delivery/open-platforms.ts';
import {type Journal} from '../../journal/journal.ts';
import {createEventCallers, type EventCallers} from '../../runs/event-callers.ts';
import {createOutbox, type LeftMessages, type Outbox} from '../../runs/outbox.ts';
import {createNoteFailure, type NoteFailure} from '../../runs/failure-notices.ts';
import {createPublishEnd, resumeAnswers} from '../../runs/run-answers.ts';
import {type Settled} from '../../runs/resends.ts';
import {type DeliveryReady} from '../../runs/take-runs.ts';
import {createWaitingCallers, deliverToWaiting} from '../../runs/waiting-callers.ts';
import {problemActions} from '../../state/next-action.ts';
import {errorText, Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {createKnownSettings} from '../stores/known-settings.ts';

/** Everything a message goes through on its way out. */
export type DeliveryService = {
	/** For answers: kept until they are delivered. */
	readonly deliver: Outbox['deliver'];
	/** Loads what delivering the answer of a run needs. Rejects when that is not possible now. */
	readonly ready: DeliveryReady;
	/** For messages whose sender waits, and keeps them itself. */
	readonly deliverNow: Deliver;
	/** Publishes which platforms can be used now, warns of routes that deliver to one that cannot, and sends what failed because of settings that are other ones now. */
	readonly apply: () => void;
	/** Sends what failed because of settings that are other ones now, in a journal that could not be read before. */
	readonly followChanges: () => void;
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
	/** The senders of events that get the results. */
	readonly callers: Pick<EventCallers, 'wait' | 'give' | 'release'>;
	/** Ends their waits, also later ones. */
	readonly acknowledgeCallers: () => void;
	/** Writes and sends the messages of `on_failure`. Never rejects. */
	readonly noteFailure: NoteFailure;
	readonly stop: () => Promise<void>;
};

/** Builds the delivery service of all served profiles; each delivers over platforms of its own. Nothing is connected before something is delivered. */
export function openDeliveryService(
	contexts: readonly [ProfileContext, ...ProfileContext[]],
	journal: Journal,
	{
		isShared,
		isJournalOpen = () => true,
	}: {readonly isShared: () => boolean; readonly isJournalOpen?: (() => boolean) | undefined},
): DeliveryService {
	const targetsOf = routeTargets(contexts[0]);
	const profileDeliveries = contexts.map(context => openProfileDelivery(context, targetsOf));
	const [{paths, clock, redactor, eventBus}] = contexts;
	// Events of a delivery belong to the profile it is for.
	const publishOf = (profile: string = paths.profile) => eventBus.publishFor(profile);
	const waiting = createWaitingCallers(clock);
	const deliver = deliverToWaiting(deliverByProfile(profileDeliveries, paths.profile), {waiting, publishOf});
	const settled: Settled = (...end) => publishEnd(...end);
	const outbox = createOutbox({journal, clock, publishOf, redact: redactor.redact, deliver, settled});
	const changes = followChanges(contexts[0], {profileDeliveries, outbox, isJournalOpen});
	const onFailureOf = (profile = paths.profile) =>
		contexts.find(context => context.paths.profile === profile)?.current().config.agent.onFailure ?? [];
	const noteFailure = createNoteFailure({clock, outbox, onFailureOf, publishOf});
	const publishEnd = createPublishEnd({journal, publishOf, noteFailure});
	const callers = createEventCallers({
		journal,
		clock,
		isShared,
		waiting,
		send: outbox.sendPending,
		report: (caught: unknown) => logFailure(contexts[0], caught, 'callers'),
	});
	return {
		noteFailure,
		callers,
		acknowledgeCallers: waiting.stop,
		async ready({deliver: destinations, profile}) {
			// Nothing is loaded for an answer that is only written down.
			const targets = destinations.map(({target}) => target).filter(target => target !== 'log');
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
			changes.follow();
			const deliveryFor = (profile: string) =>
				profileDeliveries.find(profileDelivery => profileDelivery.profile === profile);
			warnRoutes(contexts[0], deliveryFor).catch((caught: unknown) => logFailure(contexts[0], caught, 'routes'));
		},
		followChanges: () => changes.follow(),
		leftBehind: outbox.leftBehind,
		resume: left => resumeAnswers(left, {outbox, journal, publishOf, noteFailure}),
		async stop() {
			changes.stop();
			const ended = callers.stop();
			await outbox.stop();
			await ended;
			await Promise.all(profileDeliveries.map(({platforms}) => platforms.close()));
		},
	};
}

/** Delivers over the platforms of the profile that a delivery is for; `own`: of one that names none. */
function deliverByProfile(profileDeliveries: readonly ProfileDelivery[], own: string): Deliver {
	return async (delivery, options) => {
		const wanted = delivery.profile ?? own;
		const profileDelivery = profileDeliveries.find(({profile}) => profile === wanted);
		// Never by another profile's platforms.
		const detail = 'the profile of this delivery is not served';
		return (
			profileDelivery?.deliver(delivery, options) ?? {kind: 'failed', problem: new Problem('delivery_failed', {detail})}
		);
	};
}

type ProfileDelivery = ReturnType<typeof openProfileDelivery>;

/** Sends what failed because of settings that are other ones now than at the last call or before the start. */
function followChanges(
	context: ProfileContext,
	{
		profileDeliveries,
		outbox,
		isJournalOpen,
	}: {
		readonly profileDeliveries: readonly ProfileDelivery[];
		readonly outbox: Pick<Outbox, 'sendAfterChange'>;
		readonly isJournalOpen: () => boolean;
	},
) {
	let phase: 'open' | 'stopped' = 'open';
	let last: Promise<void> = Promise.resolve();
	const follow = async () => {
		if (!isJournalOpen()) {
			return;
		}

		const changed = new Map<string, readonly string[]>();
		for (const {profile, platforms, known} of profileDeliveries) {
			changed.set(profile, await known.changed(platforms.settingsTexts()));
		}

		if (phase === 'open' && [...changed.values()].some(names => names.length > 0)) {
			await outbox.sendAfterChange(({target, profile = context.paths.profile}) =>
				(changed.get(profile) ?? []).includes(target),
			);
		}

		// After a kill in between, the next start sends the rest.
		if (phase === 'open') {
			await Promise.all(profileDeliveries.map(({known}) => known.keep()));
		}
	};

	return {
		follow() {
			last = last.then(follow).catch((caught: unknown) => logFailure(context, caught, 'settings'));
		},
		stop() {
			phase = 'stopped';
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
		known: createKnownSettings({directory: paths.directory, clock}),
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
			.flatMap(({deliver, onFailure = []}) => [...deliver, ...onFailure].map(({target}) => target));
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
		const {onFailure = []} = current().config.agent;
		const targets = [...targetsOf(paths.profile), ...onFailure.map(({target}) => target)];
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
function logFailure({publish}: ProfileContext, caught: unknown, what: 'routes' | 'settings' | 'callers'): void {
	publish({type: 'log', level: 'error', area: 'delivery', text: safeText(`${what}: ${errorText(caught)}`)});
}

/**
A target that cannot be used is a warning at the start, not a refusal: the route takes events all the same (docs/delivery.md, What is never sent twice).
Rejects when the checks of a platform cannot be loaded.
*/
async function warnRoutes(
	{publish, paths, current}: ProfileContext,
	deliveryFor: (profile: string) => {readonly platforms: Platforms} | undefined,
): Promise<void> {
	for (const {name, profile = paths.profile, deliver, onFailure = []} of current().config.webhook.routes) {
		const platforms = deliveryFor(profile)?.platforms;
		const problems = platforms ? await checkDeliveries([...deliver, ...onFailure], platforms) : [];
		for (const {level, message} of problems) {
			publish({type: 'log', level, area: 'delivery', text: safeText(`route ${name}: ${message}`)});
		}
	}
}
