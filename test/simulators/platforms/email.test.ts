import {readFileSync} from 'node:fs';
import {createTransport} from 'nodemailer';
import {afterEach, expect, test, vi} from 'vitest';
import {openEmail} from './email.ts';
import {mailFaults} from './mail-message.ts';
import {type PlatformSimulator, type PlatformTrouble} from './platform-simulator.ts';

const open: PlatformSimulator[] = [];
const openOne = async (...troubles: PlatformTrouble[]) => {
	const simulator = await openEmail();
	simulator.plan(...troubles);
	open.push(simulator);
	return simulator;
};

const connect = ({settings}: PlatformSimulator, pass = String(settings.password)) => {
	const {host, port, user, ssl_verify: certificate} = settings;
	return createTransport({
		host: String(host),
		port: Number(port),
		requireTLS: true,
		auth: {user: String(user), pass},
		tls: {ca: readFileSync(String(certificate))},
	});
};

type Change = {password?: string; to?: string; text?: string; from?: string};
const send = (simulator: PlatformSimulator, change: Change = {}) => {
	const {to = simulator.chatId, text = 'Grüße von uns,\nSluice', from = String(simulator.settings.user)} = change;
	const mail = {from, to, subject: 'Grüße', text, html: '<p>Grüße</p>'};
	return connect(simulator, change.password).sendMail(mail);
};

afterEach(async () => {
	await Promise.all(open.splice(0).map(simulator => simulator.close()));
});

test('a mail over STARTTLS with a login is received, decoded', async () => {
	const simulator = await openOne();
	const {messageId} = await send(simulator);
	expect(simulator.faults).toEqual([]);
	const mail = {chat: simulator.chatId, subject: 'Grüße', text: 'Grüße von uns,\nSluice', repeatKey: messageId};
	expect(simulator.received).toEqual([mail]);
	expect(simulator.requests()).toBe(1);
});

test('a long line of many bytes comes out as it went in', async () => {
	const simulator = await openOne();
	const text = `${'😀 = ü '.repeat(2000)}end`;
	await send(simulator, {text});
	expect(simulator.received.map(message => message.text)).toEqual([text]);
});

test.each([
	['password', {password: 'wrong'}, 535],
	['recipient', {to: 'nobody@example.org'}, 550],
	['sender', {from: 'mallory@example.org'}, 553],
	['text', {text: ' '}, 554],
])('a wrong %s is refused', async (_part, change, code) => {
	const simulator = await openOne();
	await expect(send(simulator, change)).rejects.toMatchObject({responseCode: code});
	expect(simulator.received).toEqual([]);
	expect(simulator.faults).toHaveLength(1);
});

test('a login before STARTTLS is refused', async () => {
	const simulator = await openOne();
	const {host, port, user, password} = simulator.settings;
	const auth = {user: String(user), pass: String(password)};
	const transport = createTransport({host: String(host), port: Number(port), ignoreTLS: true, auth});
	await expect(transport.verify()).rejects.toThrow();
	expect(simulator.requests()).toBe(0);
});

test.each([
	[{kind: 'rate-limited', waitSeconds: 7}, 450],
	[{kind: 'rejected'}, 550],
	[{kind: 'server-error'}, 451],
	[{kind: 'hidden-error'}, 554],
] as const)('a planned $kind is told, and nothing taken', async (trouble, code) => {
	const simulator = await openOne(trouble);
	await expect(send(simulator)).rejects.toMatchObject({responseCode: code});
	expect(simulator.received).toEqual([]);
	expect(simulator.faults).toEqual([]);
});

test('planned troubles are told in order, each once', async () => {
	const simulator = await openOne({kind: 'rejected'}, {kind: 'server-error'});
	await expect(send(simulator)).rejects.toMatchObject({responseCode: 550});
	await expect(send(simulator)).rejects.toMatchObject({responseCode: 451});
	await send(simulator);
	expect(simulator.received).toHaveLength(1);
	expect(simulator.requests()).toBe(3);
});

test('a planned silence answers nothing', async () => {
	const simulator = await openOne({kind: 'silence'});
	const outcome = vi.fn<() => void>();
	const sending = send(simulator).then(outcome, outcome);
	await vi.waitFor(() => expect(simulator.requests()).toBe(1), {interval: 2});
	expect(outcome).not.toHaveBeenCalled();
	await simulator.close();
	await sending;
	expect(simulator.received).toEqual([]);
});

test('a planned hang-up comes after the mail is taken', async () => {
	const simulator = await openOne({kind: 'hang-up-after-taking'});
	await expect(send(simulator)).rejects.toThrow();
	expect(simulator.received).toHaveLength(1);
});

test('a mail without the headers a mail has is refused, and each is named', async () => {
	const simulator = await openOne();
	const envelope = {from: String(simulator.settings.user), to: simulator.chatId};
	const raw = 'From: mallory@example.org\r\nTo: nobody@example.org\r\nMessage-ID: one\r\n\r\nhello\r\n';
	await expect(connect(simulator).sendMail({envelope, raw})).rejects.toMatchObject({responseCode: 554});
	expect(simulator.received).toEqual([]);
	expect(simulator.faults).toEqual([
		'no date header',
		'no subject header',
		'no mime-version header',
		'From is mallory@example.org',
		'To is nobody@example.org',
		'the Message-ID is none',
	]);
});

test.each([
	['a bare CR or LF', 'Subject: a\r\n\r\none\ntwo'],
	['a line of more than 998 octets', `Subject: a\r\n\r\n${'x'.repeat(999)}`],
	['a header that is not ASCII', 'Subject: Gr\u00fc\u00dfe\r\n\r\nhello'],
])('finds %s', (fault, raw) => {
	expect(mailFaults(raw)).toEqual([fault]);
});
