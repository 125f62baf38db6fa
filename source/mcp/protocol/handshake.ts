import {type Client} from '@modelcontextprotocol/client';
import {type TransportConfig} from '../../config/servers/server-transport.ts';
import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {createServerRequestClient, type ServerRequestHandlers} from '../server-requests/server-request-handlers.ts';
import {type Era} from '../session/connection-state.ts';
import {eraEvidence, firstStep, type HandshakeStep, nextStep, type Protocol, statelessRevision} from './negotiate.ts';
import {type OpenedTransport} from '../transport/opened-transport.ts';

/** Disables the SDK's own timers: our clock measures every limit. */
export const noSdkTimeout = 2_147_483_647;

/** A client after its handshake. */
export type Handshake = {
	readonly client: Client;
	readonly opened: OpenedTransport;
	readonly era: Era;
	/** Duration of the step that succeeded. */
	/** The negotiated revision of MCP, a date. */
	readonly protocolVersion: string;
	readonly latencyMs: number;
};

export type HandshakeOptions = {
	readonly clock: Clock;
	readonly version: string;
	readonly protocol: Protocol;
	readonly transport: TransportConfig['kind'];
	readonly handlers: ServerRequestHandlers;
	readonly timeoutSeconds: number;
	/** Opens a fresh transport; each step needs one. */
	readonly open: () => Promise<OpenedTransport>;
	/** Runs first, within the same time limit; its error ends the attempt. */
	readonly preflight: (signal: AbortSignal) => Promise<void>;
	readonly signal: AbortSignal;
};

const closeMilliseconds = 6000;

/** Opens a session with the entry's `protocol`. Rejects with the error of the last step; nothing stays open then. */
export async function shakeHands(options: HandshakeOptions): Promise<Handshake> {
	const {clock, protocol, timeoutSeconds} = options;
	const deadline = openDeadline(clock, timeoutSeconds * 1000, {
		signal: options.signal,
		reason: () => new Problem('connect_timeout', {message: `The server did not answer within ${timeoutSeconds} s`}),
	});
	try {
		await options.preflight(deadline.signal);
		for (let step = firstStep(protocol); ; ) {
			try {
				return await takeStep(step, options, deadline.signal);
			} catch (error) {
				const evidence = eraEvidence(step, error, options.transport);
				const next = deadline.signal.aborted ? undefined : nextStep(protocol, step, evidence);
				if (!next) {
					throw error;
				}

				step = next;
			}
		}
	} finally {
		deadline.cancel();
	}
}

async function takeStep(step: HandshakeStep, options: HandshakeOptions, signal: AbortSignal): Promise<Handshake> {
	const {clock, version, handlers} = options;
	// A legacy server may not answer the probe at all; leave time for the second step.
	const seconds = step === 'discover' ? options.timeoutSeconds / 2 : options.timeoutSeconds;
	const limit = openDeadline(clock, seconds * 1000, {
		signal,
		reason: () => new Problem('connect_timeout', {message: `The server did not answer within ${seconds} s`}),
	});
	let opened: OpenedTransport | undefined;
	try {
		opened = await untilAborted(options.open(), limit.signal);
		const client = createServerRequestClient(version, handlers, {
			versionNegotiation: {mode: step === 'discover' ? {pin: statelessRevision} : 'legacy'},
		});
		const started = clock.elapsed();
		await untilAborted(client.connect(opened.transport, {timeout: noSdkTimeout}), limit.signal);
		const era = step === 'discover' ? 'stateless' : 'legacy';
		const protocolVersion = client.getNegotiatedProtocolVersion() ?? '';
		return {client, opened, era, protocolVersion, latencyMs: Math.round(clock.elapsed() - started)};
	} catch (error) {
		const ended = opened?.ended();
		await closeTransport(clock, opened);
		throw ended && !limit.signal.aborted ? ended : error;
	} finally {
		limit.cancel();
	}
}

/** Closes a transport within bounded time. Never rejects. */
export async function closeTransport(clock: Clock, opened: OpenedTransport | undefined): Promise<void> {
	const limit = openDeadline(clock, closeMilliseconds, {reason: () => new Error('closing took too long')});
	const goodbye = openDeadline(clock, closeMilliseconds / 4, {reason: () => new Error('no goodbye')});
	await untilAborted(opened?.close(goodbye.signal) ?? Promise.resolve(), limit.signal).catch(() => {});
	limit.cancel();
	goodbye.cancel();
}
