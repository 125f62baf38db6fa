import {type PlatformConfig} from '../config/platform-settings.ts';
import {checkDelivery} from '../delivery/check-delivery.ts';
import {createDeliver, type Deliver, type DeliveryResult} from '../delivery/deliver.ts';
import {openPlatforms, type Platforms} from '../delivery/open-platforms.ts';
import {readStateFile} from '../delivery/state-file.ts';
import {type Journal} from '../journal/journal.ts';
import {createOutbox, type LeftAnswers, type Outbox} from '../runs/outbox.ts';
import {resumeAnswers} from '../runs/resume-answers.ts';
import {errorText, Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type Foundation} from './foundation.ts';

/** Everything a message walks through on its way out. */
export type DeliveryWing = {
	/** For answers: kept until they are delivered. */
	readonly deliver: Deliver;
	/** For messages whose sender waits. */
	readonly deliverNow: Deliver;
	/** Tells which platforms can be used now, and which routes deliver to one that cannot. */
	readonly apply: () => void;
	/** What a former process left; asked once, before anything new is delivered. Rejects with `storage_unavailable`. */
	readonly leftBehind: Outbox['leftBehind'];
	/** Takes it up. Never rejects. */
	readonly resume: (left: LeftAnswers) => Promise<void>;
	/** Delivers once more what an event led to. Rejects with `not_replayable`. */
	readonly sendAgain: (eventId: string) => Promise<DeliveryResult>;
	readonly stop: () => Promise<void>;
};

/** Builds the delivery wing of all served profiles; each delivers over platforms of its own. Nothing is connected before something is delivered. */
export function openDeliveryWing(foundations: readonly [Foundation, ...Foundation[]], journal: Journal): DeliveryWing {
	const targetsOf = routeTargets(foundations[0]);
	const offices = foundations.map(foundation => openOffice(foundation, targetsOf));
	const [{paths, redactor, hall}] = foundations;
	// A window shows what its own profile tells.
	const publishOf = (profile: string = paths.profile) => hall.publishFor(profile);
	const outbox = createOutbox({
		journal,
		publishOf,
		clean: redactor.clean,
		async deliver(delivery, options) {
			const wanted = delivery.profile ?? paths.profile;
			const office = offices.find(({profile}) => profile === wanted);
			// Never by another profile's platforms.
			const detail = 'the profile of this delivery is not served';
			return office?.deliver(delivery, options) ?? {kind: 'failed', problem: new Problem('delivery_failed', {detail})};
		},
	});
	return {
		deliver: outbox.deliver,
		deliverNow: outbox.deliverNow,
		sendAgain: outbox.sendAgain,
		apply() {
			offices.forEach(({tell}) => tell());
			const officeOf = (profile: string) => offices.find(office => office.profile === profile);
			warnRoutes(foundations[0], officeOf).catch((caught: unknown) => tellFailure(foundations[0], caught));
		},
		leftBehind: outbox.leftBehind,
		resume: left => resumeAnswers(left, {outbox, journal, publishOf}),
		async stop() {
			await outbox.stop();
			await Promise.all(offices.map(({platforms}) => platforms.close()));
		},
	};
}

/** What one profile delivers with. */
function openOffice(foundation: Foundation, targetsOf: RouteTargets) {
	const {clock, publish, paths} = foundation;
	const platforms = openProfilePlatforms(foundation);
	return {
		profile: paths.profile,
		platforms,
		deliver: createDeliver({clock, publish, platforms}),
		tell: createBoard(foundation, platforms, targetsOf),
	};
}

/** The platforms as the configuration in force describes them: for the gateway, and for commands that only check. */
export function openProfilePlatforms({clock, publish, paths, current, expand, redactor}: Foundation): Platforms {
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

/** What the routes of a profile deliver to. */
type RouteTargets = (profile: string) => readonly string[];

/** Routes stand in the file of the first profile, whichever profile they are for. */
function routeTargets({paths, current}: Foundation): RouteTargets {
	return profile =>
		current()
			.config.webhook.routes.filter(route => (route.profile ?? paths.profile) === profile)
			.map(route => route.deliver);
}

/** Tells of every platform somebody thought of: configured, usable by the environment alone, or told of before. */
function createBoard({publish, paths, current}: Foundation, platforms: Platforms, targetsOf: RouteTargets) {
	const told = new Set<string>();
	const isConfigured = ({state, written}: PlatformConfig) => state !== 'enabled' || Object.keys(written).length > 0;
	return () => {
		const targets = targetsOf(paths.profile);
		for (const config of current().config.platforms) {
			const problems = platforms.problems(config.name);
			// Everyone who has `gh` could comment; that alone is no wish to.
			const usable = problems.length === 0 && config.name !== 'github_comment';
			if (usable || isConfigured(config) || told.has(config.name) || targets.includes(config.name)) {
				told.add(config.name);
				const state = problems.length === 0 ? 'usable' : config.state === 'disabled' ? 'disabled' : 'unusable';
				const reason = problems.map(problem => safeText(problem.message)).join('; ');
				publish({type: 'platform.state', platform: config.name, state, ...(reason !== '' && {reason})});
			}
		}
	};
}

/** Nobody waits for it, so nobody else would hear of an error. */
function tellFailure({publish}: Foundation, caught: unknown): void {
	publish({type: 'log', level: 'error', area: 'delivery', text: safeText(`routes: ${errorText(caught)}`)});
}

/**
A target that cannot be used is a warning at the start, not a refusal: the route takes events all the same (spec/decisions.md, D8).
Rejects when the checks of a platform cannot be loaded.
*/
async function warnRoutes(
	{publish, paths, current}: Foundation,
	officeOf: (profile: string) => {readonly platforms: Platforms} | undefined,
): Promise<void> {
	for (const {name, profile = paths.profile, deliver: target, deliverExtra: extra} of current().config.webhook.routes) {
		const platforms = officeOf(profile)?.platforms;
		const problems = platforms ? await checkDelivery({target, extra}, platforms) : [];
		for (const {level, message} of problems) {
			publish({type: 'log', level, area: 'delivery', text: safeText(`route ${name}: ${message}`)});
		}
	}
}
