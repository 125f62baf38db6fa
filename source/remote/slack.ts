import {addressBelow} from '../net/address-below.ts';
import {type JsonObject} from '../util/json-text.ts';
import {createBoundedMap} from '../util/limits/bounded-map.ts';
import {quoted} from '../util/safe-text.ts';
import {type Channel, type ChannelInput, type ChannelListener, type ChannelState} from './channel.ts';
import {type ChannelCheck, type SlackSettings} from './channel-settings.ts';
import {createPauses} from './pauses.ts';
import {type ChannelTools} from './platform-call.ts';
import {endOfSlack, readSlack, type SlackAnswer, slackTrouble} from './slack-answer.ts';
import {readEnvelope} from './slack-envelope.ts';
import {escapeSlack, fitsSlack, toSlack} from './slack-message.ts';
import {openSlackSocket, type SlackSocket, type SocketEnd, type SocketListener} from './slack-socket.ts';

type Method = (
	method: string,
	parameters: JsonObject,
	options: {readonly token: string; readonly signal: AbortSignal},
) => Promise<SlackAnswer>;

function createMethod({baseUrl}: SlackSettings, {call}: Pick<ChannelTools, 'call'>): Method {
	const base = new URL(baseUrl).href;
	return async (method, json, {token, signal}) =>
		readSlack(
			await call({url: addressBelow(base, [method]), headers: {Authorization: `Bearer ${token}`}, json, signal}),
		);
}

/** Creates a channel of a Slack app, which receives by Socket Mode. Throws when `baseUrl` is not a URL. */
export function createSlack(settings: SlackSettings, tools: ChannelTools): Channel {
	const method = createMethod(settings, tools);
	const token = settings.botToken;
	const sendTo = async (channel: string, ...[message, signal]: Parameters<Channel['send']>) => {
		const parameters = {channel, unfurl_links: false, unfurl_media: false, ...toSlack(message)};
		return endOfSlack(await method('chat.postMessage', parameters, {token, signal}));
	};

	return {
		fits: fitsSlack,
		receive: (listener, signal) => receive({settings, tools, method, listener}, signal),
		send: (message, signal) => sendTo(settings.channel, message, signal),
		sendToPerson: sendTo,
		async edit({chat, message: ts}, message, signal) {
			return endOfSlack(await method('chat.update', {channel: chat, ts, ...toSlack(message)}, {token, signal}));
		},
		async acknowledge({act, address, person}, text, signal) {
			if (text !== '') {
				const thread: JsonObject = act.kind === 'reply' ? {thread_ts: address.message} : {};
				const place = {channel: address.chat, user: person.id, ...thread};
				const parameters = {...place, text: escapeSlack(text), parse: 'none', link_names: false};
				await method('chat.postEphemeral', parameters, {token, signal});
			}
		},
	};
}

type Receiver = {
	readonly settings: SlackSettings;
	readonly tools: ChannelTools;
	readonly method: Method;
	readonly listener: ChannelListener;
};

/** An old socket stays open for so long beside its successor. */
const overlapMilliseconds = 10_000;
/** A socket that lived for so long was a good one: the next one is opened without a pause. */
const soundMilliseconds = 30_000;
const tooManyMilliseconds = 60_000;

/** Keeps one socket open until the signal aborts, and a second one while Slack replaces it. */
async function receive(receiver: Receiver, signal: AbortSignal): Promise<void> {
	const {tools, listener} = receiver;
	const {clock} = tools;
	const pauses = createPauses(clock, tools.random);
	const inputs = createInputs(receiver, signal);
	const open = new Set<SlackSocket>();
	let isFirst = true;
	listener.onState({kind: 'connecting'});
	while (!signal.aborted) {
		const opened = await openSocket(receiver, inputs, signal);
		if (signal.aborted) {
			break;
		}

		if (opened.kind === 'failed') {
			// The old socket may still be open.
			if (open.size === 0 || opened.state.kind === 'rejected') {
				listener.onState(opened.state);
			}

			if (opened.state.kind === 'rejected') {
				break;
			}

			await pauses.wait(signal, opened.leastMilliseconds);
			continue;
		}

		const {socket} = opened;
		open.forEach(old => void clock.after(overlapMilliseconds, old.close));
		open.add(socket);
		void socket.closed.then(() => open.delete(socket));
		reportOthers(socket.hello.connections - open.size, listener);
		listener.onState({kind: 'connected'});
		if (isFirst) {
			isFirst = false;
			listener.onCurrent();
		}

		const openedAt = clock.elapsed();
		const end = await socket.ended;
		if (signal.aborted) {
			break;
		}

		const isSound = clock.elapsed() - openedAt >= soundMilliseconds;
		if (isSound) {
			pauses.reset();
		}

		const trouble = troubleOf(end);
		if (trouble) {
			socket.close();
			listener.onState(trouble.state);
			if (trouble.state.kind === 'rejected') {
				break;
			}
		}

		if (trouble || !isSound) {
			await pauses.wait(signal, trouble?.leastMilliseconds);
		}
	}

	open.forEach(({close}) => close());
}

type Trouble = ReturnType<typeof slackTrouble>;

