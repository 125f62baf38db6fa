import {ProtocolError, SdkError, SdkErrorCode, SdkHttpError} from '@modelcontextprotocol/client';
import * as z from 'zod';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {parseJson} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';

/** One way to open a session: the legacy handshake, or the probe of the stateless era. */
export type HandshakeStep = 'initialize' | 'discover';

/**
The conclusion from a failed step about the era:
the server speaks only the stateless era, it did not identify itself as stateless, or nothing (timeouts, network, credentials).
*/
export type EraEvidence = 'modern-only' | 'not-modern' | 'none';

export type Protocol = ServerConfig['protocol'];

/** The first step of a connection (docs/connections.md, Transports). */
export function firstStep(protocol: Protocol): HandshakeStep {
	switch (protocol) {
		case 'auto':
		case 'legacy':
			return 'initialize';
		case 'stateless':
			return 'discover';
	}
}

/** The step after a failed one; undefined when there is none. Each protocol has at most one second step. */
export function nextStep(protocol: Protocol, failed: HandshakeStep, evidence: EraEvidence): HandshakeStep | undefined {
	switch (protocol) {
		case 'auto':
			return failed === 'initialize' && evidence === 'modern-only' ? 'discover' : undefined;
		case 'stateless':
			return failed === 'discover' && evidence === 'not-modern' ? 'initialize' : undefined;
		case 'legacy':
			return undefined;
	}
}

/** The first revision of the stateless era. */
export const statelessRevision = '2026-07-28';

const unsupportedVersionCode = -32_022;
const methodNotFoundCode = -32_601;

const rpcErrorSchema = z.object({
	code: z.number(),
	data: z
		.object({supported: z.array(z.string())})
		.partial()
		.optional()
		.catch(undefined),
});
const rpcErrorBodySchema = z.object({error: rpcErrorSchema});

/** Classifies the error of a failed handshake step by the era it shows. Pure. */
export function eraEvidence(step: HandshakeStep, error: unknown, transport: 'stdio' | 'http' | 'sse'): EraEvidence {
	switch (step) {
		case 'initialize':
			return isModernOnlyRejection(error) ? 'modern-only' : 'none';
		case 'discover':
			return lacksModernEra(error, transport) ? 'not-modern' : 'none';
	}
}

/** The server refuses `initialize` and names a newer revision, or does not know the method, which every legacy server does. */
function isModernOnlyRejection(error: unknown): boolean {
	const rejection = rpcErrorOf(error);
	if (!rejection) {
		return false;
	}

	const supported = rejection.data?.supported;
	return supported === undefined
		? rejection.code === unsupportedVersionCode || rejection.code === methodNotFoundCode
		: supported.length > 0 && supported.every(revision => revision >= statelessRevision);
}

/** A legacy server answers the probe with an error, not at all, or by exiting (the last two only over stdio). */
function lacksModernEra(error: unknown, transport: 'stdio' | 'http' | 'sse'): boolean {
	if (error instanceof Problem) {
		return transport === 'stdio' && (error.code === 'connect_timeout' || error.code === 'server_exited');
	}

	if (error instanceof SdkHttpError) {
		return error.status >= 400 && error.status < 500 && error.status !== 401 && error.status !== 403;
	}

	// The SDK sets a cause when the probe failed without showing the era.
	return error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed && error.cause === undefined;
}

/** The JSON-RPC error inside an error of the SDK: a JSON-RPC response, or the body of an HTTP error. */
function rpcErrorOf(error: unknown): z.infer<typeof rpcErrorSchema> | undefined {
	if (error instanceof ProtocolError) {
		return rpcErrorSchema.safeParse({code: error.code, data: error.data}).data;
	}

	if (error instanceof SdkHttpError && error.status === 400) {
		const {text} = error.data;
		return rpcErrorBodySchema.safeParse(parseJson(typeof text === 'string' ? text : '')).data?.error;
	}

	return undefined;
}
