import {z} from 'zod';
import {isJsonObject} from '../../util/json-text.ts';
import {lazy} from '../../util/lazy.ts';
import {safeText} from '../../util/safe-text.ts';
import {isUnresolved, referencesIn} from '../secrets/variables.ts';
import {field} from '../values/field-rule.ts';
import {numberLike, scalar, textList, toNumber, toText, toTexts} from '../values/fields.ts';
import {readSettings, readStrictly} from '../values/read-section.ts';
import {refuse, type Section, subsection} from '../values/section.ts';

/** The platforms of chats that carry requests to persons (docs/remote.md). */
export const remotePlatforms = ['telegram', 'slack', 'ntfy'] as const;

export type RemotePlatform = (typeof remotePlatforms)[number];

/** The part of a call that a chat gets: names and sizes of its arguments, or all of them. */
export type SentArguments = 'names' | 'arguments';

/** Members of a channel that its platform needs: tokens, addresses and ids, with references until `resolveChannel`. */
export type ChannelKeys = Readonly<
	Record<'token' | 'chat' | 'app_token' | 'bot_token' | 'team' | 'channel' | 'url' | 'base_url', string>
>;

/** A chat as it is configured. `approvers` are ids of the platform. */
export type ChannelConfig = {
	readonly platform: RemotePlatform;
	readonly keys: ChannelKeys;
	readonly approvers: readonly string[];
	readonly send: SentArguments;
};

/** A chat, or the reason that it decides nothing. */
export type ConfiguredChannel =
	| {readonly kind: 'channel'; readonly channel: ChannelConfig}
	| {
			readonly kind: 'failed';
			readonly platform: string;
			readonly reason: string;
			/** The written values of the keys of its tokens. */
			readonly secrets: readonly string[];
	  };

/** `approvals.remote`. */
export type RemoteConfig = {
	readonly delaySeconds: number;
	readonly timeoutSeconds: number;
	readonly channels: readonly ConfiguredChannel[];
};

/** Defaults (docs/configuration.md, How values are read). */
export const remoteDefaults = {delaySeconds: 20, timeoutSeconds: 900} as const;

/** The keys of a platform: those that it needs, and those that it may have. */
const platformKeys: Readonly<
	Record<RemotePlatform, {readonly needs: ReadonlyArray<keyof ChannelKeys>; readonly may: readonly string[]}>
> = {
	telegram: {needs: ['token', 'chat'], may: ['approvers', 'send', 'base_url']},
	slack: {needs: ['app_token', 'bot_token', 'team', 'channel'], may: ['approvers', 'send', 'base_url']},
	ntfy: {needs: ['url'], may: ['token']},
};

const value = (description: string) => field(scalar, {description, allowed: 'text'}).optional();

const channelSchema = lazy(() =>
	field(
		z.strictObject({
			platform: field(z.enum(remotePlatforms), {
				description: 'The platform of the chat.',
				allowed: remotePlatforms.join(', '),
				words: remotePlatforms,
				noun: 'platform',
			}),
			token: value('telegram: token of the bot; ntfy: access token. Usually a reference to a variable.'),
			chat: value('telegram: id of the chat.'),
			app_token: value('slack: app-level token, `xapp-…`, with `connections:write`.'),
			bot_token: value('slack: token of the bot, `xoxb-…`.'),
			team: value('slack: id of the workspace, `T…`.'),
			channel: value('slack: id of the channel.'),
			url: value('ntfy: address of the topic.'),
			base_url: value('Replaces the address of the API of the platform: a proxy, or a server of your own.'),
			approvers: textList('Ids of the persons who may decide, as the platform has them.'),
			send: field(z.enum(['names', 'arguments']), {
				description:
					'The part of a call that the chat gets: names and sizes of its arguments, which can only be denied there, or all of them. Default: names.',
				allowed: 'names, arguments',
			}).optional(),
		}),
		{description: 'A chat that carries requests to persons.', allowed: 'a mapping with platform and its keys'},
	),
);

const channelList = () =>
	field(z.array(channelSchema()), {
		description: 'Chats, tried in this order.',
		allowed: 'a list of channels',
	}).optional();

const times = {
	delay: () =>
		numberLike('How long a request waits for a console before it is sent, in seconds.', {
			fallback: remoteDefaults.delaySeconds,
			minimum: 0,
			maximum: 86_400,
			unit: 'seconds',
		}),
	timeout: () =>
		numberLike('How long a request waits in all where a chat may answer it, in seconds.', {
			fallback: remoteDefaults.timeoutSeconds,
			minimum: 0,
			maximum: 2_000_000,
			unit: 'seconds',
		}),
};

/** `approvals.remote` in config.yaml. */
export const remoteSchema = lazy(() =>
	field(z.strictObject({delay: times.delay(), timeout: times.timeout(), channels: channelList()}), {
		description: 'Chats in which persons answer when they are at no console; see docs/remote.md.',
		allowed: 'a mapping with delay, timeout, channels',
	}),
);

/** The times, and channels that are read apart: a mistake in one leaves the others as they are. */
const outline = lazy(() =>
	field(
		z.strictObject({
			delay: times.delay(),
			timeout: times.timeout(),
			channels: field(z.array(z.unknown()), {
				description: 'Chats, tried in this order.',
				allowed: 'a list of channels',
			}).optional(),
		}),
		{description: 'Chats.', allowed: 'a mapping with delay, timeout, channels'},
	),
);

