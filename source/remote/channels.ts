import {type Clock} from '../util/clock.ts';
import {type Channel, type ChannelMessage, type MessageEnd} from './channel.ts';
import {type ChannelCheck, type ChannelSettings} from './channel-settings.ts';
import {type ChannelTools, createPlatformCall} from './platform-call.ts';

type Platform = ChannelSettings['platform'];
type SettingsOf<Name extends Platform> = Extract<ChannelSettings, {readonly platform: Name}>;

type PlatformEntry<Settings> = {
	readonly create: (settings: Settings, tools: ChannelTools) => Channel;
	/** Absent: there is nothing to ask without sending a message. */
	readonly check?: (
		settings: Settings,
		tools: Pick<ChannelTools, 'call'>,
		signal: AbortSignal,
	) => Promise<ChannelCheck>;
	readonly tokens: (settings: Settings) => readonly string[];
};

/** Each platform, with the code that is loaded when a channel of it is opened. */
const platforms: {readonly [Name in Platform]: () => Promise<PlatformEntry<SettingsOf<Name>>>} = {
	async telegram() {
		const {createTelegram: create, checkTelegram: check} = await import('./telegram.ts');
		return {create, check, tokens: ({token}) => [token]};
	},
	async slack() {
		const {createSlack: create, checkSlack: check} = await import('./slack.ts');
		return {create, check, tokens: ({appToken, botToken}) => [appToken, botToken]};
	},
	async ntfy() {
		const {createNtfy: create} = await import('./ntfy.ts');
		return {create, tokens: ({token}) => [token]};
	},
};

/** The HTTP client is loaded with the first channel. */
async function openConnections() {
	const {openOutgoing} = await import('../net/outgoing.ts');
	return openOutgoing();
}

/** A channel with its connections. */
export type OpenedChannel = Channel & {
	/** Ends the connections of sends. Abort `receive` first. */
	readonly close: () => Promise<void>;
};

type ChannelOptions = {
	readonly clock: Clock;
	/** 0 to 1, for the jitter of pauses. Default: Math.random. */
	readonly random?: () => number;
};

/** Opens a channel without connecting. A message that does not fit is refused before it is sent. Rejects with TypeError when an address is not a URL. */
export async function openChannel<Name extends Platform>(
	settings: SettingsOf<Name> & {readonly platform: Name},
	{clock, random = Math.random}: ChannelOptions,
): Promise<OpenedChannel> {
	const {create, tokens} = await platforms[settings.platform]();
	const {request, close} = await openConnections();
	const call = createPlatformCall({request}, {clock, tokens: tokens(settings)});
	const channel = create(settings, {call, clock, random});
	const {send, sendToPerson, edit} = channel;
	const ifFits = (message: ChannelMessage, act: () => Promise<MessageEnd>): Promise<MessageEnd> =>
		channel.fits(message)
			? act()
			: Promise.resolve({kind: 'refused', message: `The message does not fit into one of ${settings.platform}`});
	return {
		...channel,
		send: (message, signal) => ifFits(message, () => send(message, signal)),
		...(sendToPerson && {
			sendToPerson: (person, message, signal) => ifFits(message, () => sendToPerson(person, message, signal)),
		}),
		...(edit && {edit: (address, message, signal) => ifFits(message, () => edit(address, message, signal))}),
		close,
	};
}

/** Asks a platform whether its settings work: tokens, and what the bot can reach. Changes nothing, sends nothing, never rejects. */
export async function checkChannel<Name extends Platform>(
	settings: SettingsOf<Name> & {readonly platform: Name},
	clock: Clock,
	signal: AbortSignal,
): Promise<ChannelCheck> {
	const {check, tokens} = await platforms[settings.platform]();
	if (!check) {
		return {kind: 'ok', name: settings.platform};
	}

	const {request, close} = await openConnections();
	try {
		return await check(settings, {call: createPlatformCall({request}, {clock, tokens: tokens(settings)})}, signal);
	} finally {
		await close();
	}
}
