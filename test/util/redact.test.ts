import {describe, expect, test} from 'vitest';
import {createRedactor, isSecretName, maskTokens} from '../../source/util/redact.ts';

describe('a redactor', () => {
	test('replaces every appearance of what it has learnt', () => {
		const redactor = createRedactor();
		redactor.learn('hunter2hunter2');
		expect(redactor.redact('a hunter2hunter2, b hunter2hunter2')).toBe('a ‹redacted 14 chars›, b ‹redacted 14 chars›');
	});

	test('leaves texts alone that hold no secret', () => {
		const redactor = createRedactor();
		redactor.learn('hunter2');
		expect(redactor.redact('hunter')).toBe('hunter');
	});

	test('does not learn what is too short to differ from words', () => {
		const redactor = createRedactor();
		redactor.learn('dev');
		redactor.learn('');
		expect(redactor.redact('development')).toBe('development');
	});

	test('leaves the word that stands for no secret, which its own refusal names', () => {
		const redactor = createRedactor();
		redactor.learn('INSECURE_NO_AUTH');
		redactor.learnPassing(' INSECURE_NO_AUTH ');
		redactor.learn('INSECURE_NO_AUTH_X');
		expect(redactor.redact('INSECURE_NO_AUTH, INSECURE_NO_AUTH_X')).toBe('INSECURE_NO_AUTH, ‹redacted 18 chars›');
	});

	test('keeps the newest 500 of those that pass, and all that stay', () => {
		const redactor = createRedactor();
		redactor.learn('stays-for-ever');
		redactor.learnPassing('seen-again');
		for (let count = 0; count < 500; count++) {
			redactor.learnPassing(`passing-${count}-`);
			redactor.learnPassing('seen-again');
		}

		expect(redactor.redact('passing-0- passing-1- passing-499- seen-again stays-for-ever')).toBe(
			'passing-0- ‹redacted 10 chars› ‹redacted 12 chars› ‹redacted 10 chars› ‹redacted 14 chars›',
		);
	});

	test('takes a secret with characters of patterns literally', () => {
		const redactor = createRedactor();
		redactor.learn('a.*$1(b)');
		expect(redactor.redact('x a.*$1(b) aZZ$1(b)')).toBe('x ‹redacted 8 chars› aZZ$1(b)');
	});
});

test('the parts of a text are its known secrets and the rest, the longest secret first', () => {
	const redactor = createRedactor();
	redactor.learn('hunter2');
	redactor.learn('hunter2hunter2');
	expect(redactor.partsOf('a hunter2hunter2hunter2.')).toEqual([
		{kind: 'plain', text: 'a '},
		{kind: 'secret', text: 'hunter2hunter2'},
		{kind: 'secret', text: 'hunter2'},
		{kind: 'plain', text: '.'},
	]);
	expect(redactor.partsOf('')).toEqual([]);
});

describe('isSecretName', () => {
	test.each([
		'password',
		'db_password',
		'passwd',
		'passphrase',
		'client_secret',
		'token',
		'accessToken',
		'api_key',
		'apikey',
		'API-KEY',
		'Authorization',
		'credentials',
		'private_key',
		'Cookie',
		'pwd',
	])('is true for %s', name => {
		expect(isSecretName(name)).toBe(true);
	});

	test.each(['path', 'content', 'key', 'passwordless', 'url', 'bypass_cache', 'message'])('is false for %s', name => {
		expect(isSecretName(name)).toBe(false);
	});
});

describe('maskTokens', () => {
	test.each([
		['401 for Authorization: Bearer abc.def-ghi_1', '401 for Authorization: Bearer ‹redacted 13 chars›'],
		['Incorrect API key provided: sk-proj-abc123def', 'Incorrect API key provided: ‹redacted 17 chars›'],
		['bad credentials ghp_0123456789abcdef', 'bad credentials ‹redacted 20 chars›'],
		['GET /x?token=abcdef&page=2 failed', 'GET /x?token=‹redacted 6 chars›&page=2 failed'],
		['{"access_token":"abcdef","expires_in":5}', '{"access_token":"‹redacted 6 chars›","expires_in":5}'],
		['api_key: 1234abcd5678efgh is revoked', 'api_key: ‹redacted 16 chars› is revoked'],
		['jwt eyJhbGciOiJI.eyJzdWIiOiIx.c2ln is old', 'jwt ‹redacted 30 chars› is old'],
		['xoxb-1234567890-abc and AKIAABCDEFGHIJKLMNOP', '‹redacted 19 chars› and ‹redacted 20 chars›'],
		['cannot clone https://me:hunter22@host/x', 'cannot clone https://me:‹redacted 8 chars›@host/x'],
	])('%s', (text, masked) => {
		expect(maskTokens(text)).toBe(masked);
		expect(maskTokens(masked)).toBe(masked);
	});

	test.each([
		'The token: expired, please log in',
		'invalid_grant: The refresh token is unknown',
		'max_token=4096 is too much',
		'password required',
		'risk-assessment-tool failed',
		'the task_sk_identifier column is missing',
		'ask-for-permission failed',
		'token=${GITHUB_TOKEN} is not set',
		'secret: none',
	])('leaves as it is: %s', text => {
		expect(maskTokens(text)).toBe(text);
	});

	test('takes no time for a long text', () => {
		const began = performance.now();
		maskTokens('token'.repeat(100_000));
		maskTokens('sk-'.repeat(100_000));
		maskTokens(`a://${'a:'.repeat(100_000)}`);
		expect(performance.now() - began).toBeLessThan(1000);
	});
});
