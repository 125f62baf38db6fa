import {join} from 'node:path';
import {beginsRuns} from '../../agent/check-routes.ts';
import {isPlatformName} from '../../config/platforms/platform-keys.ts';
import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {webhookRefusals} from '../../config/webhooks/refusals.ts';
import {failedDeliveryToJson} from '../../control/to-wire.ts';
import {listFailedDeliveries} from '../../gateway/journal/failed-deliveries.ts';
import {storedPayloads} from '../../gateway/pages/stored-events.ts';
import {type JournalReader} from '../../journal/tables/journal-reader.ts';
import {findJob, createCronStore} from '../../runs/cron-store.ts';
import {type FailedDeliveryJson} from '../../state/json/event.ts';
import {type Clock} from '../../util/clock.ts';
import {targetNames} from '../../util/destinations.ts';
import {shellWord} from '../../util/named-commands.ts';
import {Problem} from '../../util/problem.ts';
import {readRecentEvents, type StoredEvents, warnOfUnresolved} from '../../webhooks/template/unresolved-variables.ts';
import {type CheckedProfile} from './checked-profile.ts';
import {type Finding, fine, trouble} from './finding.ts';
import {listTroubles, preparationTroubles, scriptTroubles, templateTroubles} from './route-parts.ts';
import {type CheckedRoute, entryTroubles, readRoutes} from './route-sources.ts';
import {deliveryTroubles, runTroubles} from './run-parts.ts';

type CheckOptions = {
	/** The profile whose config.yaml has the routes. */
	readonly main: CheckedProfile;
	/** Every profile that is served. */
	readonly profiles: readonly CheckedProfile[];
	readonly clock: Clock;
	readonly signal: AbortSignal;
	/** Of a gateway that does not run. */
	readonly journal: JournalReader | undefined;
};

/** Every route and subscription, with all that it leans on, in the profile that serves it (docs/webhooks.md, Routes and profiles). */
export async function checkRoutes(options: CheckOptions): Promise<readonly Finding[]> {
	const {main, profiles} = options;
	const {webhook} = main.loaded.config;
	const expand = (text: string, profile?: string) =>
		(profiles.find(({paths}) => paths.profile === profile) ?? main).scope.expand(text);
	const {routes, findings} = readRoutes(main, expand);
	const refused = webhookRefusals(webhook, expand).flatMap(({scope}) => (scope?.kind === 'route' ? [scope.name] : []));
	const receiver: RouteOptions['receiver'] =
		main.loaded.file === 'unusable' ? 'unknown' : webhook.enabled ? [...new Set(refused)] : 'off';
	const served = await servedRoutes(options);
	const each = await Promise.all(routes.map(route => routeFindings(route, {...options, expand, receiver, served})));
	return [...findings, ...offFindings(main, routes.length), ...each.flat()];
}

/** The routes that a running gateway serves now, whatever config.yaml says by now. */
async function servedRoutes({main, signal}: CheckOptions): Promise<ReadonlySet<string>> {
	// An older gateway does not know the method.
	const rows = (await main.client?.call('webhook.list', {}, {signal}).catch(() => null)) ?? [];
	return new Set(rows.flatMap(({name, state}) => (state === 'served' ? [name] : [])));
}

function offFindings({loaded, keyPlace}: CheckedProfile, routes: number): readonly Finding[] {
	return loaded.file === 'unusable' || loaded.config.webhook.enabled || routes === 0
		? []
		: [
				trouble('webhooks', 'warning', {
					message: `Webhooks are off, so ${routes === 1 ? 'the route is' : `${routes} routes are`} not served`,
					remedy: `Set ${keyPlace('platforms', 'webhook', 'enabled')} to true, or WEBHOOK_ENABLED`,
				}),
			];
}

type RouteOptions = CheckOptions & {
	readonly expand: (text: string, profile?: string) => string;
	/** The routes that keep the receiver from starting; `unknown` while config.yaml cannot be read. */
	readonly receiver: readonly string[] | 'off' | 'unknown';
	readonly served: ReadonlySet<string>;
};

async function routeFindings(checked: CheckedRoute, options: RouteOptions): Promise<readonly Finding[]> {
	const {main, profiles, expand, receiver, served} = options;
	const {name, route, place} = checked;
	const check = `route ${name}`;
	const own = checked.source === 'subscription' ? entryTroubles(main, checked, check) : [];
	if (!route) {
		return own;
	}

	const {profile: wanted = main.paths.profile} = route;
	const serving = profiles.find(({paths}) => paths.profile === wanted);
	const part = {check, place};
	const {host} = main.loaded.config.webhook;
	const troubles = [
		...own,
		...preparationTroubles(route, {...part, host, expand}),
		...blockedBy(receiver, {name, check, isServed: served.has(name)}),
		...(serving
			? await dependencies(route, serving, {...part, clock: options.clock})
			: [notServed(wanted, main, check)]),
		...templateTroubles(route, part),
		...(await unresolved(route, part, options)),
		...(route.enabled
			? []
			: [
					trouble(check, 'warning', {
						message: 'It is paused: its senders get 503',
						remedy: `Set ${place('enabled')} to true to serve it`,
					}),
				]),
	];
	return troubles.length > 0 ? troubles : [fine(check, completeText(route, receiver))];
}

function completeText({deliver}: RouteConfig, receiver: RouteOptions['receiver']): string {
	switch (receiver) {
		case 'off':
			return 'It is complete; webhooks are off';
		case 'unknown':
			return 'It is complete';
		default:
			return `It is active and delivers to ${targetNames(deliver)}`;
	}
}

