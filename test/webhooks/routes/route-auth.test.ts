import {createHmac} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {toSignatureScheme} from '../../../source/config/webhooks/signature-scheme.ts';
import {readSchemeKey} from '../../../source/webhooks/signature/scheme-key.ts';
import {openDesk} from '../desk.ts';

const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

describe('a route with a scheme', () => {
	const gitea = toSignatureScheme('gitea');
	const body = '{}';

	test('takes that scheme and no other', async () => {
		const {post} = openDesk({routes: [{name: 'r', secrets: ['s'], signature: gitea}]});
		const url = '/webhooks/r';
		expect(await post({url, body, headers: {'X-Gitea-Signature': hex('s', body)}})).toMatchObject({status: 202});
		expect(await post({url, body, headers: {'X-Gitea-Signature': hex('t', body)}})).toMatchObject({status: 401});
		expect(await post({url, body, sign: 's'})).toMatchObject({status: 401});
	});

	test('keeps a token that senders send out of the journal', async () => {
		const signature = toSignatureScheme({header: 'X-Greeting', algorithm: 'token'});
		const {post, journal} = openDesk({routes: [{name: 'r', secrets: ['open sesame'], signature}]});
		for (const pass of ['open sesame', 'wrong']) {
			await post({url: '/webhooks/r', body, headers: {'X-Greeting': pass}});
		}

		expect(journal.rows.map(({status, headers}) => [status, headers['x-greeting']])).toEqual([
			[202, '‹masked›'],
			[401, '‹masked›'],
		]);
	});

	test('whose secret is no key of it lets nobody in', async () => {
		const {post, table} = openDesk({routes: [{name: 'r', secrets: ['s'], signature: toSignatureScheme('discord')}]});
		expect(table.routes.get('r')?.problems).toMatchObject([{code: 'route_without_secret'}]);
		const headers = {'x-signature-ed25519': '0'.repeat(128), 'x-signature-timestamp': '1700000000'};
		expect(await post({url: '/webhooks/r', headers})).toMatchObject({status: 401});
	});
});

describe('a bearer token', () => {
	const wire = Buffer.from('tökn').toString('latin1');
	const status = async (authorization: string) => {
		const {post} = openDesk({routes: [{name: 'r', secrets: ['tökn'], signature: toSignatureScheme('bearer')}]});
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
