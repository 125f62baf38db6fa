import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {frameAfter} from './frame-after.tsx';
import {openDashboard} from './open-dashboard.ts';
import {
	approval,
	call,
	failing,
	finished,
	job,
	log,
	login,
	route,
	rule,
	rules,
	run,
	sampleTime,
	server,
	settled,
	started,
	tool,
	tools,
	uncertain,
	webhook,
} from './sample-events.ts';

/** Names as servers, senders and models may choose them. */
const names = {
	'4,000 characters': 'n'.repeat(4000),
	'right-to-left text': 'שלום עולם مرحبا '.repeat(60),
	'wide text': '古いサーバー全角'.repeat(80),
	'marks and joined characters': 'e\u0301👩‍👩‍👧‍👦'.repeat(80),
} as const;

/** Every column of every list filled with it. */
function eventsWith(text: string): readonly GatewayEventBody[] {
	const serverCalls: GatewayEventBody = {
		type: 'view.server-calls',
		server: text,
		calls: [
			{
				callId: 'c',
				name: text,
				tool: text,
				arguments: text,
				origin: {kind: 'command-line'},
				at: sampleTime,
				end: {outcome: 'ok', ms: 5},
			},
		],
	};
	return [
		started({webhookUrl: 'http://127.0.0.1:8644'}),
		server(text, {state: 'failed', reason: text, address: text}),
		server(`${text}2`),
		server(`${text}3`, {state: 'connecting', address: `npx ${text}`}),
		route(text, {deliver: text, events: [text], reason: text, state: 'failed'}),
		failing(text, {target: text, reason: text}),
		approval('12345678', {server: text, tool: text, arguments: {[text]: text}}),
		settled('9', {server: text, tool: text, by: text, message: text}),
		uncertain('u', {server: text, tool: text, reason: text}),
		webhook(text, {event: text, reason: text}),
		finished('f', {server: text, tool: text}),
		log(text, {area: text}),
		run('r1', {state: 'running', route: text, event: text, prompt: text, model: text}),
		{type: 'delivery.started', runId: 'r1', delivery: text, target: text},
		run('r2', {state: 'inbox', route: text, event: text, prompt: text, reason: text}),
		job('1', {name: text, schedule: text, lastStatus: text, deliver: text}),
		call('c1', {server: text, tool: text}),
		{type: 'tool.progress', callId: 'c1', progress: 3, total: 10, message: text},
		login(text, {reason: text}),
		tools(tool(text, {tool: text, description: text, server: text})),
		rules(rule('r', {words: text, reason: text})),
		serverCalls,
	];
}

const lists = [...Array.from('1234567WP', digit => [digit]), ['R'], ['t'], ['C'], ['W', 'L']];
const sizes = [
	[20, 5],
	[40, 10],
	[80, 24],
	[400, 120],
] as const;
const cases = sizes.flatMap(([columns, rows]) =>
	Object.entries(names).map(([what, text]) => ({what, text, columns, rows})),
);

test.each(cases)('$what in every column of every list stays within $columns x $rows', ({text, columns, rows}) => {
	const events = eventsWith(text);
	for (const keys of lists) {
		for (const sorted of [keys, [...keys, 'o', 'O']]) {
			const shown = frameAfter(events, sorted, {columns, rows});
			expect(shown, sorted.join(' ')).toHaveLength(rows);
			expect(Math.max(...shown.map(row => stringWidth(row))), sorted.join(' ')).toBeLessThanOrEqual(columns);
			// A text that does not fit is cut at its end, never left out.
			expect(shown.join('\n'), sorted.join(' ')).toContain(columns < 40 ? 'needs 40x10' : text.slice(0, 4));
		}
	}
});

test('10,000 rows in a second are drawn a few times, without clearing the screen, and none of them is lost', async () => {
	const {dispatch, press, shows, terminal, clock} = await openDashboard({events: [started()]});
	await press('3');
	await shows('3 Events · following');
	const before = terminal.written().length;
	for (let batch = 0; batch < 10; batch++) {
		await dispatch(...Array.from({length: 1000}, (_, index) => webhook(`r${batch * 1000 + index}`)));
	}

	await clock.advance(200);
	await shows('r9999');
	await shows('req 10000');
	// The ring keeps the newest 5,000; the others are in the journal.
	await shows('following · newest 5000');
	const written = terminal.written().slice(before);
	expect(written).not.toMatch(/\u001B\[[23]J|\u001B\[\?1049/u);
	// A whole screen has 2,000 cells.
	expect(written.length).toBeLessThan(20 * 2000 * 3);
	const rows = await terminal.rows();
	expect(rows).toHaveLength(24);
	expect(rows.slice(3, -1).every(row => /r9\d{3}/u.test(row))).toBe(true);
});
