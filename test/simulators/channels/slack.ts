/*
A pretended Slack with one app, made from its documentation: https://docs.slack.dev/apis/events-api/using-socket-mode (hello, envelopes,
acknowledgements, disconnect, 10 connections), https://docs.slack.dev/reference/methods/apps.connections.open (token in the header alone, an address
for one use), https://docs.slack.dev/reference/interaction-payloads/block_actions-payload, https://docs.slack.dev/reference/events/message.
*/
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {type WebSocket, WebSocketServer} from 'ws';
import {type Clock, systemClock} from '../../../source/util/clock.ts';
import {listen} from '../../helpers/loopback.ts';
import {onTestFinished} from '../../helpers/on-test-finished.ts';
import {answerTrouble, type HttpTrouble, readJson, sendJson} from './http-troubles.ts';
import {shownBlocks, type SlackMessage, slackSchemas} from './slack-messages.ts';

export const slackAppToken = 'xapp-1-A0SLUICE-1234567890-abcdef';
export const slackBotToken = 'xoxb-1234567890-1234567890-abcdefghijkl';

const appId = 'A0SLUICE';
const team = 'T0TEAM';
const maxConnections = 10;

/** The next answer to a method, in place of its own. */
type SlackTrouble = {readonly error: string} | HttpTrouble | 'hang-up-after-taking';

type EnvelopeOptions = {
	/** Members of the envelope that differ, such as `retry_attempt`. */
	readonly envelope?: Readonly<Record<string, unknown>>;
	/** Members of the payload that differ. */
	readonly payload?: Readonly<Record<string, unknown>>;
	/** Members of the event of a message that differ. */
	readonly event?: Readonly<Record<string, unknown>>;
};

