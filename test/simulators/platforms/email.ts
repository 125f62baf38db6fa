/*
A real SMTP server (npm smtp-server) that offers nothing but STARTTLS before it, and AUTH behind it; replies by RFC 5321
and RFC 3463, the mail's form by RFC 5322 (From, Date, Message-ID, lines of 998 octets). Mail servers do not promise to
drop a second mail with the same Message-ID. Its certificate is signed by test/fixtures/tls/ca.pem.
*/
import {readFileSync} from 'node:fs';
import {type AddressInfo} from 'node:net';
import {fileURLToPath} from 'node:url';
import {SMTPServer, type SMTPServerAddress, type SMTPServerSession} from 'smtp-server';
import {mailFaults, readMail} from './mail-message.ts';
import {type OpenPlatform, type PlatformTrouble, type ReceivedMessage} from './platform-simulator.ts';

const user = 'sluice@example.org';
const password = 'correct horse battery staple';
const mailboxes = ['ada@example.org', 'grace@example.org'];
const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url));

/** An SMTP reply; the text begins with the enhanced code. */
function reply(responseCode: number, text: string): Error {
	return Object.assign(new Error(text), {responseCode});
}

/** Opens an SMTP server with one account and two mailboxes. */
export const openEmail: OpenPlatform = async () => {
	const received: ReceivedMessage[] = [];
	const faults: string[] = [];
	const planned: PlatformTrouble[] = [];
	let requests = 0;
	const refused = (fault: string, answer: Error) => {
		faults.push(fault);
		return answer;
	};

	const server = new SMTPServer({
		key: readFileSync(fixture('server.key')),
		cert: readFileSync(fixture('server.pem')),
		authMethods: ['PLAIN', 'LOGIN'],
		logger: false,
		disableReverseLookup: true,
		onAuth(auth, _session, callback) {
			const isRight = auth.username === user && auth.password === password;
			callback(isRight ? null : refused('the password is wrong', reply(535, '5.7.8 Authentication failed')), {user});
		},
		onMailFrom(address, _session, callback) {
			requests += 1;
			const isOurs = address.address === user;
			callback(isOurs ? null : refused(`MAIL FROM ${address.address}`, reply(553, '5.7.1 Sender address rejected')));
		},
		onRcptTo(address, _session, callback) {
			const refusal = recipientTrouble(address);
			const isKnown = mailboxes.includes(address.address);
			callback(refusal ?? (isKnown ? null : refused(`no mailbox ${address.address}`, unknownMailbox(address))));
		},
		onData(stream, session, callback) {
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
			stream.on('end', () => {
				takeMail(Buffer.concat(chunks).toString('latin1'), session, callback);
			});
		},
	});
	// A client that hangs up or trusts nobody is no fault of the server's.
	server.on('error', () => undefined);

	const unknownMailbox = (address: SMTPServerAddress) =>
		reply(550, `5.1.1 <${address.address}>: Recipient address rejected: User unknown`);

	/** Troubles that are told before the mail itself. */
	const recipientTrouble = (address: SMTPServerAddress): Error | undefined => {
		const [trouble] = planned;
		if (trouble?.kind === 'rate-limited') {
			planned.shift();
			return reply(450, `4.7.1 Too many messages, try again in ${trouble.waitSeconds} seconds`);
		}

		if (trouble?.kind === 'rejected') {
			planned.shift();
			return unknownMailbox(address);
		}

		return undefined;
	};

	const takeMail = (raw: string, session: SMTPServerSession, callback: (error?: Error | null) => void) => {
		const mail = readMail(raw);
		const found = [...mailFaults(raw), ...headerFaults(mail.headers, session)];
		if (mail.text === undefined || mail.text.trim() === '') {
			found.push('no text part');
		}

		if (found.length > 0) {
			faults.push(...found);
			callback(reply(554, `5.6.0 Message rejected: ${found.join(', ')}`));
			return;
		}

		const [to] = session.envelope.rcptTo;
		const thread = mail.headers.get('in-reply-to');
		const message: ReceivedMessage = {
			chat: to?.address ?? '',
			text: mail.text ?? '',
			repeatKey: mail.headers.get('message-id'),
			subject: mail.headers.get('subject'),
			...(thread !== undefined && {thread}),
		};
		switch (planned.shift()?.kind) {
			case 'silence':
				return;
			case 'server-error':
				callback(reply(451, '4.3.0 Local error in processing'));
				return;
			case 'hidden-error':
				callback(reply(554, '5.7.1 Message rejected as spam'));
				return;
			case 'hang-up-after-taking':
				received.push(message);
				hangUp(session);
				return;
			case 'rate-limited':
			case 'rejected':
			case undefined:
				received.push(message);
				callback();
		}
	};

	const hangUp = (session: SMTPServerSession) => {
		for (const connection of server.connections) {
			if (connection.id === session.id) {
				connection._socket.destroy();
			}
		}
	};

	await new Promise<void>(resolve => {
		server.listen(0, '127.0.0.1', resolve);
	});
	const {port} = server.server.address() as AddressInfo;
	return {
		baseUrl: `smtp://127.0.0.1:${port}`,
		settings: {host: '127.0.0.1', port, user, password, ssl_verify: fixture('ca.pem')},
		chatId: mailboxes[0]!,
		otherChatId: mailboxes[1]!,
		received,
		faults,
		requests: () => requests,
		plan: (...troubles) => void planned.push(...troubles),
		close: () =>
			new Promise(resolve => {
				for (const connection of server.connections) {
					connection._socket.destroy();
				}

				server.close(() => resolve());
			}),
	};
};

function headerFaults(headers: ReadonlyMap<string, string>, session: SMTPServerSession): string[] {
	const missing = ['from', 'to', 'date', 'message-id', 'subject', 'mime-version'].filter(name => !headers.get(name));
	const to = session.envelope.rcptTo.map(address => address.address);
	return [
		...missing.map(name => `no ${name} header`),
		...(headers.get('from')?.includes(user) ? [] : [`From is ${headers.get('from')}`]),
		...(to.every(address => headers.get('to')?.includes(address)) ? [] : [`To is ${headers.get('to')}`]),
		...(/^<[^<>@\s]+@[^<>@\s]+>$/.test(headers.get('message-id') ?? '') ? [] : ['the Message-ID is none']),
		...(session.secure ? [] : ['the connection is not encrypted']),
	];
}
