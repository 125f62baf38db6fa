import {type ServerConfig} from '../../config/servers/server-entry.ts';

/** One way to open a session: the legacy handshake, or the probe of the stateless era. */
export type HandshakeStep = 'initialize' | 'discover';

/**
What a failed step tells about the era:
the server speaks the stateless era only, it gave no sign of the stateless era, or nothing (time-outs, network, credentials).
*/
export type EraEvidence = 'modern-only' | 'not-modern' | 'none';

export type Protocol = ServerConfig['protocol'];

/** The step a connection begins with (docs/tool-servers.md, Transports). */
export function firstStep(protocol: Protocol): HandshakeStep {
	switch (protocol) {
		case 'auto':
		case 'legacy':
			return 'initialize';
		case 'stateless':
			return 'discover';
	}
}

/** The step after a failed one; undefined when the failure stands. Each protocol has at most one second step. */
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
