import {describe, expect, test} from 'vitest';
import {safeText} from '../../source/util/safe-text.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {openDashboard} from './open-dashboard.ts';
import {
	approval,
	log,
	login,
	question,
	route,
	server,
	settled,
	started,
	tool,
	tools,
	webhook,
} from './sample-events.ts';

/** Sequences that would ask, switch or say something, as text of a server, a caller or a sender; some in the form of eight bits. */
const hostile = [
	'\u001B]9;You won\u0007',
	'\u001B]9;4;1;50\u0007',
	'\u001B]777;notify;Bank;Call us\u0007',
	'\u001B]99;;Call us\u001B\\',
	'\u001B]8;;https://evil.example\u001B\\click\u001B]8;;\u001B\\',
	'\u001B]11;?\u0007',
	'\u001B]11;rgb:ffff/ffff/ffff\u0007',
	'\u001B]52;c;ZXZpbA==\u0007',
	'\u001B[?1000h\u001B[?1003h\u001B[?1006h',
	'\u001B[?1004l',
	'\u001B[?2031h',
	'\u001B[6n\u001B[?6n\u001B[5n\u001B[c',
	'\u001B[<0;1;1M',
	'\u001B[?997;2n',
	'\u001BPtmux;\u001B\u001B]9;You won\u0007\u001B\\',
	'\u009D9;You won\u009C',
	'\u009B?1000h',
];

const evil = `x${hostile.join('y')}z`;

/** What the dashboard itself and Ink write, apart from colours and the cursor. */
const own: readonly RegExp[] = [
	/^\u001B\]2;(?:▲\d+ )?sluice\u0007$/u,
	/^\u001B\]9;4;(?:0|2;100)\u0007$/u,
	/^\u001B\]11;\?\u0007$/u,
	/^\u001B\]8;;(?:https:\/\/auth\.example\.com\/device)?\u001B\\$/u,
	/^\u001B\[22;2t$/u,
	/^\u001B\[\?(?:25|1000|1004|1006|1049|2004|2026|2031)[hl]$/u,
	/^\u001B\[(?:\?6|6|5)n$/u,
	/^\u001B\[[\d;]*[A-HJKm]$/u,
];

/** Every control sequence of a text, seven or eight bits, whole or not. */
const anySequence =
	/(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]?|(?:\u001B[\]P_^X]|[\u009D\u0090\u009F\u009E\u0098])[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)?|\u001B./gsu;

function foreignSequences(written: string): string[] {
	return Array.from(written.matchAll(anySequence), ([text]) => text).filter(
		text => !own.some(known => known.test(text)),
	);
}

const shown = safeText(evil);
const request = approval('1', {arguments: {note: evil}, description: shown, tool: shown, server: shown});

const everything: readonly GatewayEventBody[] = [
	started(),
	server('linear', {state: 'needs-login', transport: 'http'}),
	server(shown, {state: 'failed', reason: shown, address: shown}),
	route('pulls', {events: [shown]}),
	webhook('pulls', {event: shown}),
	log(shown),
	login('linear'),
	tools(tool(shown, {description: shown})),
	question('q', {message: shown, asker: shown}),
	request,
];

test('the sequences of this test are found', () => {
	// The others are some that the dashboard writes itself.
	expect(hostile.filter(text => foreignSequences(text).length === 0)).toEqual([
		'\u001B]11;?\u0007',
		'\u001B[?1004l',
		'\u001B[?2031h',
	]);
});

test('safe text has none of them, and shows them all', () => {
	expect(shown).not.toMatch(/\p{Cc}/u);
	expect(shown.split('␛').length + shown.split('‹U+009').length).toBeGreaterThan(hostile.length);
	expect(shown).toContain('777;notify;Bank;Call us');
});

describe.each([
	[80, 24],
	[160, 50],
])('at %ix%i', (columns, rows) => {
	test('nothing but the dashboard itself speaks to the terminal, with all of its own means in use', async () => {
		const opened = await openDashboard({
			columns,
			rows,
			events: everything,
			settings: {mouse: 'pick', notify: 'osc', theme: 'auto', noColor: false},
		});
		const {terminal, press, dispatch, dashboard, shows} = opened;
		terminal.type('\u001B]11;rgb:ffff/ffff/ffff\u0007\u001B[O');
		for (const key of ['2', '3', 'W', '6', '1', 'n', '\r', '\u001B', 'L', '1', 'A']) {
			await press(key);
		}

		await shows('APPROVAL');
		await press('v');
		await press('\u001B');
		await dispatch(settled('1', {message: shown}));
		await press('2');
		dashboard.unmount();
		const written = terminal.written();
		expect(foreignSequences(written)).toEqual([]);
		expect(written).toContain('\u001B]9;4;2;100\u0007');
		expect(written).toContain('777;notify;Bank');
	});
});
