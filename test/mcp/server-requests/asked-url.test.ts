import {expect, test} from 'vitest';
import {readUrl} from '../../../source/mcp/server-requests/asked-url.ts';

test.each([
	['https://example.com/login?id=1#top', 'https://example.com/login?id=1#top', 'example.com'],
	['HTTPS://Example.COM:8443/a b', 'https://example.com:8443/a%20b', 'example.com:8443'],
	['http://127.0.0.1:3000/cb', 'http://127.0.0.1:3000/cb', '127.0.0.1:3000'],
	['http://127.1/', 'http://127.0.0.1/', '127.0.0.1'],
	['http://localhost/', 'http://localhost/', 'localhost'],
	['http://[::1]:80/', 'http://[::1]/', '[::1]'],
	['https://example.com/\u202Egpj', 'https://example.com/%E2%80%AEgpj', 'example.com'],
])('%j is opened as it is shown: %s of the host %s', (written, address, host) => {
	expect(readUrl(written)).toEqual({kind: 'url', url: {address, host}});
});

test('a host with letters of other alphabets is shown with a warning', () => {
	expect(readUrl('https://ex\u0430mple.com/')).toMatchObject({
		kind: 'url',
		url: {host: 'xn--exmple-4nf.com', warning: expect.stringContaining('other alphabets')},
	});
});

test.each([
	['http://example.com/', 'only https'],
	['http://localhost.example.com/', 'only https'],
	['http://127.0.0.1.example.com/', 'only https'],
	['javascript:alert(1)', 'only https'],
	['file:///etc/passwd', 'only https'],
	['vscode://x/y', 'only https'],
	['https://user@example.com/', 'user name'],
	['https://:secret@example.com/', 'user name'],
	['https://bank.example@evil.example/', 'user name'],
	['', 'no web address'],
	['//example.com', 'no web address'],
	['https://', 'no web address'],
	[`https://example.com/${'a'.repeat(5000)}`, 'too long'],
	[`https://example.com/${'\u00E4'.repeat(1000)}`, 'too long'],
])('%j is never opened: %s', (written, reason) => {
	expect(readUrl(written)).toEqual({kind: 'refused', reason: expect.stringContaining(reason)});
});
