import {isPlatformName} from '../config/platforms/platform-keys.ts';
import {
	type PlatformConfig,
	platformSecrets,
	platformSettings,
	type Settings,
	type SettingScope,
	unset,
} from '../config/platforms/platform-settings.ts';
import {type Clock} from '../util/clock.ts';
import {Problem} from '../util/problem.ts';
import {createAccessTokens} from './access-token.ts';
import {checkPlatform} from './check-platform.ts';
import {createCall} from './http-call.ts';
import {type SendContext} from './send-context.ts';

/** The delivery platforms of one profile as they are configured now, with the connections to them. */
export type Platforms = {
	/** What keeps a platform from being used; nothing is sent. */
	readonly problems: (target: string) => readonly Problem[];
	/** The same as one Problem; undefined for a target that can be used. */
	readonly refusal: (target: string) => Problem | undefined;
	/** Loads what connections need; none is made. */
	readonly load: () => Promise<void>;
	/** The settings of a target as they are now, all unset for one that is no platform. */
	readonly settings: (target: string) => Settings;
	/** What a target may use until the signal aborts. */
	readonly context: (target: string, signal: AbortSignal) => SendContext;
	readonly forgetTokens: () => void;
	/** Ends the connections. */
	readonly close: () => Promise<void>;
};

/** What a profile's platforms stand on. */
export type PlatformOptions = {
	readonly clock: Clock;
	readonly publish: SendContext['publish'];
	/** The platforms of the configuration in force. */
	readonly configured: () => readonly PlatformConfig[];
	readonly scope: SettingScope;
	/** Tells the redactor what no text may show. */
	readonly learn: (secret: string) => void;
	/** The same for access tokens, which are renewed again and again. */
	readonly learnPassing: (secret: string) => void;
	readonly stateFile: SendContext['stateFile'];
};

/** Opens the platforms of a profile; nothing is connected before the first delivery. */
export function openPlatforms(options: PlatformOptions): Platforms {
	const {clock, publish, configured, scope, learn, learnPassing, stateFile} = options;
	const accessTokens = createAccessTokens(clock, learnPassing);
	const load = async () => (await import('../net/outgoing.ts')).openOutgoing();
	let outgoing: ReturnType<typeof load> | undefined;
	const connect = () => {
		outgoing ??= load().catch((error: unknown) => {
			outgoing = undefined;
			throw error;
		});
		return outgoing;
	};

	const find = (target: string) => configured().find(({name}) => name === target);
	const problems = (target: string) => {
		const platform = find(target);
		if (platform) {
			return checkPlatform(platform, scope);
		}

		const message = `platforms.${target} is not configured`;
		return isPlatformName(target) ? [new Problem('platform_unusable', {message, level: 'warning'})] : [];
	};

	const settingsOf = (target: string): Settings => {
		const platform = find(target);
		return platform ? platformSettings(platform, scope) : unset;
	};

	return {
		problems,
		refusal(target) {
			const found = problems(target);
			const message = found.map(problem => problem.message).join('; ');
			return found.length === 0 ? undefined : new Problem('platform_unusable', {message});
		},
		async load() {
			await connect();
		},
		settings: settingsOf,
		context(target, signal) {
			const settings = settingsOf(target);
			platformSecrets(settings).forEach(learn);
			const {variables} = scope;
			const call = createCall(connect, signal);
			return {settings, call, accessTokens, now: clock.now, publish, signal, stateFile, variables};
		},
		forgetTokens: accessTokens.forget,
		async close() {
			await outgoing?.then(({close}) => close());
		},
	};
}
