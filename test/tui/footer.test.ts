import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {keymap} from '../../source/tui/state/keymap.ts';
import {everyScreen} from './every-screen.ts';
import {frameAfter} from './frame-after.tsx';
import {
	failing,
	finished as finishedCall,
	login,
	proposal,
	route,
	run,
	server,
	started,
	uncertain,
	webhook,
} from './sample-events.ts';

const narrow = {columns: 40, rows: 10};

/** The footer of the screen after these events and keys. */
function footer(events: readonly GatewayEventBody[], keys: readonly string[], size = narrow): string {
	return frameAfter([started(), ...events], keys, size).at(-1) ?? '';
}

const inbox = run('r', {state: 'inbox'});

test.each([
	['a server that needs a login', [server('a', {state: 'needs-login', transport: 'http'})], [], 'L login  r reconnect'],
	['a failed program', [server('a', {state: 'failed'})], [], 'r reconnect  l stderr'],
	[
		'a failed server that asked for a login',
		[server('a', {state: 'failed', transport: 'http', login: 'asked-for'})],
		[],
		'L login  r reconnect',
	],
	['a server that is tried again', [server('a', {state: 'waiting'})], [], 'r reconnect  l stderr'],
	['a disabled server', [server('a', {state: 'disabled'})], [], 'x on/off'],
	['a stopped server', [server('a', {state: 'stopped'})], [], 'r reconnect'],
	['a connected server', [server('a')], [], 't tools  enter open'],
	['its details', [server('a', {state: 'failed'})], ['\r'], 'r reconnect  l stderr'],
	['an uncertain call', [uncertain('c')], ['2'], 'D it happened  N it did not'],
	['a proposal', [proposal('p')], ['2'], 'enter open'],
	['an inbox item', [inbox], ['4'], 'w write  i dismiss'],
	['a failing route', [route('push'), failing('push')], ['6'], 'i dismiss'],
] as const)('a narrow footer begins with the keys for %s, and ends with help', (_, events, keys, expected) => {
	expect(footer(events, keys).trim()).toMatch(new RegExp(`^${expected}.*\\? help$`, 'u'));
});

test.each([
	['a local program', server('a', {state: 'needs-login'}), [], false],
	['a local program with a login under way', server('a', {state: 'needs-login'}), [login('a')], true],
	['a remote server', server('a', {state: 'needs-login', transport: 'http'}), [], true],
] as const)('the footer offers a login only where there can be one: %s', (_, row, more, offered) => {
	expect(footer([row, ...more], [], {columns: 100, rows: 24}).includes('L login ')).toBe(offered);
});

test('the footer offers to open a row only where there is one', () => {
	const size = {columns: 100, rows: 24};
	expect(footer([server('a')], ['2'], size)).not.toContain('enter open');
	expect(footer([server('a'), proposal('p')], ['2'], size)).toContain('enter open');
});

/** Lists without rows, and rows and texts for which a key of their list or page does nothing. */
const large = {columns: 200, rows: 60};
const finished = run('r', {state: 'finished', answer: 'Done'});
test.each<readonly [name: string, GatewayEventBody[], string[], words: Readonly<{missing: string; shown: string}>]>([
	['no calls', [server('a')], ['7'], {missing: 'cancel', shown: 'tab view'}],
	['no events', [server('a')], ['3'], {missing: 'replay|preview|pause|filter|sort', shown: 'tab view'}],
	['no runs', [server('a')], ['4'], {missing: 'write|cancel|filter|sort', shown: 'n new run'}],
	['no jobs', [server('a')], ['5'], {missing: 'run now|pause', shown: 'tab view'}],
	['no routes', [server('a')], ['6'], {missing: 'pause', shown: 'tab view'}],
	[
		'no server that matches',
		[server('a')],
		['/', 'x', 'x', '\r'],
		{missing: 'tools|reconnect|login|stderr|calls|on/off', shown: '/ filter'},
	],
	['a call among the events', [finishedCall('c')], ['3'], {missing: 'replay|preview', shown: 'enter open'}],
	['a webhook among the events', [webhook('push')], ['3'], {missing: 'cancel', shown: 'e replay'}],
	['a run that is over', [finished], ['4'], {missing: 'cancel', shown: 'w write'}],
	['a run that goes on', [run('r')], ['4'], {missing: 'write', shown: 'x cancel'}],
	['an inbox item', [inbox], ['4'], {missing: 'try again', shown: 'w write  i dismiss'}],
	['a route that is not served', [route('push', {state: 'failed'})], ['6'], {missing: 'pause', shown: 'enter open'}],
	['a server without a program', [server('a', {transport: 'http'})], [], {missing: 'stderr', shown: 't tools'}],
	[
		'the only row where something is wrong',
		[server('a', {state: 'failed'})],
		[],
		{missing: 'next problem', shown: 'l stderr'},
	],
	['a list where nothing is left', [server('a')], [], {missing: 'back', shown: 'enter open'}],
	['a list that belongs to another', [server('a')], ['C'], {missing: 'repeat', shown: 'esc back'}],
	['a list with a filter', [server('a')], ['/', 'a', '\r'], {missing: 'try again', shown: 'esc back'}],
	['a list with marks', [proposal('p')], ['2', 'M'], {missing: 'try again', shown: 'esc back'}],
	['a text that fits', [server('a')], ['\r'], {missing: 'scroll', shown: '/ search'}],
	['the only thing that waits, while it is open', [inbox], ['A'], {missing: 'waiting', shown: 'w write'}],
])('the footer for %s offers no key that does nothing', (_, events, keys, {missing, shown}) => {
	const hints = keymap.map(({hint = ''}) => hint);
	expect(missing.split('|').filter(word => !hints.some(hint => hint.includes(word)))).toEqual([]);
	const line = footer(events, keys, large);
	expect(line).not.toMatch(new RegExp(`\\b(?:${missing})`, 'u'));
	expect(line).toContain(shown);
});

test.each(everyScreen)('the last line of %s offers five keys at most', (_, events, keys) => {
	const line = frameAfter(events, keys, large).at(-1) ?? '';
	const offered = keymap.filter(({keys: [key], hint}) => hint && `${line}  `.includes(` ${key} ${hint}  `));
	const count = new Set(offered.map(({keys: [key], hint}) => `${key} ${hint}`)).size;
	expect(count).toBeLessThanOrEqual(/ copy: |select/u.test(line) ? 8 : 5);
});

test('the footer offers to scroll an open text exactly where its title says that it shows a part of it', () => {
	const long = server('a', {state: 'failed', reason: 'out of reach '.repeat(200)});
	const rows = Array.from({length: 30}, (_, index) => index + 12);
	const parts = rows.map(height => frameAfter([started(), long], ['\r'], {columns: 200, rows: height}));
	const said = parts.map(frame => / 1–\d+ of \d+/u.test(frame.join('')));
	expect(new Set(said)).toEqual(new Set([true, false]));
	expect(parts.map(frame => /\bscroll\b/u.test(frame.at(-1) ?? ''))).toEqual(said);
});

test('a key that does nothing for the picked row is not in the footer', () => {
	const rows = [server('a', {state: 'needs-login', transport: 'http'}), server('b', {state: 'needs-login'})];
	expect(footer(rows, [], large)).toContain('L login ');
	expect(footer(rows, ['j'], large)).not.toContain('L login ');
});
