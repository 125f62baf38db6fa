import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../../source/state/event.ts';
import {Columns} from '../../../source/tui/views/columns.tsx';
import {besidePage} from '../../../source/tui/pages/page-column.ts';
import {type Mode} from '../../../source/tui/state/mode.ts';
import {type UiState} from '../../../source/tui/state/ui-state.ts';
import {frameAfter} from '../frame-after.tsx';
import {everyScreen} from '../every-screen.ts';
import {frameOf, screenOf} from '../render-component.tsx';
import {server, started, traced, webhook} from '../sample-events.ts';

const subject = {kind: 'event', id: 'e1'} as const;
const events: readonly GatewayEventBody[] = [
	started(),
	server('github'),
	webhook('push'),
	traced(subject, {kind: 'event', eventId: 'e1'}),
];
const size = {columns: 160, rows: 30};

/** The rows of the two columns of a view, in a terminal that is wide enough for Ink. */
function columnsOf(ui: Partial<UiState>): readonly string[] {
	const screen = screenOf(events, ui, {size});
	const page = besidePage(screen) ?? expect.fail('there is no page beside the list');
	const wide = {...screen, size: {columns: 100, rows: 30}};
	return frameOf(<Columns screen={wide} page={page} height={20} />).split('\n');
}

test('a list is drawn beside the page of its picked row, with a line between them in every row', () => {
	const rows = columnsOf({view: 'overview'});
	expect(rows).toHaveLength(20);
	expect(rows.every(row => row[50] === '│')).toBe(true);
	expect(rows.join('\n')).toMatch(/servers · 1[^]*> ● github .*│ state +● connected/u);
});

test('a trace has the details of its row above it, and its cursor only while the keys are there', () => {
	const rows = columnsOf({view: 'events'}).join('\n');
	expect(rows).toMatch(/│─ selected · right scrolls it, enter opens[^]*│ route +push[^]*│─ Trace r1[^]*│ {2}22:13/u);
	const mode: Mode = {
		kind: 'trace',
		id: '3',
		subject,
		profile: 'default',
		picked: 'subject',
		place: 'column',
		behind: {kind: 'browse'},
	};
	expect(columnsOf({view: 'events', mode}).join('\n')).toMatch(/│─ selected · left goes back ─[^]*│> 22:13/u);
});

/** The sizes of the pictures, those around a change of the layout among them. */
const sizes = [
	[40, 10],
	[60, 20],
	[80, 24],
	[120, 40],
	[159, 50],
	[160, 50],
	[200, 60],
] as const;

test.each(sizes)('every screen fills %i x %i exactly', (columns, rows) => {
	for (const [name, bodies, keys] of everyScreen) {
		const frame = frameAfter(bodies, keys, {columns, rows});
		expect(frame, name).toHaveLength(rows);
		expect(Math.max(...frame.map(row => stringWidth(row))), name).toBeLessThanOrEqual(columns);
	}
});

test('from 160 columns each list with rows has a page beside it, and nothing else has', () => {
	const isDivided = (columns: number, [, bodies, keys]: (typeof everyScreen)[number]) =>
		frameAfter(bodies, keys, {columns, rows: 50})
			.slice(6, -2)
			.every(row => row[Math.floor(columns / 2)] === '│');
	expect(everyScreen.filter(screen => isDivided(159, screen)).map(([name]) => name)).toEqual([]);
	for (const columns of [160, 161, 200]) {
		const divided = everyScreen.filter(screen => isDivided(columns, screen)).map(([name]) => name);
		expect(divided.toSorted()).toEqual(listScreens.toSorted());
	}
});

const listScreens: readonly string[] = [
	'servers',
	'servers while everything is held',
	'a release',
	'the logins',
	'the approvals',
	'the uncertain calls',
	'the inbox',
	'the failing routes',
	'the failing jobs',
	'the failing platforms',
	'the events',
	'the log',
	'the calls',
	'the tools',
	'the rules',
	'a rehearsal that runs',
	'a rehearsal',
	'who asks',
	'what is asked for',
];