/** Reads `approvals.remote`. A mistake in a channel makes that one fail, with the reason; it is never read in another way. */
export function parseRemote(written: unknown, section: Section): RemoteConfig {
	const {delay, timeout, channels = []} = readSettings(outline, written, section);
	return {
		delaySeconds: toNumber(delay, remoteDefaults.delaySeconds),
		timeoutSeconds: toNumber(timeout, remoteDefaults.timeoutSeconds),
		channels: channels.map((channel, index) => parseChannel(channel, subsection(section, ['channels', index]))),
	};
}

function parseChannel(written: unknown, section: Section): ConfiguredChannel {
	const named = isJsonObject(written) ? written['platform'] : undefined;
	const platform = typeof named === 'string' ? safeText(named, {maximumCharacters: 40}) : 'unknown platform';
	const secrets = secretKeys.flatMap(key => (isJsonObject(written) ? [toText(written[key])] : []));
	const failed = (reason: string): ConfiguredChannel => ({kind: 'failed', platform, reason, secrets});
	const reading = readStrictly(channelSchema(), written, section);
	if (reading.kind === 'broken') {
		return failed(reading.problem.message);
	}

	const {platform: known, approvers: _approvers, send = 'names', ...rest} = reading.value;
	const {needs, may} = platformKeys[known];
	const given = Object.keys(reading.value).filter(key => key !== 'platform');
	const foreign = given.find(key => ![...needs, ...may].includes(key));
	if (foreign !== undefined) {
		const allowed = ['platform', ...needs, ...may].join(', ');
		return failed(refuse(section, [foreign], `\`${foreign}\` is no key of ${known}. Allowed: ${allowed}`).message);
	}

	const missing = needs.find(key => toText(rest[key]) === '');
	if (missing !== undefined) {
		return failed(refuse(section, [], `A channel of ${known} needs \`${missing}\``).message);
	}

	const approvers = (toTexts(reading.value.approvers) ?? []).filter(id => id !== '');
	if (may.includes('approvers') && approvers.length === 0) {
		const message = '`approvers` names nobody. Add the id of each person who may decide';
		return failed(refuse(section, [], message).message);
	}

	const keyNames = ['token', 'chat', 'app_token', 'bot_token', 'team', 'channel', 'url', 'base_url'] as const;
	const keys = Object.fromEntries(keyNames.map(key => [key, toText(rest[key])])) as ChannelKeys;
	return {kind: 'channel', channel: {platform: known, keys, approvers, send}};
}

/** Forms of the ids of a platform: a name or an address in their place would match nobody, or somebody else later. */
const idForms = {
	telegram: {
		chat: {pattern: /^-?\d{1,20}$/u, says: 'the id of a chat is a number'},
		approvers: {pattern: /^\d{1,20}$/u, says: 'the id of a person is a number'},
	},
	slack: {
		team: {pattern: /^T[A-Z\d]+$/u, says: 'the id of a workspace begins with T'},
		channel: {pattern: /^[CDG][A-Z\d]+$/u, says: 'the id of a channel begins with C, D or G'},
		approvers: {pattern: /^[UW][A-Z\d]+$/u, says: 'the id of a person begins with U or W'},
	},
	ntfy: {url: {pattern: /^https?:\/\/[^/]+\/./u, says: 'the address of a topic is https://HOST/TOPIC'}},
} as const satisfies Record<RemotePlatform, unknown>;

/** A channel with its references replaced, or the reason that it cannot be used. `expand` replaces the references of a text. */
export function resolveChannel(configured: ConfiguredChannel, expand: (text: string) => string): ConfiguredChannel {
	if (configured.kind === 'failed') {
		return configured;
	}

	const {channel} = configured;
	const {platform} = channel;
	const secrets = secretsOf(channel);
	const failed = (reason: string): ConfiguredChannel => ({kind: 'failed', platform, reason, secrets});
	const written = [...Object.values(channel.keys), ...channel.approvers];
	const unset = written.filter(text => isUnresolved(text) && isUnresolved(expand(text)));
	if (unset.length > 0) {
		const [name = ''] = referencesIn(unset);
		return failed(`The variable ${safeText(name)} is not set. Add the line \`${safeText(name)}=…\` to .env`);
	}

	const keys = Object.fromEntries(
		Object.entries(channel.keys).map(([key, text]) => [key, expand(text)]),
	) as ChannelKeys;
	const approvers = channel.approvers.map(expand);
	for (const [key, {pattern, says}] of Object.entries(idForms[platform])) {
		const texts = key === 'approvers' ? approvers : [keys[key as keyof ChannelKeys]];
		const wrong = texts.find(text => !pattern.test(text));
		if (wrong !== undefined) {
			return failed(`\`${key}\`: "${safeText(wrong, {maximumCharacters: 40})}" is not allowed, because ${says}`);
		}
	}

	return {kind: 'channel', channel: {...channel, keys, approvers}};
}

/** The secrets of the channels as they are written. */
export function secretsOfRemote({channels}: RemoteConfig): readonly string[] {
	return channels
		.flatMap(one => (one.kind === 'channel' ? secretsOf(one.channel) : one.secrets))
		.filter(secret => secret !== '');
}

const secretKeys = ['token', 'app_token', 'bot_token'] as const;

/** The credentials of a channel. */
function secretsOf({keys}: ChannelConfig): readonly string[] {
	return secretKeys.map(key => keys[key]);
}
