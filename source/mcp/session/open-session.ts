import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type TransportConfig} from '../../config/servers/server-transport.ts';
import {type Clock} from '../../util/clock.ts';
import {suggestsSse} from './connect-failure.ts';
import {type Handshake, type HandshakeOptions, shakeHands} from '../protocol/handshake.ts';
import {probeAddress} from '../transport/preflight.ts';
import {createSession, type Session, type SessionOptions, type TransportKind} from './session.ts';
import {openTransport} from '../transport/transport.ts';
import {type TransportOptions} from '../transport/opened-transport.ts';

export type OpenSessionOptions = {
	readonly config: ServerConfig;
	readonly version: string;
	readonly clock: Clock;
	readonly transportOptions: TransportOptions;
	readonly handlers: HandshakeOptions['handlers'];
	/** The transport that worked before; undefined: the server was never connected. */
	readonly remembered: TransportKind | undefined;
} & Pick<SessionOptions, 'onHealthy' | 'onDue' | 'onDisconnect' | 'onToolsChanged'>;

/** Opens a session. Rejects with Problem or an error of the SDK; see `connectFailure`. */
export async function openSession(options: OpenSessionOptions, signal: AbortSignal): Promise<Session> {
	const {config, remembered} = options;
	const open = async (transport: TransportKind) =>
		createSession(await shakeHandsOver(transport, options, signal), {...options, transport});

	const kind = remembered ?? config.transport.kind;
	try {
		return await open(kind);
	} catch (error) {
		// Only before the first success may the server be an older one that speaks SSE.
		if (remembered !== undefined || kind !== 'http' || !suggestsSse(error) || signal.aborted) {
			throw error;
		}

		return await open('sse').catch(() => {
			// The configured transport is the one a person knows about.
			throw error;
		});
	}
}

function shakeHandsOver(kind: TransportKind, options: OpenSessionOptions, signal: AbortSignal): Promise<Handshake> {
	const {config, version, clock, transportOptions, handlers} = options;
	const transport = kind === 'sse' && config.transport.kind === 'http' ? {...config.transport, kind} : config.transport;
	return shakeHands({
		clock,
		version,
		handlers,
		protocol: config.protocol,
		transport: kind,
		timeoutSeconds: config.connectTimeoutSeconds,
		open: () => openTransport(transport, transportOptions),
		preflight: signal => probe(transport, options, signal),
		signal,
	});
}

/** An address that was connected before has proven what it is. */
async function probe(transport: TransportConfig, options: OpenSessionOptions, signal: AbortSignal): Promise<void> {
	const {config, clock, transportOptions, remembered} = options;
	if (transport.kind !== 'http' || transport.preflight === 'skip' || remembered !== undefined) {
		return;
	}

	await probeAddress(transport, {clock, transportOptions, timeoutSeconds: config.connectTimeoutSeconds, signal});
}
