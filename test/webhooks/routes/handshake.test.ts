import {createHmac, generateKeyPairSync, sign} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {toSignatureScheme} from '../../../source/config/webhooks/signature-scheme.ts';
import {openDesk, secret} from '../desk.ts';

const pair = generateKeyPairSync('ed25519');
const publicKey = pair.publicKey.export({format: 'der', type: 'spki'}).subarray(-32).toString('hex');
const seconds = '1700000000';
const routes = [
	{name: 'slack', secrets: [secret], signature: toSignatureScheme('slack'), events: ['event_callback']},
	{name: 'discord', secrets: [publicKey], signature: toSignatureScheme('discord')},
	{name: 'plain', events: ['event_callback']},
];

const slackHeaders = (body: string, key = secret) => ({
	'x-slack-request-timestamp': seconds,
	'x-slack-signature': `v0=${createHmac('sha256', key).update(`v0:${seconds}:${body}`).digest('hex')}`,
});

describe('a provider that asks whether somebody is there', () => {
	const asked = '{"type":"url_verification","challenge":"abc","token":"t"}';

	test('Slack: gets its challenge back, and nothing is run', async () => {
		const approvals = openDesk({routes});
		const reply = await approvals.post({url: '/webhooks/slack', body: asked, headers: slackHeaders(asked)});
		expect(reply).toMatchObject({status: 200, body: {challenge: 'abc'}, reason: 'handshake'});
		expect(approvals.journal.runs).toEqual([]);
	});

	test('Slack: not without a valid signature', async () => {
		const approvals = openDesk({routes});
		const reply = await approvals.post({url: '/webhooks/slack', body: asked, headers: slackHeaders(asked, 'another')});
		expect(reply).toMatchObject({status: 401});
	});

	test('Slack: an event is an event', async () => {
		const approvals = openDesk({routes});
		const body = '{"type":"event_callback","challenge":"abc"}';
		expect(await approvals.post({url: '/webhooks/slack', body, headers: slackHeaders(body)})).toMatchObject({
			status: 202,
		});
	});

	test('Discord: gets a pong', async () => {
		const approvals = openDesk({routes});
		const headers = {
			'x-signature-timestamp': seconds,
			'x-signature-ed25519': sign(null, Buffer.from(`${seconds}{"type":1}`), pair.privateKey).toString('hex'),
		};
		const reply = await approvals.post({url: '/webhooks/discord', body: '{"type":1}', headers});
		expect(reply).toMatchObject({status: 200, body: {type: 1}, reason: 'handshake'});
	});

	test('any other route takes no part in it', async () => {
		const approvals = openDesk({routes});
		expect(await approvals.post({url: '/webhooks/plain', body: asked})).toMatchObject({status: 200, reason: 'event'});
	});
});
