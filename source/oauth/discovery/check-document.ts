import {type OauthFetch} from '../oauth-fetch.ts';
import {documentFault} from './client-document.ts';
import {errorText, Problem} from '../../util/problem.ts';

/** Why the client document at `url` cannot be named to an authorization server; undefined: it can. */
export type CheckDocument = (
	url: string,
	fetch: OauthFetch['fetch'],
	signal: AbortSignal,
) => Promise<string | undefined>;

/** Fetches the document once and holds it to the rules (docs/logins.md, Start a login). Never rejects, but for an abort. */
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
