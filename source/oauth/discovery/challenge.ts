import {extractWWWAuthenticateParams} from '@modelcontextprotocol/client';

/** What a server said when it refused a request (RFC 6750, RFC 9728): where its metadata stands, and which scope it wants. */
export type Challenge = {
	readonly resourceMetadataUrl?: string;
	readonly scope?: string;
	/** The token is good, but not for this. */
	readonly insufficientScope: boolean;
};

/** Reads the challenge of a 401 or 403. */
export function readChallenge(answer: Response): Challenge {
	const {resourceMetadataUrl, scope, error} = extractWWWAuthenticateParams(answer);
	return {
		...(resourceMetadataUrl && {resourceMetadataUrl: resourceMetadataUrl.href}),
		...(scope !== undefined && {scope}),
		insufficientScope: error === 'insufficient_scope',
	};
}
