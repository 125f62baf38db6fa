import {isJsonObject, type JsonObject, type JsonValue, ownMember, parseJson} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';

/**
The answer of a token, device or registration endpoint as RFC 6749 (5.1, 5.2), RFC 8628 (3.2) and RFC 7591 (3.2.1) write it, for libraries that take no other
(docs/logins.md, What servers send): JSON with status 200 or 4xx, without null members, numbers as numbers, texts as texts, under the names of the RFCs. Any other answer is returned as it is.
Rejects with `fetch_failed` when the server is busy or away.
*/
export async function tolerantResponse(answer: Response): Promise<Response> {
	const text = await answer.text();
	const body = readBody(text, answer.headers.get('content-type') ?? '');
	const error = body && ownMember(body, 'error');
	if (isPassing(answer.status) && !(typeof error === 'string' && pollErrors.has(error))) {
		throw new Problem('fetch_failed', {message: `The authorization server answered ${answer.status}`});
	}

	if (body === undefined) {
		// A revocation is answered without a body; 204 says that too (RFC 7009, 2.2).
		const status = answer.status === 204 ? 200 : answer.status;
		return new Response(text === '' ? null : text, {status, headers: answer.headers});
	}

	const isError = typeof error === 'string' && !Object.hasOwn(body, 'access_token');
	return Response.json(withTokenMembers(withNumbers(withNames(body))), {
		status: usualStatus(answer, isError ? 'error' : 'result'),
	});
}

/** Some servers answer an error with 200, a poll with 429 or tokens with 201. */
function usualStatus({ok, status}: Response, what: 'error' | 'result'): number {
	if (what === 'error') {
		return status >= 400 && status < 500 ? status : 400;
	}

	return ok ? 200 : status;
}

/** The metadata in a text, without members that are null or empty, which some servers write for what they do not have; undefined: it is no JSON object. */
export function metadataIn(text: string): JsonObject | undefined {
	const body = parseJson(text);
	return isJsonObject(body)
		? Object.fromEntries(Object.entries(presentMembers(body)).filter(([, value]) => value !== ''))
		: undefined;
}

/** The members of metadata that `read` takes, as JSON; 404 for a success that is none, so that the next place is asked. */
export async function metadataResponse(
	answer: Response,
	read: (metadata: JsonObject) => JsonObject | undefined,
): Promise<Response> {
	const metadata = metadataIn(await answer.text());
	const members = metadata && read(metadata);
	return answer.ok ? (members ? Response.json(members) : new Response(null, {status: 404})) : answer;
}

/** A list of texts, which some servers write as one text with blanks; undefined for any other value. */
export function listOfTexts(value: unknown): readonly string[] | undefined {
	const items: unknown = typeof value === 'string' ? value.split(/\s+/u) : value;
	return Array.isArray(items)
		? items.filter((item): item is string => typeof item === 'string' && item !== '')
		: undefined;
}

/** Answers to a poll (RFC 8628, 3.5), whatever status they come with. */
const pollErrors = new Set(['authorization_pending', 'slow_down', 'access_denied', 'expired_token']);

const passingStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

function isPassing(status: number): boolean {
	return passingStatuses.has(status);
}

/** JSON whatever it is called, or a form; undefined when it is neither. */
function readBody(text: string, contentType: string): JsonObject | undefined {
	const json = parseJson(text);
	if (isJsonObject(json)) {
		return presentMembers(json);
	}

	const form = new URLSearchParams(text);
	const isForm = /^application\/x-www-form-urlencoded\b/iu.test(contentType) || /^text\/plain\b/iu.test(contentType);
	return isForm && formMembers.some(name => form.has(name)) ? Object.fromEntries(form) : undefined;
}

/** One of them is in every answer of these endpoints. */
const formMembers = ['access_token', 'device_code', 'error'];

function presentMembers(body: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** The names of drafts of RFC 8628, which some servers still write. */
const formerNames: Readonly<Record<string, string>> = {
	verification_url: 'verification_uri',
	verification_url_complete: 'verification_uri_complete',
};

function withNames(body: JsonObject): JsonObject {
	const renamed = Object.entries(body).map(([name, value]): [string, JsonValue] => {
		const usual = Object.hasOwn(formerNames, name) ? formerNames[name] : undefined;
		return [usual ?? name, value];
	});
	// A member under the name of the RFC wins.
	return {...Object.fromEntries(renamed), ...body};
}

/** Members that are texts, and which some servers write as numbers or leave empty with another type. */
const textMembers = ['client_id', 'client_secret', 'user_code', 'device_code', 'refresh_token', 'scope', 'token_type'];

/** Texts as texts, a list of scopes as one, and the only type of token that Sluice sends where none is named. */
function withTokenMembers(body: JsonObject): JsonObject {
	const members = Object.entries(body).flatMap(([name, value]): Array<[string, JsonValue]> => {
		if (!textMembers.includes(name) || typeof value === 'string') {
			return [[name, value]];
		}

		const list = name === 'scope' ? listOfTexts(value)?.join(' ') : undefined;
		const text = typeof value === 'number' ? String(value) : list;
		return text === undefined || text === '' ? [] : [[name, text]];
	});
	const {token_type: type, ...others} = Object.fromEntries(members);
	const isUsual = typeof type !== 'string' || /^bearer[ _-]?token$/iu.test(type);
	return Object.hasOwn(body, 'access_token') ? {...others, token_type: isUsual ? 'Bearer' : type} : others;
}

/** A code without a lifetime is bounded by `oauth.timeout` alone. */
const unknownLifetimeSeconds = 86_400;

/** Times that are text, or no use as a number, and the lifetime of a code that has none. An empty text means a missing one. */
function withNumbers(body: JsonObject): JsonObject {
	const members = Object.entries(body).flatMap(([name, value]): Array<[string, JsonValue]> => {
		const least = Object.hasOwn(leastNumbers, name) ? leastNumbers[name] : undefined;
		if (least === undefined) {
			return value === '' ? [] : [[name, value]];
		}

		const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
		return typeof number === 'number' && number >= least ? [[name, number]] : [];
	});
	const {expires_in: lifetime, ...others} = Object.fromEntries(members);
	if (!Object.hasOwn(body, 'device_code')) {
		return lifetime === undefined ? others : {...others, expires_in: lifetime};
	}

	return {...others, expires_in: lifetime === undefined || lifetime === 0 ? unknownLifetimeSeconds : lifetime};
}

/** The members that are numbers, and the least that each can be. */
const leastNumbers: Readonly<Record<string, number>> = {
	expires_in: 0,
	interval: Number.MIN_VALUE,
	client_secret_expires_at: 0,
	client_id_issued_at: 0,
};
