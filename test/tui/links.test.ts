import {describe, expect, test} from 'vitest';
import {brushesOf, paintLine} from '../../source/tui/text/line-text.tsx';
import {addressSpan, cutLine} from '../../source/tui/text/span.ts';
import {openDashboard} from './open-dashboard.ts';
import {login, question, server, started} from './sample-events.ts';

const address = `https://auth.example.com/authorize?client_id=${'x'.repeat(90)}`;
const events = [
	started(),
	server('linear', {state: 'needs-login', transport: 'http'}),
	login('linear', {
		flow: 'browser',
		state: 'awaiting-redirect',
		verificationUri: undefined,
		userCode: undefined,
		authorizationUrl: address,
	}),
];

const paint = (line: Parameters<typeof paintLine>[0], links: 'on' | 'off' = 'on') =>
	paintLine(line, {brushes: brushesOf('mono'), ascii: false, links});

/** The targets of the links in a text, with the texts that carry them. */
function linksIn(written: string): Array<{readonly target: string; readonly text: string}> {
	const links = written.matchAll(
		/\u001B\]8;;(?<target>[^\u001B\u0007]+)(?:\u001B\\|\u0007)(?<text>.*?)\u001B\]8;;(?:\u001B\\|\u0007)/gsu,
	);
	return Array.from(links, ({groups}) => ({
		target: groups?.['target'] ?? '',
		text: (groups?.['text'] ?? '').replaceAll(/\u001B\[[\d;]*m/gu, ''),
	}));
}

describe('an address of a login', () => {
	test('is a link to all of it on each of its rows, with the address itself as text', async () => {
		const {terminal, press, shows} = await openDashboard({events, columns: 60});
		await press('L');
		await press('\r');
		await shows('https://auth.example.com/authorize');
		await expect.poll(() => linksIn(terminal.written()).length).toBeGreaterThan(1);
		const links = linksIn(terminal.written());
		expect(new Set(links.map(({target}) => target))).toEqual(new Set([address]));
		expect(links.every(({text}) => address.includes(text))).toBe(true);
		const rows = await terminal.rows();
		expect(rows.join('')).toContain(address);
	});

	test('is no link at a terminal that answers nothing', async () => {
		const {terminal, press, shows} = await openDashboard({events, answering: false});
		await press('L');
		await press('\r');
		await shows('https://auth.example.com/authorize');
		expect(terminal.written()).not.toContain('\u001B]8;');
	});
});

test('an address that a server wants to have opened is no link', async () => {
	const {terminal, press, shows} = await openDashboard({
		events: [
			started(),
			server('a'),
			question('q', {kind: 'url', fields: [], url: {address: 'https://evil.example/login', host: 'evil.example'}}),
		],
	});
	await press('A');
	await shows('evil.example');
	expect(terminal.written()).not.toContain('\u001B]8;');
});

test.each([
	['an address of the web', 'https://example.com/a?b=c#d', true],
	['one of this machine', 'http://127.0.0.1:8644/webhooks/push', true],
	['another scheme', 'file:///etc/passwd', false],
	['a command', 'ssh -L 8080:127.0.0.1:8080 host', false],
	['a script', 'javascript:alert(1)', false],
	['a name in another script', 'https://еxample.com', false],
	['a control character', 'https://example.com/\u001B\\', false],
	['an escaped control character', 'https://example.com/␛', false],
	['a blank', 'https://example.com/a b', false],
	['no host', 'https://', false],
	['more than terminals take', `https://example.com/${'a'.repeat(2000)}`, false],
])('%s is a link or none', (_, text, isLink) => {
	expect(addressSpan(text, text).link !== undefined).toBe(isLink);
});

test('a link ends with its piece of the line, where the line is cut and where the next one is another link', () => {
	const line = [
		addressSpan('https://a.example', 'https://a.example'),
		addressSpan('https://b.example', 'https://b.example'),
		{text: ' then', tone: 'normal'} as const,
	];
	expect(linksIn(paint(line))).toEqual([
		{target: 'https://a.example', text: 'https://a.example'},
		{target: 'https://b.example', text: 'https://b.example'},
	]);
	expect(linksIn(paint(cutLine(line, 10)))).toEqual([{target: 'https://a.example', text: 'https://a…'}]);
	expect(paint(line, 'off')).toBe('https://a.examplehttps://b.example then');
});
