import {describe, expect, test} from 'vitest';
import {createRedactor, isSecretName} from '../../source/util/redact.ts';

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