/** The state after the end of a socket (docs.slack.dev/apis/events-api/using-socket-mode#disconnect); undefined for a refresh. */
function troubleOf(end: SocketEnd): Trouble | undefined {
	if (end.kind === 'refresh') {
		return undefined;
	}

	switch (end.kind === 'closed' ? end.reason : '') {
		case 'link_disabled':
			return {
				state: {
					kind: 'rejected',
					message: 'Socket Mode is turned off for the app. Turn it on in the settings of the app, under Socket Mode',
				},
			};
		case 'too_many_websockets':
			return {
				state: {
					kind: 'away',
					message:
						'The app has 10 connections already. Stop other programs that use it, or give Sluice an app of its own',
				},
				leastMilliseconds: tooManyMilliseconds,
			};
		default:
			return {state: {kind: 'away', message: 'The connection to Slack was lost'}};
	}
}

/** Slack gives each envelope to one connection of an app, whichever (docs.slack.dev/apis/events-api/using-socket-mode#connections). */
function reportOthers(count: number, {onNotice}: ChannelListener): void {
	if (count > 0) {
		onNotice?.(
			`the Slack app has ${count} more ${count === 1 ? 'connection' : 'connections'}. If another program uses it, that takes answers of persons away`,
		);
	}
}

/** Opens the next socket by a new address. */
async function openSocket(
	{settings, tools, method, listener}: Receiver,
	inputs: ReturnType<typeof createInputs>,
	signal: AbortSignal,
): Promise<{readonly kind: 'open'; readonly socket: SlackSocket} | ({readonly kind: 'failed'} & Trouble)> {
	const answer = await method('apps.connections.open', {}, {token: settings.appToken, signal});
	if (answer.kind !== 'ok') {
		return {kind: 'failed', ...slackTrouble(answer, 'app_token')};
	}

	inputs.start(Date.parse(answer.headers.get('date') ?? ''));
	const url = socketAddress(answer.json['url'], settings.baseUrl);
	const sockets = {onAlive: listener.onAlive, onEnvelope: inputs.take};
	const socket = url && (await openSlackSocket(url, tools, sockets, signal));
	return socket
		? {kind: 'open', socket}
		: {kind: 'failed', state: {kind: 'away', message: 'Slack did not open a connection for the app'}};
}

/** Only over TLS, unless the API itself is not. */
function socketAddress(written: unknown, baseUrl: string): URL | undefined {
	const url = typeof written === 'string' && URL.canParse(written) ? new URL(written) : undefined;
	const isAllowed = url?.protocol === 'wss:' || (url?.protocol === 'ws:' && baseUrl.startsWith('http:'));
	return isAllowed ? url : undefined;
}

const maxWaitingInputs = 100;
const maxRememberedActs = 1000;

/** Reports what sockets bring, one after the other and each act once, whichever envelopes carry it. */
function createInputs({settings, tools, listener}: Receiver, signal: AbortSignal) {
	const seen = createBoundedMap<string, true>({max: maxRememberedActs});
	let startSeconds: number | undefined;
	let waiting = 0;
	let last: Promise<void> = Promise.resolve();

	const report = async (input: ChannelInput) => {
		if (!signal.aborted) {
			await listener.onInput(input);
		}

		waiting--;
	};

	const take: SocketListener['onEnvelope'] = ({id, type, payload, isRetry}, hello) => {
		// Slack brings what was not acknowledged again.
		if (waiting >= maxWaitingInputs) {
			return 'leave';
		}

		const meaning = seen.has(id) ? undefined : readEnvelope(type, payload, {team: settings.team, appId: hello.appId});
		seen.set(id, true);
		if (meaning?.kind === 'ignored') {
			listener.onNotice?.(meaning.reason);
		} else if (meaning?.kind === 'input' && !seen.has(meaning.once)) {
			seen.set(meaning.once, true);
			const isOld = isRetry && Number(meaning.input.address.message) < (startSeconds ?? 0);
			waiting++;
			last = last.then(() => report({...meaning.input, isOld}));
		}

		return 'acknowledge';
	};

	return {
		take,
		/** Remembers the first start, by Slack's clock if its answer had the time, which has whole seconds. */
		start(now: number) {
			startSeconds ??= (Number.isFinite(now) ? now + 1000 : tools.clock.now()) / 1000;
		},
	};
}

/** Checks both tokens of an app and its workspace, and changes nothing. */
export async function checkSlack(
	settings: SlackSettings,
	tools: Pick<ChannelTools, 'call'>,
	signal: AbortSignal,
): Promise<ChannelCheck> {
	const method = createMethod(settings, tools);
	const bot = await method('auth.test', {}, {token: settings.botToken, signal});
	if (bot.kind !== 'ok') {
		return problem(slackTrouble(bot, 'bot_token').state);
	}

	const scopes = bot.headers.get('x-oauth-scopes');
	if (scopes !== null && !scopes.split(',').some(scope => scope.trim() === 'chat:write')) {
		return problem(slackTrouble({kind: 'failed', error: 'missing_scope'}, 'bot_token').state);
	}

	const {team_id: team, user} = bot.json;
	if (team !== settings.team) {
		const found = typeof team === 'string' && /^[A-Z\d]{2,40}$/u.test(team) ? team : 'another one';
		return {kind: 'problem', message: `\`bot_token\` belongs to the workspace ${found}; set \`team\` to that id`};
	}

	const app = await method('apps.connections.open', {}, {token: settings.appToken, signal});
	return app.kind === 'ok'
		? {kind: 'ok', name: quoted(typeof user === 'string' ? user : '')}
		: problem(slackTrouble(app, 'app_token').state);
}

function problem({message}: Extract<ChannelState, {kind: 'away' | 'rejected'}>): ChannelCheck {
	return {kind: 'problem', message};
}
