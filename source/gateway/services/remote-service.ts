import {createHash, randomInt} from 'node:crypto';
import {type ConfiguredChannel, type ChannelConfig, resolveChannel} from '../../config/read/remote-config.ts';
import {channelSettings} from '../../remote/channel-settings.ts';
import {type OpenedChannel} from '../../remote/channels.ts';
import {type ChannelRunner, createChannelRunner} from '../../remote/channel-runner.ts';
import {type RunnerState} from '../../remote/runner-options.ts';
import {type SentMessage} from '../../state/person-event.ts';
import {safeText} from '../../util/safe-text.ts';
import {type Profile} from './profiles.ts';
import {createRemoteRequests, type RemoteParts} from './remote-requests.ts';

/** The state of a chat, as persons see it. `failed`: its configuration cannot be used. */
export type RemoteStatus = {
	readonly profile: string;
	readonly platform: string;
	readonly state: RunnerState['kind'] | 'failed';
	/** The reason, and what to do; absent while it works. */
	readonly message?: string;
};

/** The chats of all profiles (docs/remote.md). */
export type RemoteService = {
	/** True if a person can decide about requests of a profile in one of its chats now. */
	readonly counts: (profile: string) => boolean;
	readonly status: () => readonly RemoteStatus[];
	/** Opens and closes chats until they are those of the current configuration. */
	readonly apply: () => Promise<void>;
	readonly close: () => Promise<void>;
};

type Opened = {readonly key: string; readonly runner: ChannelRunner; readonly channel: OpenedChannel};
type Wanted = {readonly profile: Profile; readonly place: number; readonly resolved: ConfiguredChannel};

const presenceMilliseconds = 60_000;

/** Opens the chats that are configured now. */
export async function openRemoteService(parts: RemoteParts): Promise<RemoteService> {
	const {profiles} = parts;
	const {eventBus, publish} = profiles.first.context;
	let opened: readonly Opened[] = [];
	let failed: readonly RemoteStatus[] = [];
	let shownFault: string | undefined;
	const status = () => [...opened.map(({runner}) => statusOf(runner)), ...failed];
	const showFault = () => {
		const fault = faultText(status());
		if (fault !== shownFault) {
			shownFault = fault;
			publish({type: 'fault.state', part: 'remote', ...(fault !== undefined && {reason: fault})});
		}
	};

	const showSent = createSentNotes(parts, () => opened.map(({runner}) => runner));
	const onChange = () => {
		showFault();
		showSent();
	};

	const wake = () => opened.forEach(({runner}) => runner.wake());
	const endListening = eventBus.listenToAll(({type}) => {
		if (wakingEvents.has(type)) {
			wake();
		}
	});
	const open = async (wanted: Wanted & {readonly channel: ChannelConfig}, key: string): Promise<Opened> => {
		const channel = await (parts.openChannel ?? openPlatform(parts))(wanted.channel);
		return {key, channel, runner: startRunner(wanted, channel, {parts, onChange})};
	};

	const apply = async () => {
		const wanted = withoutShared(wantedChannels(profiles.all));
		const keyed = wanted.map(one => ({...one, key: keyOf(one)}));
		const keys = new Set(keyed.map(({key}) => key));
		const gone = opened.filter(({key}) => !keys.has(key));
		opened = opened.filter(({key}) => keys.has(key));
		await Promise.all(gone.map(closeOne));
		const problems: RemoteStatus[] = [];
		for (const {key, ...one} of keyed) {
			const {resolved, profile} = one;
			if (resolved.kind === 'failed') {
				problems.push(failedStatus(profile, resolved.platform, resolved.reason));
			} else if (!opened.some(other => other.key === key)) {
				try {
					opened = [...opened, await open({...one, channel: resolved.channel}, key)];
				} catch (caught) {
					const why = caught instanceof TypeError ? 'its address is not a URL' : 'it cannot be loaded';
					problems.push(failedStatus(profile, resolved.channel.platform, why));
				}
			}
		}

		failed = problems;
		onChange();
	};

	await apply();
	return {
		counts: name => opened.some(({runner}) => runner.place.profile === name && runner.counts()),
		status,
		apply,
		async close() {
			endListening();
			await Promise.all(opened.map(closeOne));
		},
	};
}

const wakingEvents: ReadonlySet<string> = new Set([
	'approval.requested',
	'approval.settled',
	'question.asked',
	'question.settled',
	'run.state',
	'hold.state',
]);

async function closeOne({runner, channel}: Opened): Promise<void> {
	await runner.close();
	await channel.close();
}

/** Loads a platform when its first channel is opened. */
function openPlatform({profiles}: Pick<RemoteParts, 'profiles'>) {
	const {clock} = profiles.first.context;
	return async ({platform, keys}: ChannelConfig): Promise<OpenedChannel> => {
		const {openChannel} = await import('../../remote/channels.ts');
		return openChannel(channelSettings({platform, keys}, keys.base_url), {clock});
	};
}

function wantedChannels(profiles: readonly Profile[]): readonly Wanted[] {
	return profiles.flatMap(profile =>
		profile.context.current().config.approvals.remote.channels.map((channel, place) => ({
			profile,
			place,
			resolved: resolveChannel(channel, profile.context.expand),
		})),
	);
}

