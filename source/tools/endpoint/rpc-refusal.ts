/** The protocol's error code for refusals by the transport. */
const refusedCode = -32_000;

/** The body of a refusal before a message was read. */
export function rpcRefusalText(message: string, code = refusedCode): string {
	return JSON.stringify({jsonrpc: '2.0', error: {code, message}, id: null});
}

/** A refusal as a response. */
export function rpcRefusal(status: number, message: string): Response {
	return new Response(rpcRefusalText(message), {status, headers: {'content-type': 'application/json'}});
}
