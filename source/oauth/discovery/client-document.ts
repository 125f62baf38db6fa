import * as z from 'zod';
import {parseJson} from '../../util/json-text.ts';
import {errorText, Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type OauthFetch} from '../protocol/oauth-fetch.ts';

/** Sluice's client metadata document (docs/configuration.md, State directory), generated as assets/oauth-client.json. */
export const defaultDocumentUrl = 'https://sluice.dev/oauth/client.json';

/** The ports declared in the document (docs/logins.md, Callback ports). */
export const callbackPorts: readonly number[] = [27_890, 27_891, 27_892, 27_893, 27_894];

export const callbackPath = '/callback';

/** The ten redirect addresses of a client document. */
export const documentRedirects: readonly string[] = callbackPorts.flatMap(port => [
	`http://127.0.0.1:${port}${callbackPath}`,
	`http://localhost:${port}${callbackPath}`,
]);

/** The reason that the client document at `url` cannot be used with an authorization server; undefined if it can. */
export type CheckDocument = (
	url: string,
	fetch: OauthFetch['fetch'],
	signal: AbortSignal,
) => Promise<string | undefined>;

/** Fetches the document once and checks it (docs/logins.md, Start a login). Rejects only on abort. */
export const checkDocument: CheckDocument = async (url, fetch, signal) => {
	try {
		const answer = await fetch(url, {headers: {accept: 'application/json'}, redirect: 'error', signal});
		const contentType = answer.headers.get('content-type');
		return documentFault(url, {status: answer.status, contentType, body: await answer.text()});
	} catch (error) {
		signal.throwIfAborted();
		return error instanceof Problem ? error.message : errorText(error);
	}
};

const documentSchema = z.object({client_id: z.string(), redirect_uris: z.array(z.string())});

/** The response for a document. */
export type DocumentResponse = {readonly status: number; readonly contentType: string | null; readonly body: string};

/** The reason that a response is not a usable client document (docs/logins.md, Your own client document); undefined if it is. Pure. */
export function documentFault(url: string, {status, contentType, body}: DocumentResponse): string | undefined {
	if (status !== 200) {
		return `it answered ${status}`;
	}

	if (contentType?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
		return `its content type is ${safeText(contentType ?? 'missing', {maximumCharacters: 80})}, not application/json`;
	}

	const document = documentSchema.safeParse(parseJson(body)).data;
	if (!document) {
		return 'it is not a client metadata document';
	}

	if (document.client_id !== url) {
		return `its client_id is ${safeText(document.client_id, {maximumCharacters: 200})}, not its own address`;
	}

	const missing = documentRedirects.find(redirect => !document.redirect_uris.includes(redirect));
	return missing && `it does not declare ${missing}`;
}
