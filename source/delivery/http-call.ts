import {type Outgoing} from '../net/outgoing.ts';
import {type JsonValue, parseJson} from '../util/json-text.ts';
import {errorText} from '../util/problem.ts';
import {type SendOutcome} from './send-outcome.ts';

/** One request to a platform. */
export type CallRequest = {
	readonly url: URL;
	/** Default: POST. */
	readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
	readonly headers?: Readonly<Record<string, string>>;
	readonly json?: JsonValue;
	readonly form?: Readonly<Record<string, string>>;
	/** Headers that are made from the body as it is sent. */
	readonly sign?: (body: string) => Readonly<Record<string, string>>;
};

/** The response of a platform; `json` is undefined when it is not JSON. */
export type Reply = {
	readonly kind: 'reply';
	readonly status: number;
	readonly headers: Headers;
	readonly json: JsonValue | undefined;
};

/** Makes one request and returns the reply, or why there is none. Never rejects. */
export type Call = (
	request: CallRequest,
) => Promise<Reply | Extract<SendOutcome, {kind: 'refused' | 'unavailable' | 'unknown'}>>;

/** Calls over the connections of a profile; a call ends when the signal aborts. */
export function createCall(openOutgoing: () => Promise<Outgoing>, signal: AbortSignal): Call {
	return async ({url, method = 'POST', headers = {}, json, form, sign}) => {
		const body = form ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json);
		const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
		const answer = await sendBy(openOutgoing, {
			url,
			method,
			headers: {
				'User-Agent': 'sluice',
				...(body === undefined ? {} : {'Content-Type': type}),
				...headers,
				...sign?.(body ?? ''),
			},
			body,
			signal,
		});
		switch (answer.kind) {
			case 'answer':
				return {kind: 'reply', status: answer.status, headers: answer.headers, json: parseJson(answer.body)};
			case 'never-sent':
				return {kind: 'refused', detail: answer.detail, cause: 'settings'};
			case 'unreachable':
				return {kind: 'unavailable', detail: answer.detail};
			case 'lost':
				return {kind: 'unknown', detail: signal.aborted ? errorText(signal.reason) : answer.detail};
		}
	};
}

/** When the connections cannot be opened, nothing was sent. */
async function sendBy(
	openOutgoing: () => Promise<Outgoing>,
	request: Parameters<Outgoing['request']>[0],
): ReturnType<Outgoing['request']> {
	try {
		const outgoing = await openOutgoing();
		return await outgoing.request(request);
	} catch (error) {
		return {kind: 'unreachable', detail: errorText(error)};
	}
}
