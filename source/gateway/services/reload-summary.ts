import {type WebhookConfig} from '../../config/webhooks/webhook-entry.ts';
import {type ReloadSummary} from '../../mcp/connections.ts';
import {hashJson} from '../../util/json-hash.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {type Profile, type Profiles} from './profiles.ts';

/** The differences that a reload made, by name. Names of other profiles have the form `profile/name`. */
export type GatewayReload = ReloadSummary & Readonly<Record<Kind, Difference>>;

type Difference = {
	readonly added: readonly string[];
	readonly removed: readonly string[];
	readonly changed: readonly string[];
	readonly unchanged: readonly string[];
};

type Kind = 'routes' | 'platforms' | 'jobs';

/** The parts in force besides servers, by a stable id. */
type InForce = Readonly<Record<Kind, ReadonlyMap<string, Entry>>>;

type Entry = {readonly name: string; readonly hash: string};
type Expand = ProfileContext['expand'];

/** Reads what is in force now, secrets included: a changed variable is a changed entry. Jobs that cannot be read count as they were. */
export function readInForce(profiles: Profiles, webhook: WebhookConfig | undefined, former?: InForce): InForce {
	const expandOf = (name: string | undefined) =>
		(profiles.all.find(profile => profile.name === name) ?? profiles.first).context.expand;
	const routes = [
		// Its line in the file is not part of a route.
		...(webhook?.routes ?? []).map(route => entry(route.name, {...route, place: undefined}, expandOf(route.profile))),
		...(webhook?.brokenRoutes ?? []).map(({name, problem}) => entry(name, {broken: problem.message}, String)),
	];
	const platforms = profiles.all.flatMap(profile => {
		const {config} = profile.context.current();
		return config.platforms
			.filter(({state, written}) => state !== 'enabled' || Object.keys(written).length > 0)
			.map(platform => entry(`${labelOf(profile, profiles)}${platform.name}`, platform, profile.context.expand));
	});
	const receiver =
		webhook && (webhook.enabled || routes.length > 0) ? [receiverEntry(webhook, expandOf(undefined))] : [];
	return {
		routes: new Map(routes.map(one => [one.name, one])),
		platforms: new Map([...receiver, ...platforms].map(one => [one.name, one])),
		jobs: readJobs(profiles) ?? former?.jobs ?? new Map(),
	};
}

/** The beginning of names of other profiles than the first. */
function labelOf({name}: Profile, {first}: Profiles): string {
	return name === first.name ? '' : `${name}/`;
}

function receiverEntry(webhook: WebhookConfig, expand: Expand): Entry {
	return entry('webhook', {...webhook, routes: [], brokenRoutes: []}, expand);
}

function readJobs(profiles: Profiles): InForce['jobs'] | undefined {
	try {
		return new Map(
			profiles.all.flatMap(profile =>
				profile.cron.jobs().map((job): [string, Entry] => {
					const lasting = {...job, nextRunAt: 0, lastRunAt: 0, lastStatus: ''};
					return [
						`${labelOf(profile, profiles)}${job.id}`,
						entry(`${labelOf(profile, profiles)}${job.name}`, lasting, String),
					];
				}),
			),
		);
	} catch {
		// It is reported where the jobs are taken over.
		return undefined;
	}
}

function entry(name: string, content: object, expand: Expand): Entry {
	return {name, hash: hashJson(expand(JSON.stringify(content)))};
}

/** Compares what was in force with what is now. */
export function summarizeReload(servers: ReloadSummary, before: InForce, now: InForce): GatewayReload {
	return {
		...servers,
		routes: difference(before.routes, now.routes),
		platforms: difference(before.platforms, now.platforms),
		jobs: difference(before.jobs, now.jobs),
	};
}

function difference(before: ReadonlyMap<string, Entry>, now: ReadonlyMap<string, Entry>): Difference {
	const found: Record<keyof Difference, string[]> = {added: [], removed: [], changed: [], unchanged: []};
	for (const [id, {name, hash}] of now) {
		const former = before.get(id);
		found[!former ? 'added' : former.hash === hash ? 'unchanged' : 'changed'].push(name);
	}

	const gone = [...before].filter(([id]) => !now.has(id));
	return {...found, removed: gone.map(([, {name}]) => name)};
}

/** The settings in force besides servers, routes, platforms and jobs: a hash by the key of config.yaml. Places in the file are no part of them. */
export type SettingsInForce = ReadonlyMap<string, string>;

/** Reads these settings of all profiles, secrets included. */
export function readSettings(profiles: Profiles): SettingsInForce {
	return new Map(
		profiles.all.flatMap(profile => {
			const {config} = profile.context.current();
			const {approvals, rules, visionModel, toolsets, model, search, agent, limits, journal, gateway, metrics} = config;
			const settings = {
				approvals: {approvals, rules},
				model,
				vision_model: visionModel,
				search,
				agent,
				limits,
				platform_toolsets: toolsets,
				journal,
				gateway,
				metrics,
			};
			return Object.entries(settings).map(([key, value]): [string, string] => {
				const text = JSON.stringify(value, (name, part: unknown) =>
					name === 'place' ? undefined : part instanceof Map ? [...part] : part,
				);
				return [`${labelOf(profile, profiles)}${key}`, hashJson(profile.context.expand(text ?? ''))];
			});
		}),
	);
}

/** The line of the log about a reload: the kinds with a change, by name, and the number of their names that are left out. */
export function reloadText(
	summary: GatewayReload,
	{
		before,
		now,
		files,
	}: {
		readonly before: SettingsInForce;
		readonly now: SettingsInForce;
		readonly files: 'usable' | 'unusable';
	},
): string {
	const kinds = Object.entries(kindsOf(summary)).filter(([, found]) =>
		Object.entries(found).some(([what, names]) => what !== 'unchanged' && names.length > 0),
	);
	const settings = [...now].flatMap(([key, hash]) => (before.get(key) === hash ? [] : [key]));
	const changes = [
		...kinds.map(([kind, found]) => `${kind} ${kindText(found)}`),
		...(settings.length === 0 ? [] : [`settings changed ${settings.join(', ')}`]),
	];
	const unchanged =
		files === 'usable' ? 'Reloaded, nothing changed' : 'Nothing was reloaded: config.yaml cannot be used';
	return changes.length === 0 ? unchanged : `Reloaded: ${changes.join('; ')}`;
}

function kindsOf({
	routes,
	platforms,
	jobs,
	...servers
}: ReloadSummary & Partial<Record<Kind, Difference>>): Readonly<Record<string, ReloadSummary | Difference>> {
	const {added, removed, reconnected, unchanged} = servers;
	const others = Object.entries({routes, platforms, jobs}).flatMap(([kind, found]) =>
		found && Object.values(found).some(names => names.length > 0) ? [[kind, found] as const] : [],
	);
	return {servers: {added, removed, reconnected, unchanged}, ...Object.fromEntries(others)};
}

/** The differences of a reload, a line for each kind that there is. */
export function reloadLines(summary: ReloadSummary & Partial<Record<Kind, Difference>>): readonly string[] {
	return Object.entries(kindsOf(summary)).map(([kind, found]) => `${kind}: ${kindText(found)}`);
}

function kindText({unchanged, ...changes}: ReloadSummary | Difference): string {
	const parts = Object.entries(changes).filter(([, names]) => names.length > 0);
	const words = parts.map(([what, names]) => `${what} ${names.map(name => safeText(name)).join(', ')}`);
	return [...words, `${unchanged.length} unchanged`].join(' · ');
}
