import {openWebSocket, type WebSocketConnection} from '../net/web-socket.ts';
import {parseJson} from '../util/json-text.ts';
import {type ChannelTools} from './platform-call.ts';
import {readFrame, type SlackFrame} from './slack-envelope.ts';

type Hello = Extract<SlackFrame, {kind: 'hello'}>;
type Envelope = Extract<SlackFrame, {kind: 'envelope'}>;

/** The end of the use of a socket. `refresh`: Slack will close it soon, and a new one should be open before that. */
export type SocketEnd =
	| {readonly kind: 'refresh'}
	| {readonly kind: 'lost'}
	/** A reason of Slack's own. */
	| {readonly kind: 'closed'; readonly reason: string};

/** A socket of Socket Mode after its hello. */
export type SlackSocket = {
	readonly hello: Hello;
	/** Resolves when another socket is needed; never rejects. */
	readonly ended: Promise<SocketEnd>;
	/** Resolves when the socket is closed; after a refresh it still brings envelopes until then. */
	readonly closed: Promise<void>;
	readonly close: () => void;
};

/** Calls of a socket. `onEnvelope` returns whether the envelope is acknowledged, which has to be within 3 seconds. */
export type SocketListener = {
	readonly onAlive: () => void;
	readonly onEnvelope: (envelope: Envelope, hello: Hello) => 'acknowledge' | 'leave';
};

const helloMilliseconds = 10_000;
const pingMilliseconds = 10_000;
/** A socket that stays silent for longer is given up. */
const silenceMilliseconds = 30_000;
const limitBytes = 1_048_576;

/**
Opens one socket of Socket Mode (docs.slack.dev/apis/events-api/using-socket-mode). Resolves after the hello, or with undefined when there is none in
time. The address has a ticket in it and is used once.
*/
export function openSlackSocket(
	url: URL,
	{clock}: Pick<ChannelTools, 'clock'>,
	{onAlive, onEnvelope}: SocketListener,
	signal: AbortSignal,
): Promise<SlackSocket | undefined> {
	const started = Promise.withResolvers<SlackSocket | undefined>();
	const ended = Promise.withResolvers<SocketEnd>();
	const closed = Promise.withResolvers<void>();
	let hello: Hello | undefined;
	let connection: WebSocketConnection | undefined;
	let heardAt = clock.elapsed();
	let isClosed = false;
	const close = () => {
		isClosed = true;
		connection?.close();
	};

	const onFrame = (frame: SlackFrame) => {
		if (frame.kind === 'hello' && !hello) {
			hello = frame;
			onAlive();
			started.resolve({hello, ended: ended.promise, closed: closed.promise, close});
		} else if (frame.kind === 'disconnect') {
			const isRefresh = frame.reason === 'warning' || frame.reason === 'refresh_requested';
			ended.resolve(isRefresh ? {kind: 'refresh'} : {kind: 'closed', reason: frame.reason});
		} else if (frame.kind === 'envelope' && hello && onEnvelope(frame, hello) === 'acknowledge') {
			connection?.send(JSON.stringify({envelope_id: frame.id}));
		}
	};

	// A tick ends a socket without a hello, and then keeps the others alive.
	let timer = clock.after(helloMilliseconds, function tick() {
		if (!hello || clock.elapsed() - heardAt > silenceMilliseconds) {
			close();
			return;
		}

		connection?.ping();
		timer = clock.after(pingMilliseconds, tick);
	});
	const onClose = () => {
		timer.cancel();
		signal.removeEventListener('abort', close);
		started.resolve(undefined);
		ended.resolve({kind: 'lost'});
		closed.resolve();
	};

	signal.addEventListener('abort', close, {once: true});
	const heard = () => {
		heardAt = clock.elapsed();
	};
	const listener = {
		limitBytes,
		onClose,
		onPing: heard,
		onPong() {
			heard();
			onAlive();
		},
		onText(text: string) {
			heard();
			onFrame(readFrame(parseJson(text)));
		},
	};
	const connect = async () => {
		connection = await openWebSocket(url, listener);
		if (isClosed || signal.aborted) {
			close();
		}
	};
	connect().catch(onClose);
	return started.promise;
}
