import {createHmac, generateKeyPairSync, sign} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {toSenderRules} from '../../../source/config/webhooks/sender-rules.ts';
import {toSignatureScheme} from '../../../source/config/webhooks/signature-scheme.ts';
import {createListFiles} from '../../../source/webhooks/filters/list-file.ts';
import {checkRoutes, createRouteAuth} from '../../../source/webhooks/routes/prepared-route.ts';
import {readSchemeKey} from '../../../source/webhooks/signature/signing-key.ts';
import {openHandler, secret} from '../open-handler.ts';
import {webhookConfig} from '../webhook-config.ts';

const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

describe('a route with a scheme', () => {
	const gitea = toSignatureScheme('gitea');
	const body = '{}';

	test('takes that scheme and no other', async () => {
		const {post} = openHandler({routes: [{name: 'r', secrets: ['s'], signature: gitea}]});
		const url = '/webhooks/r';
		expect(await post({url, body, headers: {'X-Gitea-Signature': hex('s', body)}})).toMatchObject({status: 202});
		expect(await post({url, body, headers: {'X-Gitea-Signature': hex('t', body)}})).toMatchObject({status: 401});
		expect(await post({url, body, sign: 's'})).toMatchObject({status: 401});
	});

	test('keeps a token that senders send out of the journal', async () => {
		const signature = toSignatureScheme({header: 'X-Greeting', algorithm: 'token'});
		const {post, journal} = openHandler({routes: [{name: 'r', secrets: ['open sesame'], signature}]});
		for (const pass of ['open sesame', 'wrong']) {
			await post({url: '/webhooks/r', body, headers: {'X-Greeting': pass}});
		}

		expect(journal.rows.map(({status, headers}) => [status, headers['x-greeting']])).toEqual([
			[202, '‹masked›'],
			[401, '‹masked›'],
		]);
	});

	test('whose secret is no key of it lets nobody in', async () => {
		const {post, table} = openHandler({routes: [{name: 'r', secrets: ['s'], signature: toSignatureScheme('discord')}]});
		expect(table.routes.get('r')?.problems).toMatchObject([{code: 'route_without_secret'}]);
		const headers = {'x-signature-ed25519': '0'.repeat(128), 'x-signature-timestamp': '1700000000'};
		expect(await post({url: '/webhooks/r', headers})).toMatchObject({status: 503, body: {error: 'Route paused'}});
	});
});

test('a sender signs the address with the variables of its reference replaced', () => {
	const signature = toSignatureScheme({preset: 'square', url: '${PUBLIC}/webhooks/r'});
	const expand = (text: string) => text.replace('${PUBLIC}', 'https://hooks.example');
	const config = webhookConfig({routes: [{name: 'r', secrets: ['s'], signature}]}).routes[0];
	const {auth} = createRouteAuth(config ?? expect.unreachable(), expand);
	const isSigned = (address: string) => {
		const sum = createHmac('sha256', 's').update(`${address}{}`).digest('base64');
		const headers = new Map([['x-square-hmacsha256-signature', sum]]);
		return auth.kind === 'signed' && auth.verify({headers, target: '/webhooks/r'}, 0)?.isSigned(Buffer.from('{}'));
	};

	expect(isSigned('https://hooks.example/webhooks/r')).toBe(true);
	expect(isSigned('${PUBLIC}/webhooks/r')).toBe(false);
});

describe('a whsec_ secret that is no base64', () => {
	const broken = 'whsec_!not-base64';
	const sent = {url: '/webhooks/r', body: '{}'};

	test('fails its route: nobody gets in, and the row says why, without the secret', async () => {
		const {post, journal} = openHandler({routes: [{name: 'r', secrets: [broken]}]});
		for (const sign of [broken, 'wrong']) {
			const reply = await post({...sent, sign});
			expect(reply).toMatchObject({
				status: 503,
				headers: {'retry-after': '60'},
				body: {error: 'Route paused'},
				name: 'unavailable',
				reason: expect.stringMatching(/^route r: The secret is not base64 after whsec_\. /u),
			});
		}

		expect(await post(sent)).toMatchObject({status: 401});
		expect(JSON.stringify(journal.rows)).not.toContain(broken);
		expect(journal.runs).toEqual([]);
	});

	test('beside a usable one is a warning', async () => {
		const {post, table} = openHandler({routes: [{name: 'r', secrets: [broken, 'good']}]});
		expect(await post({...sent, sign: 'good'})).toMatchObject({status: 202});
		expect(await post({...sent, sign: broken})).toMatchObject({status: 401});
		expect(table.routes.get('r')?.problems).toMatchObject([{code: 'route_without_secret', level: 'warning'}]);
	});
});

