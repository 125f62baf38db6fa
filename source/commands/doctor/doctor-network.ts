import {lookup} from 'node:dns/promises';
import {connect, type TLSSocket} from 'node:tls';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type Clock, openDeadline} from '../../util/clock.ts';
import {shellWord} from '../../util/named-commands.ts';
import {toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CheckedProfile} from './checked-profile.ts';
import {type Finding, trouble} from './finding.ts';

const patienceMilliseconds = 5000;
const dayMilliseconds = 86_400_000;
/** A certificate that ends sooner is worth a warning. */
const soonDays = 14;

type Surroundings = {
	readonly expand: (text: string) => string;
	readonly clock: Clock;
	/** The home directory: `~` in paths of certificates. */
	readonly home: string;
	readonly signal: AbortSignal;
} & Pick<CheckedProfile, 'checkName' | 'keyPlace'>;

/** The name of a remote server, and its certificate where the system's authorities decide. Nothing for other servers. */
export async function checkNetwork(
	{name, transport}: ServerConfig,
	{expand, clock, signal, checkName, keyPlace}: Surroundings,
): Promise<readonly Finding[]> {
	const address = transport.kind === 'stdio' ? null : URL.parse(expand(transport.url));
	if (!address || transport.kind === 'stdio') {
		return [];
	}

	const check = checkName(`server ${name}`);
	const place = keyPlace('mcp_servers', name, 'url');
	const host = address.hostname.replace(/^\[|\]$/gu, '');
	const unknown = await lookup(host).then(
		() => undefined,
		() =>
			trouble(check, 'error', {
				message: `The host name ${host} cannot be resolved`,
				remedy: `Correct ${place}, or the DNS of this machine: \`getent hosts ${shellWord(host)}\` must answer`,
			}),
	);
	if (unknown || address.protocol !== 'https:' || transport.tls.verification.kind !== 'system') {
		return unknown ? [unknown] : [];
	}

	const deadline = openDeadline(clock, patienceMilliseconds, {signal, reason: () => new Error('No answer in time')});
	try {
		const end = await certificateEnd(host, Number(address.port || 443), deadline.signal);
		const days = end === undefined ? soonDays : Math.floor((end - clock.now()) / dayMilliseconds);
		const remedy = `Ask the operator of ${host} to renew it`;
		return days < soonDays
			? [trouble(check, 'warning', {message: `Its certificate expires in ${days} days`, remedy})]
			: [];
	} finally {
		deadline.cancel();
	}
}

/** When the certificate ends; undefined when it cannot be seen, which the connection itself reports better. */
function certificateEnd(host: string, port: number, signal: AbortSignal): Promise<number | undefined> {
	return new Promise(resolve => {
		// Only its dates are read: the real connection verifies it.
		const socket: TLSSocket = connect(
			{host, port, servername: /^[\d.:]+$/u.test(host) ? '' : host, rejectUnauthorized: false},
			() => {
				resolve(Date.parse(socket.getPeerCertificate().valid_to) || undefined);
				socket.destroy();
			},
		);
		const giveUp = () => {
			resolve(undefined);
			socket.destroy();
		};
		socket.once('error', giveUp);
		signal.addEventListener('abort', giveUp, {once: true});
	});
}

/**
Checks that the client document of a login exists and is usable (docs/logins.md, Start a login). Empty for servers that name none. Never rejects.
*/
export async function checkClientDocument(
	{name, transport}: ServerConfig,
	{expand, clock, home, signal, checkName, keyPlace}: Surroundings,
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
	const deadline = openDeadline(clock, patienceMilliseconds, {
		signal,
		reason: () => new Error('it did not answer in time'),
	});
	const fault = await readFault(url, {serverUrl, tls, clock, home, signal: deadline.signal});
	deadline.cancel();
	return fault === undefined
		? []
		: [
				trouble(checkName(`server ${name}`), 'warning', {
					message: `The client document ${safeText(url, {maximumCharacters: 200})} cannot be used: ${safeText(fault)}`,
					remedy: `Logins register a client instead: set ${keyPlace('mcp_servers', name, 'oauth', 'cimd')} to false, or \`client_metadata_url\` there to a document that answers`,
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
		const {openOauthFetch} = await import('../../oauth/protocol/oauth-fetch.ts');
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
