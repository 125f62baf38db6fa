import {lookup} from 'node:dns/promises';
import {connect, type TLSSocket} from 'node:tls';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type Clock, openDeadline} from '../../util/clock.ts';
import {type Finding, trouble} from './finding.ts';

const patienceMilliseconds = 5000;
const dayMilliseconds = 86_400_000;
/** A certificate that ends sooner is worth a word. */
const soonDays = 14;

type Surroundings = {
	readonly expand: (text: string) => string;
	readonly clock: Clock;
	readonly signal: AbortSignal;
};

/** The name of a remote server, and its certificate where the system's authorities decide. Nothing for other servers. */
export async function checkNetwork(
	{name, transport}: ServerConfig,
	{expand, clock, signal}: Surroundings,
): Promise<readonly Finding[]> {
	const address = transport.kind === 'stdio' ? null : URL.parse(expand(transport.url));
	if (!address || transport.kind === 'stdio') {
		return [];
	}

	const check = `server ${name}`;
	const host = address.hostname.replace(/^\[|\]$/gu, '');
	const unknown = await lookup(host).then(
		() => undefined,
		() => trouble(check, 'error', {message: `The name ${host} cannot be resolved`, remedy: 'Check `url` and the DNS'}),
	);
	if (unknown || address.protocol !== 'https:' || transport.tls.verification.kind !== 'system') {
		return unknown ? [unknown] : [];
	}

	const deadline = openDeadline(clock, patienceMilliseconds, {signal, reason: () => new Error('Too slow')});
	try {
		const end = await certificateEnd(host, Number(address.port || 443), deadline.signal);
		const days = end === undefined ? soonDays : Math.floor((end - clock.now()) / dayMilliseconds);
		const remedy = 'Tell whoever runs the server, or renew it';
		return days < soonDays
			? [trouble(check, 'warning', {message: `Its certificate ends in ${days} days`, remedy})]
			: [];
	} finally {
		deadline.cancel();
	}
}

/** When the certificate ends; undefined when it cannot be seen, which the connection itself will tell better. */
function certificateEnd(host: string, port: number, signal: AbortSignal): Promise<number | undefined> {
	return new Promise(resolve => {
		// Only looked at: what an authority thinks of it is told by the real connection.
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
