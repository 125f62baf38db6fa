import {type ServerResponse} from 'node:http';
import {
	type CallToolResult,
	type JSONRPCResponse,
	ProtocolError,
	ProtocolErrorCode,
	SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server';
import {serverIdentity} from './aggregate-server.ts';
import {answerCall} from './answer-call.ts';
import {type CallExchange, openCallExchange} from './call-exchange.ts';
import {type EndpointTools} from './endpoint-tools.ts';
import {type LegacySession} from './legacy-sessions.ts';
import {type PlainCall} from './plain-call.ts';

/** The way of plain calls. */
type CallServing = {
	/** Answers a call; in the older era with its session. */
	readonly serve: (call: PlainCall, response: ServerResponse, session: LegacySession | undefined) => Promise<void>;
	/** Cancels the running calls. */
	readonly close: () => void;
};

/** Creates it for the tools of one profile. `report` gets internal errors. */
export function createCallServing(tools: EndpointTools, report: (error: Error) => void): CallServing {
	const running = new Set<CallExchange>();
	const identity = serverIdentity(tools);

	const respond = async (
		call: PlainCall,
		exchange: CallExchange,
		client: string | undefined,
	): Promise<JSONRPCResponse> => {
		const {id} = call;
		try {
			const result = await answerCall(
				tools,
				{...call, client},
				{
					signal: exchange.signal,
					notifyProgress: params => exchange.notify({jsonrpc: '2.0', method: 'notifications/progress', params}),
				},
			);
			return {jsonrpc: '2.0', id, result: call.era === 'stateless' ? stateless(result) : result};
		} catch (caught) {
			return {jsonrpc: '2.0', id, error: rpcError(caught, report)};
		}
	};

	/** The members that each result of the stateless era carries. */
	const stateless = (result: CallToolResult) => ({
		...result,
		resultType: 'complete' as const,
		_meta: {[SERVER_INFO_META_KEY]: identity},
	});

	return {
		async serve(call, response, session) {
			const headers: Record<string, string> = session ? {'mcp-session-id': session.id} : {};
			const exchange = openCallExchange(response, {clock: tools.clock, headers});
			running.add(exchange);
			const leave = session?.enter(call.id, exchange.cancel);
			try {
				exchange.answer(await respond(call, exchange, session ? session.clientName() : call.client));
			} finally {
				leave?.();
				running.delete(exchange);
			}
		},
		close: () => running.forEach(exchange => exchange.cancel('The endpoint was closed')),
	};
}

function rpcError(caught: unknown, report: (error: Error) => void): {readonly code: number; readonly message: string} {
	if (caught instanceof ProtocolError) {
		return {code: caught.code, message: caught.message};
	}

	report(caught instanceof Error ? caught : new Error(String(caught)));
	return {code: ProtocolErrorCode.InternalError, message: 'Internal error'};
}
