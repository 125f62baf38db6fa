import {describe, expect, test} from 'vitest';
import {toSenderRules} from '../../source/config/webhooks/sender-rules.ts';
import {createKeySets} from '../../source/webhooks/signature/key-sets.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {openHandler} from './open-handler.ts';
import {
	awsMessages,
	confirmation,
	foreignCertificate,
	notification,
	signSns,
	snsCertificate,
	snsCertificateUrl,
	snsTopic,
} from './sns-messages.ts';

/** A route for these topics, and the certificates that its gateway fetches. */
function open(
	options: {
		readonly topics?: readonly string[];
		readonly fetchText?: (url: string) => Promise<string>;
		readonly at?: number;
	} = {},
) {
	const clock = createFakeClock(options.at);
	const fetched: string[] = [];
	const fetchText = async (url: string) => {
		fetched.push(url);
		return (options.fetchText ?? (async () => snsCertificate))(url);
	};
	const secret = (options.topics ?? [snsTopic]).map(topic_arn => ({topic_arn}));
	const handler = openHandler({
		routes: [{name: 'r', secrets: [], ...toSenderRules({signature: 'sns', secret})}],
		keySets: createKeySets({clock, fetchText, signal: neverAborted()}),
		clock,
	});
	const send = (message: object | string, headers: Readonly<Record<string, string>> = {}) =>
		handler.post({
			url: '/webhooks/r',
			body: typeof message === 'string' ? message : JSON.stringify(message),
			headers: {'content-type': 'text/plain; charset=UTF-8', ...headers},
		});
	return {...handler, send, fetched, at: clock.now()};
}

test('messages that AWS signed are accepted, with SHA-1 and SHA-256', async () => {
	const {send, journal} = open({
		topics: awsMessages.messages.map(({TopicArn}) => TopicArn),
		at: awsMessages.at,
		fetchText: async () => awsMessages.certificate,
	});
	for (const message of awsMessages.messages) {
		expect(await send({...message, Message: 'Hello'})).toMatchObject({status: 401});
		expect(await send(message)).toMatchObject({
			status: 202,
			body: {event: 'Notification', delivery_id: message.MessageId},
		});
	}

	expect(journal.runs).toHaveLength(2);
});

describe('a message is accepted', () => {
	test.each(['1', '2'] as const)('with the signature version %s', async version => {
		const {send, at, fetched} = open();
		expect(await send(signSns(notification(at), {version}))).toMatchObject({status: 202});
		expect(fetched).toEqual([snsCertificateUrl]);
	});

	test.each([
		['without a subject', {Subject: undefined}],
		['that SNS sent an hour ago', {Timestamp: new Date(1_700_000_000_000 - 3_600_000).toISOString()}],
		['with line breaks', {Message: 'a\r\nb\n\nTopicArn\nx'}],
	])('%s', async (_, changes) => {
		const {send, at} = open();
		expect(await send(signSns(notification(at, changes)))).toMatchObject({status: 202});
	});

	test('and its certificate is fetched once', async () => {
		const {send, at, fetched} = open();
		await Promise.all(['1', '2', '3'].map(MessageId => send(signSns(notification(at, {MessageId})))));
		expect(fetched).toHaveLength(1);
	});
});

describe('a message is refused before anything is fetched', () => {
	const base = notification(1_700_000_000_000);
	const hosts = [
		'http://sns.us-west-2.amazonaws.com/a.pem',
		'https://sns.us-west-2.amazonaws.com.evil.example/a.pem',
		'https://evil.example/sns.us-west-2.amazonaws.com/a.pem',
		'https://sns.us-west-2.amazonaws.com:8443/a.pem',
		'https://sns.us-west-2.amazonaws.com@evil.example/a.pem',
		'https://user:word@sns.us-west-2.amazonaws.com/a.pem',
		'https://sns.us_west.amazonaws.com/a.pem',
		'https://xsns.us-west-2.amazonaws.com/a.pem',
		'https://sns.a.b.amazonaws.com/a.pem',
		'https://sns.us-west-2.amazonaws.com/a.txt',
		'https://sns.us-west-2.amazonaws.com/a.pem?x=.pem',
		'https://sns.us-west-2.amazonaws.com/../b/a.pem',
		'not an address',
	];
	test.each<[string, object | string, Readonly<Record<string, string>>?]>([
		...hosts.map(url => [`whose certificate is at ${url}`, signSns(base, {url})] as [string, object]),
		['of another topic', signSns({...base, TopicArn: `${snsTopic}2`})],
		['of no topic', signSns({...base, TopicArn: undefined})],
		['of another type', signSns({...base, Type: 'Another'})],
		['of another signature version', {...signSns(base), SignatureVersion: '3'}],
		['that is older than an hour', signSns(notification(1_700_000_000_000 - 3_601_000))],
		['of the future', signSns(notification(1_700_000_000_000 + 301_000))],
		['with a time that is none', signSns({...base, Timestamp: 'today'})],
		['whose text is a number', {...signSns(base), Message: 5}],
		[
			'of more than 100 members',
			{...signSns(base), ...Object.fromEntries(Array.from({length: 100}, (_, at) => [`m${at}`, at]))},
		],
		['of more than 1 MB', JSON.stringify(signSns(base)) + ' '.repeat(1_048_576)],
		['that is a list', [signSns(base)]],
		['that is no JSON', 'Hello world!'],
		['that is empty', ''],
		['that is read as a form', JSON.stringify(signSns(base)), {'content-type': 'application/x-www-form-urlencoded'}],
		['that is compressed', JSON.stringify(signSns(base)), {'content-encoding': 'gzip'}],
	])('%s', async (_, message, headers) => {
		const {send, journal, fetched} = open();
		const reply = await send(message, headers);
		expect([401, 413]).toContain(reply.status);
		expect(fetched).toEqual([]);
		expect(journal.runs).toEqual([]);
	});
});