/** A bot that two channels share receives for only one of them: neither decides anything. */
function withoutShared(wanted: readonly Wanted[]): readonly Wanted[] {
	const tokenOf = ({resolved}: Wanted) =>
		resolved.kind === 'channel' && resolved.channel.platform !== 'ntfy' ? tokenKey(resolved.channel) : undefined;
	return wanted.map(one => {
		const token = tokenOf(one);
		const other = wanted.find(another => another !== one && token !== undefined && tokenOf(another) === token);
		if (!other || one.resolved.kind === 'failed') {
			return one;
		}

		const {platform} = one.resolved.channel;
		const reason =
			one.profile.name === other.profile.name
				? 'Two channels have one bot token. Give each a bot of its own'
				: `The profile ${other.profile.name} has the same bot token. Give each profile a bot of its own`;
		return {...one, resolved: {kind: 'failed', platform, reason, secrets: []}};
	});
}

function tokenKey({platform, keys}: ChannelConfig): string {
	return `${platform}:${digest(platform === 'slack' ? keys.app_token : platform === 'telegram' ? keys.token : keys.url)}`;
}

function digest(text: string): string {
	return createHash('sha256').update(`sluice remote channel ${text}`).digest('hex').slice(0, 24);
}

/** Another key: the channel is closed and opened again. */
function keyOf({profile, place, resolved}: Wanted): string {
	return digest(JSON.stringify([profile.name, place, resolved]));
}

function startRunner(
	{profile, place, channel: config}: Wanted & {readonly channel: ChannelConfig},
	channel: OpenedChannel,
	{parts, onChange}: {readonly parts: RemoteParts; readonly onChange: () => void},
): ChannelRunner {
	const {clock, publish, current} = profile.context;
	const {journal, hold, sinceLastKey} = parts;
	const {platform, keys, approvers, send} = config;
	const remote = () => current().config.approvals.remote;
	const log = (text: string) =>
		publish({type: 'log', level: 'warning', area: 'remote', text: safeText(`${platform}: ${text}`)});
	return createChannelRunner({
		...createRemoteRequests(profile, parts),
		clock,
		channel,
		journal,
		place: {
			name: tokenKey(config),
			profile: profile.name,
			platform,
			chat: keys.chat || keys.channel || '',
			place,
			approvers,
			send,
		},
		leaseMilliseconds: () => current().config.journal.leaseMilliseconds,
		times: () => ({
			delayMilliseconds: remote().delaySeconds * 1000,
			isHeld: hold.current() !== undefined,
			isAtConsole: (sinceLastKey() ?? Number.POSITIVE_INFINITY) < presenceMilliseconds,
		}),
		random: below => randomInt(below),
		onChange,
		onNotice: log,
		onSent: ids => ids.forEach(id => profile.tools.approvals.prolong(id, remote().timeoutSeconds * 1000)),
	});
}

function failedStatus({name}: Profile, platform: string, message: string): RemoteStatus {
	return {profile: name, platform, state: 'failed', message: safeText(message)};
}

function statusOf(runner: ChannelRunner): RemoteStatus {
	const state = runner.state();
	const {profile, platform} = runner.place;
	const message =
		state.kind === 'away' || state.kind === 'rejected'
			? state.message
			: state.kind === 'elsewhere'
				? `held by ${state.node === undefined ? 'another gateway, or none while the journal is away' : `the gateway ${state.node}`}`
				: runner.sendFault();
	return {profile, platform, state: state.kind, ...(message !== undefined && {message: safeText(message)})};
}

/** The reason that chats cannot be used, for the banner; undefined while all can. */
export function faultText(status: readonly RemoteStatus[]): string | undefined {
	const faults = status.filter(({state, message}) => message !== undefined && state !== 'elsewhere');
	return faults.length === 0
		? undefined
		: faults.map(({profile, platform, message}) => `${platform} of profile ${profile}: ${message}`).join(' · ');
}

/** Publishes where each request was sent, and the number that allows it there, for its card. */
function createSentNotes(
	{profiles}: Pick<RemoteParts, 'profiles'>,
	runners: () => readonly ChannelRunner[],
): () => void {
	let shown = new Map<string, string>();
	return () => {
		const notes = new Map<string, {profile: string; messages: SentMessage[]}>();
		for (const {messages} of runners()) {
			for (const {profile, platform, state, subject, step, sentAt, message} of messages()) {
				const isSent = state === 'open' && message !== null && subject.kind !== 'summary';
				for (const {id} of isSent ? subject.requests : []) {
					const number = step.kind === 'choosing' ? step.numbers[step.right] : undefined;
					const note = notes.get(id) ?? {profile, messages: []};
					note.messages.push({platform, sentAt, ...(number !== undefined && {number})});
					notes.set(id, note);
				}
			}
		}

		const before = shown;
		shown = new Map([...notes].map(([id, note]) => [id, JSON.stringify(note.messages)]));
		for (const [id, {profile, messages}] of notes) {
			if (before.get(id) !== shown.get(id)) {
				profiles.all.find(({name}) => name === profile)?.context.publish({type: 'remote.sent', id, messages});
			}
		}

		for (const id of before.keys()) {
			if (!shown.has(id)) {
				profiles.first.context.publish({type: 'remote.sent', id, messages: []});
			}
		}
	};
}
