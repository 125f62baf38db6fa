import {Agent, fetch as undiciFetch} from 'undici';
import {errorText, Problem} from '../util/problem.ts';
import {checkAddress, guardLookup, type Lookup, type Reach} from './address-guard.ts';
import {failureCodeOf, failureKind} from './network-failure.ts';
import {readTlsOptions} from './tls-options.ts';

/** One HTTP request to an address of the configuration. */
export type OutgoingRequest = {
	readonly url: URL;
	readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
	/** The body of the response is cut after so many bytes. Default: 256 KB. */
	readonly answerLimitBytes?: number;
	readonly signal: AbortSignal;
};

/** The response; its body is cut at the limit of the request. `never-sent`: the request is invalid; `unreachable`: there was no connection for it; `lost`: it may have been processed. */
export type OutgoingResponse =
	| {readonly kind: 'answer'; readonly status: number; readonly headers: Headers; readonly body: string}
	| {readonly kind: 'never-sent' | 'unreachable' | 'lost'; readonly detail: string};

/** Sends requests over shared connections. It follows no redirect and never rejects. */
export type Outgoing = {
	readonly request: (request: OutgoingRequest) => Promise<OutgoingResponse>;
	readonly close: () => Promise<void>;
};

const usualAnswerBytes = 262_144;
const connectMilliseconds = 10_000;

/** Opens the connections for one profile's deliveries. `reach`: for addresses that others named; without it all are reached. */
export async function openOutgoing({
	reach,
	lookup,
}: {
	readonly reach?: Reach;
	readonly lookup?: Lookup;
} = {}): Promise<Outgoing> {
	const tls = await readTlsOptions({verification: {kind: 'system'}}, '');
	const guard = reach && {lookup: guardLookup(reach, lookup)};
	const agent = new Agent({connect: {...tls, ...guard, timeout: connectMilliseconds}, allowH2: false});
	return {
		async request({url, signal, answerLimitBytes = usualAnswerBytes, ...request}) {
			if (signal.aborted) {
				return {kind: 'never-sent', detail: errorText(signal.reason)};
			}

			try {
				if (reach) {
					checkAddress(url, reach);
				}

				const init = {...request, signal, redirect: 'manual', dispatcher: agent} as const;
				const answer = await undiciFetch(url, init);
				const bytes = await readBounded(answer.body, answerLimitBytes);
				const body = new TextDecoder().decode(bytes);
				return {kind: 'answer', status: answer.status, headers: new Headers([...answer.headers]), body};
			} catch (error) {
				const refusal = refusalIn(error);
				return refusal
					? {kind: 'never-sent', detail: refusal.message}
					: {kind: failureKind(error), detail: failureText(error)};
			}
		},
		close: () => agent.destroy(),
	};
}

/** The start of the body; the rest is not awaited. */
async function readBounded(body: AsyncIterable<Uint8Array> | null, limitBytes: number): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body ?? []) {
		chunks.push(chunk);
		bytes += chunk.length;
		if (bytes >= limitBytes) {
			break;
		}
	}

	return Buffer.concat(chunks).subarray(0, limitBytes);
}

/** Only the code if there is one: platform messages may quote an address or a header, which may contain a secret. */
function failureText(error: unknown): string {
	const code = failureCodeOf(error);
	return code === undefined ? 'the request failed' : `the request failed (${code})`;
}

/** The refusal of an address among the causes of an error. */
function refusalIn(error: unknown, depth = 0): Problem | undefined {
	if (error instanceof Problem || !(error instanceof Error) || depth > 4) {
		return error instanceof Problem ? error : undefined;
	}

	return refusalIn(error instanceof AggregateError ? error.errors[0] : error.cause, depth + 1);
}