/** One refused route of config.yaml keeps the receiver from starting; at a reload, the last good routes stay (docs/webhooks.md, When the receiver does not start). */
function blockedBy(
	receiver: RouteOptions['receiver'],
	{name, check, isServed}: {readonly name: string; readonly check: string; readonly isServed: boolean},
): readonly Finding[] {
	return typeof receiver === 'string' || receiver.length === 0 || receiver.includes(name)
		? []
		: [
				trouble(check, isServed ? 'warning' : 'error', {
					message: isServed
						? `It is still served, but no route would be served after a restart, because these are refused: ${receiver.join(', ')}`
						: `It is not served, because the receiver does not start while these routes are refused: ${receiver.join(', ')}`,
					remedy: `Follow the advice given here for ${receiver.map(other => `route ${other}`).join(', ')}`,
				}),
			];
}

function notServed(profile: string, {loaded, keyPlace, paths}: CheckedProfile, check: string): Finding {
	const {kind} = loaded.config.gateway.profiles;
	const remedies = {
		own: `Set ${keyPlace('gateway', 'multiplex_profiles')} to true and start the gateway again`,
		listed: `Add ${profile} to ${keyPlace('gateway', 'profiles')} and start the gateway again`,
		all: `Create the profile (\`mkdir -p -m 700 ${shellWord(join(paths.root, 'profiles', profile))}\`) and start the gateway again`,
	};
	return trouble(check, 'error', {
		message: `It is not served: no gateway serves its profile ${profile}`,
		remedy: remedies[kind],
	});
}

async function dependencies(
	route: RouteConfig,
	profile: CheckedProfile,
	part: {readonly check: string; readonly place: CheckedRoute['place']; readonly clock: Clock},
): Promise<readonly Finding[]> {
	const {check, place} = part;
	const {skills, toolsets} = route;
	// An unknown target is a problem of the entry.
	const known = (destinations: RouteConfig['deliver']) => destinations.filter(({target}) => isPlatformName(target));
	const sent = {deliver: known(route.deliver), onFailure: known(route.onFailure ?? [])};
	return [
		...(await listTroubles(route, profile, part)),
		...(await scriptTroubles(route, profile, part)),
		...(await deliveryTroubles(profile, {check, place, ...sent})),
		...(beginsRuns(route) ? await runTroubles(profile, {check, place, skills, toolsets}) : []),
		...jobTroubles(route, profile, part),
	];
}

/** A job that a route fires and that is none. Nothing for jobs that cannot be read, which is reported by itself. */
function jobTroubles(
	{cronJob}: RouteConfig,
	{documents, command}: CheckedProfile,
	{check, place, clock}: Parameters<typeof dependencies>[2],
): readonly Finding[] {
	try {
		const found = cronJob === undefined ? undefined : findJob(createCronStore(documents, clock).list(), cronJob);
		const remedy = `Correct ${place('cron_job')}; ${command('cron', 'list')} lists the jobs`;
		return found instanceof Problem ? [trouble(check, 'error', {message: found.message, remedy})] : [];
	} catch {
		return [];
	}
}

/** Variables of templates that no stored event has. A list without them is better than none: the journal may be damaged. */
async function unresolved(
	route: RouteConfig,
	{check, place}: {readonly check: string; readonly place: CheckedRoute['place']},
	{main, journal, signal}: CheckOptions,
): Promise<readonly Finding[]> {
	try {
		const stored = storedBy(main, journal, signal);
		const warning = stored && (await warnOfUnresolved(route, await readRecentEvents(stored, route.name)));
		const remedy = `Correct ${place('prompt')}; ${main.command('events', 'list', '--route', route.name)} lists its events`;
		return warning === undefined ? [] : [trouble(check, 'warning', {message: warning, remedy})];
	} catch {
		return [];
	}
}

function storedBy(
	{client}: CheckedProfile,
	journal: JournalReader | undefined,
	signal: AbortSignal,
): StoredEvents | undefined {
	return client
		? {
				list: query => client.call('events.list', query, {signal}),
				show: id => client.call('events.show', {id}, {signal}),
			}
		: journal && storedPayloads(journal);
}

/** The targets with failed deliveries since the last one that arrived (docs/delivery.md, Failed deliveries). */
export async function checkDeliveries(
	main: CheckedProfile,
	{journal, signal}: {readonly journal: JournalReader | undefined; readonly signal: AbortSignal},
): Promise<readonly Finding[]> {
	const stored = async () =>
		journal && (await listFailedDeliveries(journal, main.paths.profile)).map(failedDeliveryToJson);
	const failed = await (main.client ? main.client.call('deliveries.failed', {}, {signal}) : stored());
	return (failed ?? []).map(delivery => deliveryFinding(delivery, main));
}

function deliveryFinding(delivery: FailedDeliveryJson, {checkName, command}: CheckedProfile): Finding {
	const {route, job, target, failures, reason, event_id: event} = delivery;
	const check = job === null ? (route === null ? `deliveries to ${target}` : `route ${route}`) : `job ${job}`;
	const count = failures === 1 ? 'A delivery' : `${failures} deliveries`;
	const again =
		event === null ? 'send another' : `send the last one again: ${command('events', 'replay', event, '--deliver')}`;
	return trouble(checkName(check), 'warning', {
		message: `${count} to ${target} failed since the last one that arrived: ${reason}`,
		remedy: `Correct the settings of ${target}, then ${again}`,
	});
}
