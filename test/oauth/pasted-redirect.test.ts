import {expect, test} from 'vitest';
import {readPasted} from '../../source/oauth/flows/pasted-redirect.ts';

const awaited = {state: 's1', bareCode: 'taken'} as const;
const read = (text: string, bareCode: 'taken' | 'refused' = 'taken') =>
	readPasted(text, {...awaited, bareCode})?.toString();

test.each([
	['an address', 'http://127.0.0.1:27890/callback?code=c1&state=s1'],
	['an address between blanks', '  http://127.0.0.1:27890/callback?code=c1&state=s1\t'],
	['its end from the path on', '/callback?code=c1&state=s1'],
	['its query with the mark', '?code=c1&state=s1'],
	['its query', 'code=c1&state=s1'],
	['the code alone', 'c1'],
])('%s is a redirect', (_, text) => {
	expect(read(text)).toBe('code=c1&state=s1');
});

test.each([
	['nothing', ' '],
	['words', 'it did not work'],
	[
		'the address that was to be opened, which has the same state',
		'https://as.example/auth?response_type=code&state=s1',
	],
	['an address without a query', 'http://127.0.0.1:27890/callback'],
	['markup', '<b>'],
	['a text that is longer than any redirect', 'x'.repeat(20_000)],
])('%s is none', (_, text) => {
	expect(read(text)).toBeUndefined();
});

test('the code alone is none where the redirect has to name its issuer', () => {
	expect(read('c1', 'refused')).toBeUndefined();
	expect(read('code=c1&state=s1&iss=https%3A%2F%2Fas.example', 'refused')).toContain('iss=');
});
