import {type Client} from '@modelcontextprotocol/client';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type Clock} from '../../util/clock.ts';
import {createInFlight} from '../../util/in-flight.ts';
import {type Problem} from '../../util/problem.ts';
import {callFailure, sessionExpired} from '../calls/call-failure.ts';
import {type Handshake, noSdkTimeout} from '../protocol/handshake.ts';
import {type Era} from './connection-state.ts';
import {type PingOutcome, startKeepalive} from './keepalive.ts';
import {type RecycleReason, startRecycling} from './recycling.ts';

export type SessionHealthOptions = {
	readonly config: ServerConfig;
	readonly clock: Clock;
	/** The process has reached the idle or age limit of its entry; it is not in use. */
	readonly onDue: (reason: RecycleReason) => void;
	/** A ping was answered. */
	readonly onHealthy: () => void;
	readonly onDead: (problem: Problem) => void;
};

/** Watches a session: pings it while it is not in use, and reports when it is idle or old enough to recycle. */
export type SessionHealth = {
	/** Resolves when nothing is running on the session; at once when it is idle. */
	readonly whenIdle: () => Promise<void>;
	/** Runs other work than a call; a response that says that the session has expired ends the session. Rejects as the work does. */
	readonly run: Run;
	/** Runs a call. Other work does not count as use. */
	readonly runCall: Run;
	readonly stop: () => void;
};

type Run = <Value>(work: () => Promise<Value>) => Promise<Value>;

/** Starts to watch a session, until `stop`. */
export function watchSessionHealth(
	session: Pick<Handshake, 'client' | 'era'> & {readonly sessionId: () => string | undefined},
	options: SessionHealthOptions,
): SessionHealth {
	const {clock, onDue, onDead} = options;
	const {keepaliveSeconds: seconds, idleSeconds, lifetimeSeconds} = options.config;
	const inFlight = createInFlight();
	const busy = () => inFlight.count() > 0;
	const recycling = startRecycling({clock, idleSeconds, lifetimeSeconds, busy, onDue});
	const ping = (signal: AbortSignal) =>
		pingServer(session.client, {era: session.era, sessionId: session.sessionId(), signal});
	const keepalive = seconds === undefined ? undefined : startKeepalive({...options, seconds, busy, ping});
	const use: Run = async work => {
		try {
			return await inFlight.track(work());
		} finally {
			if (!busy()) {
				recycling.idle();
			}
		}
	};

	return {
		whenIdle: inFlight.whenEmpty,
		async run(work) {
			const sessionId = session.sessionId();
			try {
				return await use(work);
			} catch (error) {
				const death = deathOf(error, sessionId);
				if (death) {
					onDead(death);
				}

				throw error;
			}
		},
		async runCall(work) {
			try {
				return await use(work);
			} finally {
				recycling.used();
			}
		},
		stop() {
			keepalive?.stop();
			recycling.stop();
		},
	};
}

/** Tests whether the session is alive: `ping`, or `server/discover` in the stateless era, which has no ping. Rejects when the signal aborts. */
async function pingServer(
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
				// It responded, if only that it does not support ping.
				return {kind: 'unknown'};
			case 'expired':
				return {kind: 'dead', problem: sessionExpired()};
			case 'lost':
			case 'never-sent':
				return {kind: 'dead', problem: failure.problem};
		}
	}
}

/** The reason for a dead session, when the error of a request says that its server no longer knows it. */
function deathOf(error: unknown, sessionId: string | undefined): Problem | undefined {
	return callFailure(error, sessionId).kind === 'expired' ? sessionExpired() : undefined;
}
