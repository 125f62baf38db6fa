import {endpointLimits} from './limits.ts';

/** A refusal of a request before its message is read. */
export type Refusal = {readonly status: number; readonly message: string};

/** As the SDK refuses a message beyond the limit. */
export const tooLarge: Refusal = {
	status: 413,
	message: `Payload Too Large: Request body must not exceed ${endpointLimits.bodyBytes} bytes`,
};

/** The error code for refusals that the protocol has no code of its own for. */
export const refusedCode = -32_000;

/** The body of a refusal before a message was read. */
export function rpcRefusalText(message: string, code = refusedCode): string {
	return JSON.stringify({jsonrpc: '2.0', error: {code, message}, id: null});
}

/** A refusal as a response. */
export function rpcRefusal(status: number, message: string): Response {
	return new Response(rpcRefusalText(message), {status, headers: {'content-type': 'application/json'}});
}