describe('a bearer token', () => {
	const wire = Buffer.from('tökn').toString('latin1');
	const status = async (authorization: string) => {
		const {post} = openHandler({routes: [{name: 'r', secrets: ['tökn'], signature: toSignatureScheme('bearer')}]});
		return (await post({url: '/webhooks/r', headers: {authorization}})).status;
	};

	test.each([`Bearer ${wire}`, `bearer ${wire}`])('%s passes', async header => {
		expect(await status(header)).toBe(202);
	});

	test.each([
		'',
		wire,
		`Basic ${wire}`,
		`Bearer ${wire} `,
		`Bearer  ${wire}`,
		`Bearer ${wire}x`,
		'Bearer ',
		'Bearer t',
	])('"%s" does not', async header => {
		expect(await status(header)).toBe(401);
	});
});

test.each([
	['', 'gitea'],
	['  ', 'bearer'],
	['not hex', 'discord'],
	['abcd', 'discord'],
] as const)('there is no key in "%s" for %s', (secret, preset) => {
	expect(readSchemeKey(secret, toSignatureScheme(preset))).toBeUndefined();
});

test('what a route could not do is a problem of that route, and the others are fine', () => {
	const config = webhookConfig({
		routes: [
			{name: 'fine'},
			{name: 'pattern', filters: [{kind: 'regex', field: 'a', pattern: '(?!x)'}]},
			{name: 'rotating', secrets: ['good', '${UNSET}']},
			{name: 'no base64', secrets: ['whsec_!']},
		],
	});
	const problems = checkRoutes(config, {expand: text => text, lists: createListFiles('/nowhere')});
	expect(problems.map(({code, scope}) => ({code, scope}))).toEqual([
		{code: 'pattern_refused', scope: {kind: 'route', name: 'pattern'}},
		{code: 'route_without_secret', scope: {kind: 'route', name: 'rotating'}},
		{code: 'route_without_secret', scope: {kind: 'route', name: 'no base64'}},
	]);
	expect(problems[0]?.message).toContain('(?!');
});

describe('a provider that checks the address', () => {
	const pair = generateKeyPairSync('ed25519');
	const publicKey = pair.publicKey.export({format: 'der', type: 'spki'}).subarray(-32).toString('hex');
	const seconds = '1700000000';
	const routes = [
		{name: 'slack', secrets: [secret], ...toSenderRules({signature: 'slack'}), events: ['app_mention']},
		{name: 'discord', secrets: [publicKey], ...toSenderRules({signature: 'discord'})},
		{name: 'plain', events: ['event_callback']},
	];

	const slackHeaders = (body: string, key = secret) => ({
		'x-slack-request-timestamp': seconds,
		'x-slack-signature': `v0=${createHmac('sha256', key).update(`v0:${seconds}:${body}`).digest('hex')}`,
	});

	const asked = '{"type":"url_verification","challenge":"abc","token":"t"}';

	test('Slack: gets its challenge back, and nothing is run', async () => {
		const handler = openHandler({routes});
		const reply = await handler.post({url: '/webhooks/slack', body: asked, headers: slackHeaders(asked)});
		expect(reply).toMatchObject({status: 200, body: {challenge: 'abc'}, reason: 'handshake'});
		expect(handler.journal.runs).toEqual([]);
	});

	test('Slack: not without a valid signature', async () => {
		const handler = openHandler({routes});
		const reply = await handler.post({url: '/webhooks/slack', body: asked, headers: slackHeaders(asked, 'another')});
		expect(reply).toMatchObject({status: 401});
	});

	test('Slack: an event is an event', async () => {
		const handler = openHandler({routes});
		const body = '{"type":"event_callback","challenge":"abc","event":{"type":"app_mention"}}';
		expect(await handler.post({url: '/webhooks/slack', body, headers: slackHeaders(body)})).toMatchObject({
			status: 202,
		});
	});

	test('Discord: gets a pong', async () => {
		const handler = openHandler({routes});
		const headers = {
			'x-signature-timestamp': seconds,
			'x-signature-ed25519': sign(null, Buffer.from(`${seconds}{"type":1}`), pair.privateKey).toString('hex'),
		};
		const reply = await handler.post({url: '/webhooks/discord', body: '{"type":1}', headers});
		expect(reply).toMatchObject({status: 200, body: {type: 1}, reason: 'handshake'});
	});

	test('any other route takes no part in it', async () => {
		const handler = openHandler({routes});
		expect(await handler.post({url: '/webhooks/plain', body: asked})).toMatchObject({status: 200, reason: 'event'});
	});
});
