import {
	isJSONRPCErrorResponse,
	isJSONRPCRequest,
	isJSONRPCResultResponse,
	type JSONRPCMessage,
	type RequestId,
	type StreamableHTTPClientTransport,
	type Transport,
} from '@modelcontextprotocol/client';

/** The `data` of the error that replaces the response of a broken stream. No server can send this very object. */
export const streamLost: Readonly<Record<string, never>> = Object.freeze({});

const streamLostCode = -32_000;

/**
Wraps a Streamable HTTP transport so that a request whose stream ends without its response fails at once:
the SDK would wait until the time limit.
*/
export function guardStreams(inner: StreamableHTTPClientTransport): Transport {
	const unanswered = new Set<RequestId>();
	const guarded: Transport = {
		hasPerRequestStream: true,
		get sessionId() {
			return inner.sessionId;
		},
		setProtocolVersion: version => inner.setProtocolVersion(version),
		start: () => inner.start(),
		close: () => inner.close(),
		async send(message, options) {
			if (!isJSONRPCRequest(message) || options?.onRequestStreamEnd) {
				return inner.send(message, options);
			}

			const {id} = message;
			unanswered.add(id);
			const onRequestStreamEnd = () => {
				if (unanswered.delete(id)) {
					const error = {code: streamLostCode, message: 'The response stream ended unexpectedly', data: streamLost};
					guarded.onmessage?.({jsonrpc: '2.0', id, error});
				}
			};

			try {
				await inner.send(message, {...options, onRequestStreamEnd});
			} catch (error) {
				unanswered.delete(id);
				throw error;
			}
		},
	};
	Object.assign(inner, {
		onclose: () => guarded.onclose?.(),
		onerror: (error: Error) => guarded.onerror?.(error),
		onmessage(message: JSONRPCMessage) {
			if ((isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) && message.id !== undefined) {
				unanswered.delete(message.id);
			}

			guarded.onmessage?.(message);
		},
	});
	return guarded;
}
