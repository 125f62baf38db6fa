import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type TransportOptions} from './opened-transport.ts';
import {createRemoteFetch, type RemoteConfig, type RemoteFetch} from './remote-fetch.ts';

const limitMilliseconds = 5000;
const headUnsupported = new Set([405, 501]);
const mcpTypes = new Set(['application/json', 'text/event-stream']);

type PreflightOptions = {readonly clock: Clock; readonly timeoutSeconds: number; readonly signal: AbortSignal};

/** Probes the address of an entry with its own headers and certificates. Rejects as `preflight`, and with config_invalid, file_missing. */
export async function probeAddress(
	config: RemoteConfig,
	options: PreflightOptions & {readonly transportOptions: TransportOptions},
): Promise<void> {
	const remote = await createRemoteFetch(config, options.transportOptions);
	try {
		await preflight(remote, options);
	} finally {
		await remote.close();
	}
}

/**
Requests the content type of an address before the handshake: HEAD, or GET where HEAD is not supported (docs/connections.md, States).
Rejects with Problem `not_an_mcp_server` for a successful response of another type; any other result is left to the handshake.
*/
export async function preflight(remote: Pick<RemoteFetch, 'url' | 'fetch'>, options: PreflightOptions): Promise<void> {
	// Leave time for the handshake.
	const limit = openDeadline(options.clock, Math.min(limitMilliseconds, options.timeoutSeconds * 500), {
		signal: options.signal,
		reason: () => new Error('the probe timed out'),
	});
	const answer = await untilAborted(ask(remote, limit.signal), limit.signal).catch(() => undefined);
	limit.cancel();
	const type = answer && unexpectedType(answer);
	if (type !== undefined) {
		const shown = safeText(type, {maximumCharacters: 100});
		throw new Problem('not_an_mcp_server', {
			message: `The server does not speak MCP: its content type is ${shown}. If it does speak MCP, set \`skip_preflight: true\``,
		});
	}
}

type ProbeResponse = {readonly status: number; readonly contentType: string | null};

/** The content type of a successful response that cannot be MCP; undefined when it may be. */
export function unexpectedType({status, contentType}: ProbeResponse): string | undefined {
	const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
	return status >= 200 && status < 300 && type !== '' && !mcpTypes.has(type) ? type : undefined;
}

async function ask(remote: Pick<RemoteFetch, 'url' | 'fetch'>, signal: AbortSignal): Promise<ProbeResponse> {
	const head = await askOnce(remote, 'HEAD', signal);
	return headUnsupported.has(head.status) ? askOnce(remote, 'GET', signal) : head;
}

async function askOnce(
	{url, fetch}: Pick<RemoteFetch, 'url' | 'fetch'>,
	method: 'HEAD' | 'GET',
	signal: AbortSignal,
): Promise<ProbeResponse> {
	const answer = await fetch(url, {method, headers: {accept: [...mcpTypes].join(', ')}, signal});
	// A GET may open an event stream that never ends.
	await answer.body?.cancel();
	return {status: answer.status, contentType: answer.headers.get('content-type')};
}
