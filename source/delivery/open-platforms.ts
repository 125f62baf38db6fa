import {join} from 'node:path';
import {isPlatformName} from '../config/platforms/platform-keys.ts';
import {
	type PlatformConfig,
	platformSecrets,
	platformSettings,
	type Settings,
	type SettingScope,
	unset,
} from '../config/platforms/platform-settings.ts';
import {readTextFile} from '../config/values/text-file.ts';
import {type Outgoing} from '../net/outgoing.ts';
import {callerTarget} from '../state/event-caller.ts';
import {type Clock} from '../util/clock.ts';
import {isJsonObject, parseJson} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';
import {createAccessTokens} from './access-token.ts';
import {checkPlatform} from './check-platform.ts';
import {createCall} from './http-call.ts';
import {type SendContext} from './target.ts';

/** The current delivery platforms of one profile, with the connections to them. */
export type Platforms = {
	/** The reason that a platform is unusable; nothing is sent. */
	readonly problems: (target: string) => readonly Problem[];
	/** The same as one Problem; undefined for a usable target. */
	readonly refusal: (target: string) => Problem | undefined;
	/** Loads the code for connections without connecting. */
	readonly load: () => Promise<void>;
	/** The current settings of a target, all unset for a target without a platform. */
	readonly settings: (target: string) => Settings;
	/** State and settings of each platform that has any, as a text with its secrets. */
	readonly settingsTexts: () => ReadonlyMap<string, string>;
	/** The context of an attempt at a target; it ends when the signal aborts. */
	readonly context: (target: string, signal: AbortSignal) => SendContext;
	readonly forgetTokens: () => void;
	/** Ends the connections. */
	readonly close: () => Promise<void>;
};

export type PlatformOptions = {
	readonly clock: Clock;
	readonly publish: SendContext['publish'];
	/** The platforms of the current configuration. */
	readonly configured: () => readonly PlatformConfig[];
	readonly scope: SettingScope;
	/** Adds a secret to mask. */
	readonly learn: (secret: string) => void;
	/** The same for access tokens, which are renewed often. */
	readonly learnPassing: (secret: string) => void;
	readonly stateFile: SendContext['stateFile'];
	/** Opens the connections to addresses that senders named. Default: to the internet alone. */
	readonly openGuarded?: () => Promise<Outgoing>;
};

/** The checks of platforms, without connections to them. */
export function platformChecks({
	configured,
	scope,
}: Pick<PlatformOptions, 'configured' | 'scope'>): Pick<Platforms, 'problems' | 'settings'> {
	const find = (target: string) => configured().find(({name}) => name === target);
	return {
		problems(target) {
			const platform = find(target);
			if (platform) {
				return checkPlatform(platform, scope);
			}

			const message = `platforms.${target} is not configured`;
			return isPlatformName(target) ? [new Problem('platform_unusable', {message, level: 'warning'})] : [];
		},
		settings(target) {
			const platform = find(target);
			return platform ? platformSettings(platform, scope) : unset;
		},
	};
}

/** The text of a platform without settings. */
const unconfigured = JSON.stringify(['enabled', unset]);

/** Opens the platforms of a profile; nothing is connected before the first delivery. */
export function openPlatforms(options: PlatformOptions): Platforms {
	const {clock, publish, scope, learn, learnPassing, stateFile} = options;
	const accessTokens = createAccessTokens(clock, learnPassing);
	const connections = createConnections(async () => (await import('../net/outgoing.ts')).openOutgoing());
	const {openGuarded = async () => (await import('../net/outgoing.ts')).openOutgoing({reach: 'internet'})} = options;
	const guarded = createConnections(openGuarded);

	const checks = platformChecks(options);
	return {
		...checks,
		refusal(target) {
			const found = checks.problems(target);
			const message = found.map(problem => problem.message).join('; ');
			return found.length === 0 ? undefined : new Problem('platform_unusable', {message});
		},
		async load() {
			await connections.open();
		},
		settingsTexts() {
			const texts = options
				.configured()
				// The others have defaults alone, and each text is costly to hash.
				.filter(
					({name, state, written, endpoints}) =>
						state !== 'enabled' ||
						Object.keys({...written, ...endpoints}).length > 0 ||
						platformSecrets(checks.settings(name)).some(secret => secret !== ''),
				)
				.map(({name, state}) => [name, JSON.stringify([state, checks.settings(name)])] as const);
			return new Map(texts.filter(([, text]) => text !== unconfigured));
		},
		context(target, signal) {
			const settings = checks.settings(target);
			platformSecrets(settings).forEach(learn);
			const {variables} = scope;
			const call = createCall((target === callerTarget ? guarded : connections).open, signal);
			return {settings, call, accessTokens, now: clock.now, publish, signal, stateFile, variables};
		},
		forgetTokens: accessTokens.forget,
		async close() {
			await Promise.all([connections.close(), guarded.close()]);
		},
	};
}

/** Opens connections at their first use; one that could not be opened is tried again. */
function createConnections(load: () => Promise<Outgoing>) {
	let outgoing: Promise<Outgoing> | undefined;
	return {
		open: () => {
			outgoing ??= load().catch((error: unknown) => {
				outgoing = undefined;
				throw error;
			});
			return outgoing;
		},
		close: async () => outgoing?.then(({close}) => close()),
	};
}

/** Reads `<directory>/<name>.json`, a mapping of names to strings written by another program; empty when it is missing or not a mapping. */
export async function readStateFile(directory: string, name: string): Promise<Readonly<Record<string, string>>> {
	const file = `${name.replaceAll(/[^\w@-]/gu, '_')}.json`;
	const value = parseJson((await readTextFile(join(directory, file))) ?? '');
	const members = isJsonObject(value) ? Object.entries(value) : [];
	return Object.fromEntries(members.filter((member): member is [string, string] => typeof member[1] === 'string'));
}
