import {type Client} from '@modelcontextprotocol/client';
import {callFailure} from '../calls/call-failure.ts';
import {type Era} from './connection-state.ts';
import {noSdkTimeout} from '../protocol/handshake.ts';
import {type PingOutcome} from './keepalive.ts';
import {sessionExpired} from '../calls/session-expiry.ts';
import {type Problem} from '../../util/problem.ts';

/** Asks a server whether the session lives: `ping`, or `server/discover` in the stateless era, which has no ping. Rejects when the signal aborts. */
export async function pingServer(
	client: Client,
	options: {readonly era: Era; readonly sessionId: string | undefined; readonly signal: AbortSignal},
): Promise<PingOutcome> {
	const {era, sessionId, signal} = options;
	const sdkOptions = {signal, timeout: noSdkTimeout};
	try {
		await (era === 'stateless' ? client.discover(sdkOptions) : client.ping(sdkOptions));
		return {kind: 'alive'};
	} catch (error) {
		signal.throwIfAborted();
		const failure = callFailure(error, sessionId);
		switch (failure.kind) {
			case 'refused':
			case 'unreadable':
				// It answered, if only that it knows no ping.
				return {kind: 'unknown'};
			case 'expired':
				return {kind: 'dead', problem: sessionExpired()};
			case 'lost':
			case 'never-sent':
				return {kind: 'dead', problem: failure.problem};
		}
	}
}

/** Why a session is dead, when the error of a request says that its server does not know it any more. */
export function deathOf(error: unknown, sessionId: string | undefined): Problem | undefined {
	return callFailure(error, sessionId).kind === 'expired' ? sessionExpired() : undefined;
}
