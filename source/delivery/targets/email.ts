import {readTlsOptions} from '../../net/tls-options.ts';
import {defaultTitle, extraText} from '../chat.ts';
import {plainHtml} from '../dialects.ts';
import {emailAddress, emailSender} from '../email-address.ts';
import {errorText} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type SendOutcome} from '../send-outcome.ts';
import {type DeliveryTarget, type Part, type SendContext} from '../target.ts';

const messageId = /^<[\w.!#$%&'*+/=?^`{|}~-]{1,200}@[\w.[\]:-]{1,200}>$/u;
const implicitTlsPort = 465;
const phaseMilliseconds = 10_000;

/** E-mail over SMTP (RFC 5321) with STARTTLS, or implicit TLS on port 465. A server on this machine may have no TLS. */
export const email = {
	name: 'email',
	limit: {unit: 'utf16', maximum: 1_000_000},
	repeat: () => 'unsafe',
	chat: () => ({kind: 'named', grammar: emailAddress, words: 'one e-mail address'}),
	refuse: extra =>
		repliesTo(extra) === '' || messageId.test(repliesTo(extra)) ? undefined : 'in_reply_to is not a Message-ID',
	async send(part, context) {
		const {written: from, address: sender} = emailSender(context.settings);
		if (sender === undefined) {
			return {kind: 'refused', detail: 'from is not an e-mail address'};
		}

		const transport = await openTransport(context).catch((error: unknown) => errorText(error));
		if (typeof transport === 'string') {
			return {kind: 'refused', detail: transport};
		}

		const close = () => transport.close();
		context.signal.addEventListener('abort', close, {once: true});
		try {
			await transport.sendMail({
				...messageOf(part),
				from,
				messageId: `<sluice-${part.repeatKey}@${sender.split('@')[1]}>`,
			});
			return {kind: 'sent'};
		} catch (error) {
			return failure(error);
		} finally {
			context.signal.removeEventListener('abort', close);
			close();
		}
	},
} satisfies DeliveryTarget & {readonly name: 'email'};

async function openTransport({settings, variables}: SendContext) {
	const {createTransport} = await import('nodemailer');
	const {host, user, password, sslVerify} = settings;
	const port = Number(settings.port);
	const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(host);
	return createTransport({
		host,
		port,
		secure: port === implicitTlsPort,
		requireTLS: !isLocal,
		tls: isLocal && sslVerify === '' ? {rejectUnauthorized: false} : await tlsOf(sslVerify, variables('HOME') ?? ''),
		...(password === '' ? {} : {auth: {user, pass: password}}),
		dnsTimeout: phaseMilliseconds,
		connectionTimeout: phaseMilliseconds,
		greetingTimeout: phaseMilliseconds,
		disableFileAccess: true,
		disableUrlAccess: true,
	});
}

/** `ssl_verify` names a file of authorities. Without it, relays and bridges on this machine may have self-signed certificates, because the connection is local. */
async function tlsOf(path: string, home: string): Promise<object> {
	return readTlsOptions({verification: path === '' ? {kind: 'system'} : {kind: 'bundle', path}}, home);
}

function messageOf({text, chat, extra, route}: Part) {
	const thread = repliesTo(extra);
	return {
		to: {name: '', address: chat},
		subject: safeText(extraText(extra, 'subject') || defaultTitle(route), {maximumCharacters: 200}),
		text,
		html: plainHtml(text),
		headers: {'Auto-Submitted': 'auto-generated'},
		...(thread === '' ? {} : {inReplyTo: thread, references: [thread]}),
	};
}

/** Connection failures before the message is sent. */
const unavailableCodes: readonly string[] = ['EDNS', 'ETLS'];
const refusedCodes: readonly string[] = ['EAUTH', 'ENOAUTH', 'EENVELOPE', 'ECONFIG'];
const earlySystemCodes: readonly string[] = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'];
const earlyTimeouts: readonly string[] = ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT'];

/** A reply of the server, or an early failure, means that nothing was accepted; a connection that ends later leaves the outcome unknown. */
function failure(error: unknown): SendOutcome {
	const detail = error instanceof Error ? error.message : 'the message could not be sent';
	return {kind: failureKind(error), detail: safeText(detail, {maximumCharacters: 500})};
}

function failureKind(error: unknown): 'refused' | 'unavailable' | 'unknown' {
	const code = String(memberOf(error, 'code'));
	const reply = memberOf(error, 'responseCode');
	const isUnavailable =
		unavailableCodes.includes(code) ||
		earlySystemCodes.includes(String(memberOf(error, 'originalCode'))) ||
		earlyTimeouts.includes(String(memberOf(error, 'timeoutType'))) ||
		// A reply of this class asks to try later (RFC 5321, 4.2.1).
		(typeof reply === 'number' && reply >= 400 && reply < 500);
	return isUnavailable
		? 'unavailable'
		: typeof reply === 'number' || refusedCodes.includes(code)
			? 'refused'
			: 'unknown';
}

function memberOf(error: unknown, name: string): unknown {
	return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}

function repliesTo(extra: Part['extra']): string {
	return extraText(extra, 'in_reply_to', 'thread_id');
}
