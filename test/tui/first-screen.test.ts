import {stripVTControlCharacters} from 'node:util';
import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {everyScreen} from './every-screen.ts';
import {frameAfter} from './frame-after.tsx';
import {server, started} from './sample-events.ts';

/** The text of a screen without line breaks, so that words that were wrapped are found. */
function flat(rows: readonly string[]): string {
	return rows
		.map(row => stripVTControlCharacters(row).trim())
		.join(' ')
		.replaceAll(/\s+/gu, ' ');
}

/** On each screen: what waits, why, and the keys that settle it. */
const needed: Readonly<Record<string, readonly (string | RegExp)[]>> = {
	'a server that needs a login': ['needs login', 'it wants a login', 'L to log in'],
	'a failed server': ['failed', 'Cannot find module /srv/tools/server.js', 'r reconnect'],
	'before a login': ['Log in to github', 'enter as configured', 'a on any device', 'b with a browser'],
	'a login with a code': ['https://auth.example.com/device', 'WDJB-MJHT', '15:00', 'x cancel'],
	'a login with a browser': [
		'ssh -N -L 7777:127.0.0.1:7777 me@host',
		'https://auth.example.com/authorize',
		'15:00',
		/c copies all of it|c copy/u,
		'v paste',
		'x cancel',
	],
	'an approval': [
		'github/create_issue|github',
		'UNTRUSTED',
		'from robot',
		'acme/app',
		/d deny|d Deny/u,
		/a once|a Allow once/u,
	],
	'an approval to read': ['UNTRUSTED', 'from robot', /d deny|d Deny/u, /v all|v Read all of it/u],
	'a question': ['github', 'Which repository should I use', 'enter sends the answer · d declines'],
	'the end of a form': ['github', 'Which repository should I use', /enter sends.* · d declines/u],
	'a proposal': ['tracker', 'it was proposed by a webhook', 'npx', /i installs · m .* · x /u],
	servers: ['github', 'needs login', 'it wants a login', 'L to log in'],
	'the uncertain calls': [
		'uncertain',
		'github/merge',
		'the connection was lost',
		'D it happened · N it did not · e repeat',
	],
	'an uncertain call': ['github/merge', 'the connection was lost', 'D it happened · N it did not · e repeat'],
	'the inbox': ['inbox', 'push', 'no model is configured', 'w to answer, i to dismiss'],
	'an inbox item': ['no model is configured', 'w to answer, i to dismiss'],
	'a run that waits': ['waits for your approval', 'A to open it'],
	'the failing routes': ['push', 'failing', 'status 403: bot was kicked', 'i dismisses'],
	'the failing jobs': ['job-1', 'failing', 'status 403: bot was kicked', 'i dismisses'],
	'the failing platforms': ['telegram', 'failing', 'status 403: bot was kicked', 'i dismisses'],
	'a failing route': [
		'1 to telegram',
		'status 403: bot was kicked',
		'i dismisses',
		'sluice events replay e1 --deliver',
	],
	'a failing job': ['1 to telegram', 'status 403: bot was kicked', 'i dismisses', 'sluice events replay e1 --deliver'],
	'a failing platform': [
		'1 from push',
		'status 403: bot was kicked',
		'i dismisses',
		'sluice events replay e1 --deliver',
	],
};

describe.each([
	[40, 10],
	[60, 20],
	[80, 24],
])('at %ix%i', (columns, rows) => {
	test.each(Object.keys(needed))('%s has what waits, why, and the key on its first screen', name => {
		const [, events, keys] = everyScreen.find(([known]) => known === name) ?? ['', [], []];
		const text = flat(frameAfter(events, keys, {columns, rows}));
		for (const part of needed[name] ?? []) {
			expect(text).toMatch(typeof part === 'string' ? new RegExp(part.replaceAll('.', '\\.'), 'u') : part);
		}
	});
});

const configFault: GatewayEventBody = {
	type: 'config.state',
	state: 'unusable',
	reason: 'config.yaml, line 14: mcp_servers.github.url is not an address; write one that begins with https',
};
const journalFault: GatewayEventBody = {
	type: 'fault.state',
	part: 'journal',
	reason:
		'the journal in /home/me/.sluice is damaged: webhooks answer 503 and calls that change something are refused; move it away, with its -wal file, and restart',
};
const faulty = [started(), server('files'), configFault, journalFault];

test.each([
	[40, 10],
	[60, 20],
])('at %ix%i, faults too long for their banner are open whole behind the key that it names', (columns, rows) => {
	const list = flat(frameAfter(faulty, [], {columns, rows}));
	expect(list).toContain('config.yaml, line 14');
	expect(list).toContain('! shows all 2 faults');
	expect(list).toContain('files');
	const pages = [['!'], ['!', 'G']].map(keys => flat(frameAfter(faulty, keys, {columns, rows})));
	expect(pages[0]).toContain('write one that begins with https');
	expect(pages[1]).toContain('with its -wal file, and restart');
	expect(flat(frameAfter(faulty, ['!', '\u001B'], {columns, rows}))).toBe(list);
});

test('where there is room, faults are wrapped and whole, and no key is named', () => {
	const text = flat(frameAfter(faulty, [], {columns: 100, rows: 40}));
	expect(text).toContain('write one that begins with https');
	expect(text).toContain('with its -wal file, and restart');
	expect(text).not.toContain('! shows');
});

test('a screen without faults offers no key for them', () => {
	expect(flat(frameAfter([started(), server('files')], [], {columns: 160, rows: 50}))).not.toContain('! faults');
	expect(flat(frameAfter(faulty, [], {columns: 160, rows: 50}))).toContain('! faults');
});
