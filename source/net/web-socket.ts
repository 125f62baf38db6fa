import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import {type Socket} from 'node:net';
import {Agent, buildConnector, ping, WebSocket} from 'undici';
import {isJsonObject} from '../util/json-text.ts';
import {readTlsOptions} from './tls-options.ts';

/** Calls of a WebSocket (RFC 6455). After `onClose` there are no more. */
export type WebSocketListener = {
	readonly onText: (text: string) => void;
	/** The peer answered a ping. */
	readonly onPong: () => void;
	/** The peer sent a ping, which has been answered. */
	readonly onPing: () => void;
	/** It could not be opened, or has ended. */
	readonly onClose: () => void;
};

/** A WebSocket that is opening or open. Its calls do nothing once it has ended. */
export type WebSocketConnection = {
	readonly send: (text: string) => void;
	readonly ping: () => void;
	/** Sends a close frame and ends the connection without waiting for the peer, which may be silent. Idempotent. */
	readonly close: () => void;
};

const connectMilliseconds = 10_000;

/**
Opens a WebSocket to an address of the configuration or of a platform. It follows no redirect. A message of more than `limitBytes`, one that is not
text, and a frame that is not valid end it.
*/
export async function openWebSocket(
	url: URL,
	{limitBytes, ...listener}: WebSocketListener & {readonly limitBytes: number},
): Promise<WebSocketConnection> {
	const connector = buildConnector({
		...(await readTlsOptions({verification: {kind: 'system'}}, '')),
		timeout: connectMilliseconds,
		allowH2: false,
	});
	let socket: Socket | undefined;
	const agent = new Agent({
		connect: (options, callback) =>
			connector(options, (...result) => {
				socket = result[1] ?? undefined;
				callback(...result);
			}),
		allowH2: false,
		webSocket: {maxPayloadSize: limitBytes},
	});
	const webSocket = new WebSocket(url.href, {dispatcher: agent});

	// Undici reports pings and pongs of all its sockets there, and nowhere else.
	const onlyOwn = (report: () => void) => (event: unknown) => {
		if (isJsonObject(event) && Object.is(event['websocket'], webSocket)) {
			report();
		}
	};
	const onPing = onlyOwn(listener.onPing);
	const onPong = onlyOwn(listener.onPong);
	subscribe('undici:websocket:ping', onPing);
	subscribe('undici:websocket:pong', onPong);

	let isOpen = true;
	const end = () => {
		if (isOpen) {
			isOpen = false;
			unsubscribe('undici:websocket:ping', onPing);
			unsubscribe('undici:websocket:pong', onPong);
			webSocket.close();
			socket?.destroySoon();
			void agent.destroy();
			listener.onClose();
		}
	};
	webSocket.addEventListener('message', ({data}: {readonly data: unknown}) => {
		if (isOpen && typeof data === 'string') {
			listener.onText(data);
		} else {
			end();
		}
	});
	webSocket.addEventListener('error', end);
	webSocket.addEventListener('close', end);
	return {
		send(text) {
			if (isOpen && webSocket.readyState === WebSocket.OPEN) {
				webSocket.send(text);
			}
		},
		ping: () => ping(webSocket),
		close: end,
	};
}