/** Opens a pretended Slack on loopback until the test ends, with an app in the channel C0HOME. */
export async function openSlackServer({clock = systemClock}: {readonly clock?: Clock} = {}) {
	const sockets: WebSocket[] = [];
	const webSockets = new WebSocketServer({noServer: true});
	const messages: SlackMessage[] = [];
	const ephemerals: Array<{readonly channel: string; readonly user: string; readonly text: string}> = [];
	const acknowledged: string[] = [];
	const requests: string[] = [];
	const troubles = new Map<string, SlackTrouble[]>();
	const tickets = new Set<string>();
	const channels = new Set(['C0HOME']);
	const validTokens = new Set([slackAppToken, slackBotToken]);
	let count = 0;
	let helloOf: 'sent' | 'withheld' = 'sent';
	let otherConnections = 0;

	const nextTs = () => `${Math.floor(clock.now() / 1000)}.${String(++count).padStart(6, '0')}`;
	const fail = (error: string) => new SlackRefusal(error);

	const methods: Readonly<Record<string, (body: unknown) => object>> = {
		'apps.connections.open': () => {
			const ticket = `ticket-${++count}`;
			tickets.add(ticket);
			return {url: `${baseUrl.replace('http:', 'ws:')}/link/?ticket=${ticket}&app_id=${appId}`};
		},
		'auth.test': () => ({team_id: team, user: 'sluice', user_id: 'U0BOT', bot_id: 'B0BOT'}),
		'chat.postMessage': body => {
			const {channel, text, blocks} = parsed(slackSchemas['chat.postMessage'], body);
			if (!channels.has(channel) && !/^U[A-Z\d]+$/u.test(channel)) {
				throw fail('channel_not_found');
			}

			const place = channel.startsWith('U') ? `D${channel.slice(1)}` : channel;
			const message = {channel: place, ts: nextTs(), notification: text, ...shownBlocks(blocks), edits: 0};
			messages.push(message);
			return {channel: place, ts: message.ts};
		},
		'chat.update': body => {
			const {channel, ts, text, blocks} = parsed(slackSchemas['chat.update'], body);
			const index = messages.findIndex(message => message.channel === channel && message.ts === ts);
			const before = messages[index];
			if (!before) {
				throw fail('message_not_found');
			}

			messages[index] = {...before, notification: text, ...shownBlocks(blocks), edits: before.edits + 1};
			return {channel, ts};
		},
		'chat.postEphemeral': body => {
			const {channel, user, text} = parsed(slackSchemas['chat.postEphemeral'], body);
			ephemerals.push({channel, user, text});
			return {message_ts: nextTs()};
		},
	};

	const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
		const method = (incoming.url ?? '').slice(1);
		const body = await readJson(incoming);
		requests.push(method);
		response.setHeader('date', new Date(clock.now()).toUTCString());
		const trouble = troubles.get(method)?.shift();
		if (typeof trouble === 'object' && 'error' in trouble) {
			throw fail(trouble.error);
		}

		if (trouble !== undefined && trouble !== 'hang-up-after-taking') {
			answerTrouble(trouble, incoming, response);
			return;
		}

		const token = (incoming.headers.authorization ?? '').replace(/^Bearer /u, '');
		const needed = method === 'apps.connections.open' ? slackAppToken : slackBotToken;
		if (!validTokens.has(token)) {
			throw fail('invalid_auth');
		}

		if (token !== needed) {
			throw fail('not_allowed_token_type');
		}

		const act = methods[method];
		if (!act) {
			throw fail('unknown_method');
		}

		const result = act(body);
		if (trouble === 'hang-up-after-taking') {
			incoming.socket.destroy();
		} else {
			sendJson(response, 200, {ok: true, ...result});
		}
	};

	const open = () => sockets.filter(({readyState}) => readyState === 1);
	const sendFrame = (frame: unknown, socket = open().at(-1)) => {
		if (!socket) {
			throw new Error('No socket is open');
		}

		socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
	};

	const welcome = (socket: WebSocket) => {
		sockets.push(socket);
		if (open().length > maxConnections) {
			sendFrame({type: 'disconnect', reason: 'too_many_websockets'}, socket);
			socket.close();
			return;
		}

		socket.on('message', data => {
			const {envelope_id: id} = JSON.parse((data as Buffer).toString()) as {readonly envelope_id: string};
			acknowledged.push(id);
		});
		if (helloOf === 'sent') {
			const connections = open().length + otherConnections;
			sendFrame({type: 'hello', num_connections: connections, connection_info: {app_id: appId}}, socket);
		}
	};

	const server = createServer((incoming, response) => {
		handle(incoming, response).catch((error: unknown) =>
			sendJson(response, 200, {ok: false, error: error instanceof SlackRefusal ? error.message : String(error)}),
		);
	});
	server.on('upgrade', (request, socket, head) => {
		const ticket = new URL(request.url ?? '', 'http://localhost').searchParams.get('ticket') ?? '';
		if (tickets.delete(ticket)) {
			webSockets.handleUpgrade(request, socket, head, welcome);
		} else {
			socket.end('HTTP/1.1 408 Request Timeout\r\n\r\n');
		}
	});
	const baseUrl = await listen(server);
	onTestFinished(() => sockets.forEach(socket => socket.terminate()));

	const sendEnvelope = (type: string, payload: unknown, {envelope}: EnvelopeOptions): string => {
		const id = `envelope-${++count}`;
		sendFrame({envelope_id: id, type, accepts_response_payload: false, payload, ...envelope});
		return typeof envelope?.['envelope_id'] === 'string' ? envelope['envelope_id'] : id;
	};

	const sendMessage = (event: Readonly<Record<string, unknown>>, options: EnvelopeOptions): string => {
		const ts = nextTs();
		const common = {type: 'message', ts, event_ts: ts, team, client_msg_id: `client-${count}`, ...event};
		const payload = {
			type: 'event_callback',
			api_app_id: appId,
			team_id: team,
			event_id: `Ev${count}`,
			event: {...common, ...options.event},
		};
		return sendEnvelope('events_api', {...payload, ...options.payload}, options);
	};

	return {
		baseUrl,
		appToken: slackAppToken,
		botToken: slackBotToken,
		team,
		channel: 'C0HOME',
		messages: (): readonly SlackMessage[] => messages,
		ephemerals: (): ReadonlyArray<{readonly channel: string; readonly user: string; readonly text: string}> =>
			ephemerals,
		/** Presses the button with this label, and returns the id of the envelope. */
		press(ts: string, label: string, user = 'U0ADA', options: EnvelopeOptions = {}): string {
			const message = messages.find(one => one.ts === ts);
			const pressed = message?.buttons.flat().find(({text}) => text.text === label);
			if (!message || !pressed) {
				throw new Error(`Message ${ts} has no button "${label}"`);
			}

			const payload = {
				type: 'block_actions',
				api_app_id: appId,
				team: {id: team, domain: 'team'},
				user: {id: user, team_id: team, username: 'ada', name: 'ada'},
				channel: {id: message.channel, name: 'home'},
				container: {type: 'message', message_ts: ts, channel_id: message.channel, is_ephemeral: false},
				actions: [{...pressed, block_id: 'b', action_ts: nextTs()}],
				response_url: 'https://hooks.slack.com/actions/x',
				trigger_id: `trigger-${count}`,
			};
			return sendEnvelope('interactive', {...payload, ...options.payload}, options);
		},
		/** Replies in the thread of a message. */
		reply(ts: string, text: string, user = 'U0ADA', options: EnvelopeOptions = {}): string {
			const channel = messages.find(one => one.ts === ts)?.channel ?? 'C0HOME';
			return sendMessage({channel, channel_type: 'channel', user, text, thread_ts: ts}, options);
		},
		/** Writes to the app in a private chat. */
		write(text: string, user = 'U0ADA', options: EnvelopeOptions = {}): string {
			return sendMessage({channel: `D${user.slice(1)}`, channel_type: 'im', user, text}, options);
		},
		/** Sends a frame as it is, over the newest socket. */
		sendFrame: (frame: unknown) => sendFrame(frame),
		/** The ids of acknowledged envelopes. */
		acknowledged: (): readonly string[] => acknowledged,
		requests: (): readonly string[] => requests,
		/** The number of open sockets. */
		connections: () => open().length,
		/** Asks for a new socket, or says why the newest one is closed. */
		disconnect: (reason: string) => sendFrame({type: 'disconnect', reason, debug_info: {host: 'wss-1'}}),
		/** Ends the newest socket without a close frame. */
		cut: () => open().at(-1)?.terminate(),
		/** Closes the oldest socket, as Slack does after a refresh. */
		closeOldest: () => open()[0]?.close(),
		/** The newest socket stays open and reads nothing, so that it answers no ping. */
		silence: () => open().at(-1)?.pause(),
		ping: () => open().at(-1)?.ping(),
		withholdHello(isWithheld: boolean) {
			helloOf = isWithheld ? 'withheld' : 'sent';
		},
		/** Connections of other programs with the same app, as hello counts them. */
		setOtherConnections(others: number) {
			otherConnections = others;
		},
		plan: (method: string, ...next: readonly SlackTrouble[]) =>
			void troubles.set(method, [...(troubles.get(method) ?? []), ...next]),
		revokeToken: (token: string) => void validTokens.delete(token),
		removeChannel: (channel: string) => void channels.delete(channel),
		removeMessage(ts: string) {
			messages.splice(
				messages.findIndex(message => message.ts === ts),
				1,
			);
		},
	};
}

export type SlackServer = Awaited<ReturnType<typeof openSlackServer>>;

/** An error inside a 200. */
class SlackRefusal extends Error {}

function parsed<Value>(
	schema: {readonly safeParse: (body: unknown) => {readonly success: boolean; readonly data?: Value}},
	body: unknown,
): Value {
	const read = schema.safeParse(body);
	if (!read.success || read.data === undefined) {
		throw new SlackRefusal('invalid_arguments');
	}

	return read.data;
}
