import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {toProblem} from '../../util/problem.ts';
import {type Clock, openDeadline} from '../../util/clock.ts';
import {safeText} from '../../util/safe-text.ts';
import {type Finding, trouble} from './finding.ts';

const patienceMilliseconds = 5000;

type Surroundings = {
	readonly expand: (text: string) => string;
	readonly clock: Clock;
	/** What `~` in paths of certificates stands for. */
	readonly home: string;
	readonly signal: AbortSignal;
};

/** Whether the client document that a login may name is there and usable (docs/logins.md, Start a login). Nothing for servers that name none. Never rejects. */
export async function checkClientDocument(
	{name, transport}: ServerConfig,
	{expand, clock, home, signal}: Surroundings,
): Promise<readonly Finding[]> {
	if (transport.kind === 'stdio' || !transport.oauth) {
		return [];
	}

	const {oauth, tls} = transport;
	const {mayNameDocument} = await import('../../oauth/discovery/client-identity.ts');
	const serverUrl = URL.parse(expand(transport.url));
	if (!serverUrl || !mayNameDocument(oauth.flow, oauth)) {
		return [];
	}

	const {defaultDocumentUrl} = await import('../../oauth/discovery/client-document.ts');
	const url = oauth.clientMetadataUrl === undefined ? defaultDocumentUrl : expand(oauth.clientMetadataUrl);
	const deadline = openDeadline(clock, patienceMilliseconds, {signal, reason: () => new Error('it is too slow')});
	const fault = await readFault(url, {serverUrl, tls, clock, home, signal: deadline.signal});
	deadline.cancel();
	return fault === undefined
		? []
		: [
				trouble(`server ${name}`, 'warning', {
					message: `The client document ${safeText(url, {maximumCharacters: 200})} cannot be used: ${safeText(fault)}`,
					remedy:
						'Logins register a client instead; set `oauth.client_metadata_url`, or `oauth.cimd: false` to do so always',
				}),
			];
}

async function readFault(
	url: string,
	options: {
		readonly serverUrl: URL;
		readonly tls: Exclude<ServerConfig['transport'], {kind: 'stdio'}>['tls'];
		readonly clock: Clock;
		readonly home: string;
		readonly signal: AbortSignal;
	},
): Promise<string | undefined> {
	try {
		const {openOauthFetch} = await import('../../oauth/oauth-fetch.ts');
		const {checkDocument} = await import('../../oauth/discovery/client-document.ts');
		const {fetch, close} = await openOauthFetch(options);
		try {
			return await checkDocument(url, fetch, options.signal);
		} finally {
			await close();
		}
	} catch (error) {
		return toProblem(error).message;
	}
}