test.each(['Message', 'MessageId', 'Subject', 'Timestamp'])('a message whose %s was changed is refused', async name => {
	const {send, at, journal} = open();
	const message = signSns(notification(at));
	const other = name === 'Timestamp' ? new Date(at - 1000).toISOString() : 'another';
	expect(await send({...message, [name]: other})).toMatchObject({status: 401, body: {error: 'Invalid signature'}});
	expect(await send({...message, Signature: undefined})).toMatchObject({status: 401});
	expect(journal.runs).toEqual([]);
	expect(await send(message)).toMatchObject({status: 202});
});

describe('a certificate', () => {
	test.each([
		['of somebody else', foreignCertificate, 'not one of SNS'],
		['that is not valid any more', awsMessages.certificate, 'not valid now'],
		['that is none', '<html>', 'no certificate'],
		['of 65 KB', `${snsCertificate}${' '.repeat(65 * 1024)}`, 'larger than 64 KB'],
	])('%s proves nothing, and the row says why', async (_, text, reason) => {
		const {send, at, journal} = open({fetchText: async () => text});
		expect(await send(signSns(notification(at)))).toMatchObject({status: 503, body: {error: 'Keys unavailable'}});
		expect(journal.rows).toMatchObject([{outcome: 'unavailable', reason: expect.stringContaining(reason)}]);
		expect(journal.runs).toEqual([]);
	});

	test('that cannot be fetched is asked for once a minute', async () => {
		let answer: 'away' | 'here' = 'away';
		const {send, at, clock, fetched} = open({
			fetchText: async () => (answer === 'here' ? snsCertificate : Promise.reject(new Error('refused'))),
		});
		const message = signSns(notification(at));
		expect([(await send(message)).status, (await send(message)).status]).toEqual([503, 503]);
		expect(fetched).toHaveLength(1);
		answer = 'here';
		await clock.advance(60_000);
		expect(await send(message)).toMatchObject({status: 202});
	});

	test('of which ten are new in a minute keeps others waiting, and known ones stay', async () => {
		const {send, at, fetched} = open({
			fetchText: async url => (url === snsCertificateUrl ? snsCertificate : '<html>'),
		});
		expect(await send(signSns(notification(at)))).toMatchObject({status: 202});
		for (let count = 0; count < 20; count++) {
			const url = `https://sns.us-west-2.amazonaws.com/${count}.pem`;
			expect(await send(signSns(notification(at), {url}))).toMatchObject({status: 503});
		}

		expect(fetched).toHaveLength(10);
		expect(await send(signSns(notification(at, {MessageId: '2'})))).toMatchObject({status: 202});
	});
});

test('a retry of SNS is a duplicate', async () => {
	const {send, at, journal, clock} = open();
	const message = signSns(notification(at));
	expect(await send(message)).toMatchObject({status: 202});
	await clock.advance(3_600_000 - 1);
	expect(await send(message)).toMatchObject({status: 200, name: 'duplicate'});
	await clock.advance(2);
	expect(await send(message)).toMatchObject({status: 401});
	expect(journal.runs).toHaveLength(1);
});

describe('a confirmation', () => {
	test('that nobody waits for is refused, and its row says what to run', async () => {
		const {send, at, journal, fetched} = open();
		expect(await send(signSns(confirmation(at)))).toMatchObject({status: 400});
		expect(journal.rows).toMatchObject([
			{outcome: 'rejected', reason: expect.stringContaining('`sluice webhook handshake r`')},
		]);
		expect(journal.runs).toEqual([]);
		expect(fetched).toEqual([snsCertificateUrl]);
	});

	test('with an address of somebody else is refused', async () => {
		const {send, at, journal} = open();
		const message = confirmation(at, {SubscribeURL: 'https://sns.us-west-2.amazonaws.com.evil.example/'});
		expect(await send(signSns(message))).toMatchObject({status: 400});
		expect(journal.rows).toMatchObject([{reason: 'SubscribeURL is not an address of SNS'}]);
	});

	test('without a valid signature is refused', async () => {
		const {send, at} = open();
		expect(await send({...signSns(confirmation(at)), Token: 'x'})).toMatchObject({status: 401});
	});

	test('of the end of a subscription is a row, and nothing is fetched but the certificate', async () => {
		const {send, at, journal, fetched} = open();
		const message = confirmation(at, {Type: 'UnsubscribeConfirmation'});
		expect(await send(signSns(message))).toMatchObject({status: 200, body: {status: 'ignored'}});
		expect(journal.rows).toMatchObject([{outcome: 'ignored', reason: `unsubscribed from ${snsTopic}`}]);
		expect(fetched).toEqual([snsCertificateUrl]);
		expect(journal.runs).toEqual([]);
	});
});
