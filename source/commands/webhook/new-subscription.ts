import {randomBytes} from 'node:crypto';
import {isProfileName} from '../../config/read/state-paths.ts';
import {readSubscription, type Subscription} from '../../config/webhooks/subscriptions.ts';
import {type JsonObject, ownMember} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandFlags} from '../cli/command-context.ts';
import {type RouteRegistry} from './route-registry.ts';
import {subscriptionEntry, subscriptionName} from './subscription-entry.ts';

const secretBytes = 32;

/** The entry that makes or changes a subscription, judged as the gateway will judge it. Throws the Problem for which it would not be served. */
export function newSubscription(
	typed: string,
	options: {readonly flags: CommandFlags; readonly registry: RouteRegistry; readonly now: number},
): Accepted & {readonly entry: JsonObject} {
	const {flags, registry, now} = options;
	const name = subscriptionName(typed);
	checkProfile(flags.routeProfile);
	const entry = subscriptionEntry(ownMember(registry.subscriptions.read(), name), flags, {
		secret: randomBytes(secretBytes).toString('base64url'),
		created_at: new Date(now).toISOString(),
	});
	const subscription = accepted(readSubscription(name, entry, registry));
	const {cronJob, profile} = subscription.route;
	const fault = cronJob === undefined ? undefined : registry.checkJob(cronJob, profile);
	if (fault) {
		throw fault;
	}

	return {...subscription, entry};
}

function checkProfile(profile: string | undefined): void {
	if (profile !== undefined && profile !== '' && !isProfileName(profile)) {
		throw new Problem('bad_usage', {message: '--route-profile must be the name of a profile'});
	}
}

type Accepted = Subscription & {readonly route: NonNullable<Subscription['route']>};

/** The subscription when it would be served; else nothing is written and the person is told every reason. */
function accepted(subscription: Subscription): Accepted {
	const {route, state, problems} = subscription;
	if (state === 'served' && route) {
		return {...subscription, route};
	}

	const message = problems.map(problem => problem.message).join('; ');
	throw new Problem(problems[0]?.code ?? 'config_invalid', {message});
}
