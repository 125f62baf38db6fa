import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {timeOfDay} from '../../source/state/time-text.ts';
import {frameAfter} from './frame-after.tsx';
import {type Keys, openWith} from './open-with.ts';
import {approval, held, run, sampleTime, server, started, traced} from './sample-events.ts';

const events = [started(), server('files')];
const since = timeOfDay(sampleTime);

test.each([
	{columns: 80, rows: 24, at: 2, line: ` ✖ held since ${since} by cli · it deletes things · 2 calls wait · H releases`},
	{columns: 40, rows: 10, at: 1, line: `HELD ${since.slice(0, 5)} cli · it deletes things · H`},
])(
	'at $columns × $rows header and banner say since when, by whom and why everything is held',
	({line, at, ...size}) => {
		const rows = frameAfter([...events, held({waiting: 2})], [], size);
		expect(rows[0]).toContain('HELD');
		expect(rows[at]?.trimEnd()).toBe(line);
		const free = frameAfter([...events, held(), {type: 'hold.state', releasedBy: 'cli', waiting: 0}], [], size);
		expect(free.join('\n')).not.toMatch(/held/iu);
	},
);

test.each([
	{what: 'without a reason', change: {reason: ''}, says: `by cli · H releases`},
	{what: 'with a call that waits', change: {reason: '', waiting: 1}, says: 'by cli · 1 call waits · H releases'},
])('a hold $what', ({change, says}) => {
	expect(frameAfter([...events, held(change)], [], {columns: 80, rows: 24})[2]).toContain(says);
});

test.each([
	{
		columns: 80,
		rows: 24,
		line: /^ ▲ APPROVAL 1 of 1 {3}HELD, sent after the release +expires in \S+ *$/u,
	},
	{columns: 40, rows: 10, line: /^ ▲ APPROVAL 1 of 1 HELD +expires in \S+ *$/u},
])('a request at $columns × $rows says that an allowed call is sent after the release', ({line, ...size}) => {
	const card = [...events, approval('1')];
	expect(frameAfter([...card, held()], ['A'], size)[0]).toMatch(line);
	expect(frameAfter(card, ['A'], size)[0]).not.toContain('HELD');
});

test.each([
	{columns: 159, rows: 50, list: /paused 4:12/u, card: /HELD, sent after the release +paused, 4:12 left *$/u},
	{columns: 80, rows: 24, list: /paused/u, card: /HELD, sent after the release +paused, 4:12 left *$/u},
	{columns: 40, rows: 10, list: /paused/u, card: /HE…paused, 4:12 left *$/u},
])(
	'at $columns × $rows list and card of a request say that its time stands still, and count on after the release',
	({list, card, ...size}) => {
		const held252: GatewayEventBody = {type: 'approval.deadline', id: '1', expiresAt: null, left: 252_000};
		const stopped = [...events, approval('1'), held(), held252];
		expect(frameAfter(stopped, ['2'], size).join('\n')).toMatch(list);
		expect(frameAfter(stopped, ['A'], size)[0]).toMatch(card);
		const released: readonly GatewayEventBody[] = [
			...stopped,
			{type: 'hold.state', waiting: 0, releasedBy: 'cli'},
			{type: 'approval.deadline', id: '1', expiresAt: sampleTime + 252_000},
		];
		const after = frameAfter(released, ['A'], size)[0];
		expect(after).toMatch(/expires in 4:1\d *$/u);
		expect(after).not.toMatch(/paused|HELD/u);
	},
);

test('a release says what it releases and what follows from it', () => {
	const rows = frameAfter([...events, held({waiting: 2})], ['H'], {columns: 80, rows: 24}).join(' ');
	expect(rows).toContain('Release what cli holds: it deletes things?');
	expect(rows.replaceAll(/\s+/gu, ' ')).toContain('2 calls wait and are checked again; queued runs begin.');
});

const actions: ReadonlyArray<
	readonly [name: string, events: readonly GatewayEventBody[], keys: Keys, last: string, sent: object]
> = [
	[
		'H asks why and holds',
		[],
		[
			['H', 'hold all:'],
			['odd', 'hold all: odd'],
		],
		'\r',
		{method: 'hold', params: {reason: 'odd'}},
	],
	['H and Enter hold without a reason', [], [['H', 'hold all:']], '\r', {method: 'hold', params: {reason: ''}}],
	[
		'H releases what was shown',
		[held()],
		[['H', 'Release what cli holds']],
		'y',
		{method: 'unhold', params: {hash: 'h'}},
	],
	[
		'a typed hold',
		[],
		[
			[':', ' : '],
			['hold it is odd', 'it is odd'],
		],
		'\r',
		{method: 'hold', params: {reason: 'it is odd'}},
	],
];

test.each(actions)('%s', async (_, ...[events, keys, last, sent]) => {
	const {press, sent: commands} = await openWith(events, keys);
	expect(commands).toEqual([]);
	await press(last);
	expect(commands).toEqual([sent]);
});

test('H holds from the page of a request, too', () => {
	const rows = frameAfter([...events, approval('12345678')], ['A', 'H'], {columns: 80, rows: 24});
	expect(rows.at(-1)).toContain('hold all:');
});

test.each([['H'], [':', 'hold it looks odd', '\r'], [':', 'unhold', '\r']])(
	'a dashboard that only looks on is refused: %j',
	(...keys) => {
		const rows = frameAfter([...events, held()], keys, {columns: 80, rows: 24, readOnly: true});
		expect(rows.join('\n')).toContain('read-only: this dashboard cannot change anything');
		expect(rows[1]).not.toContain('H releases');
	},
);

test('a run that waits for the release says so, and with which key', () => {
	const waiting = run('r1', {state: 'running', prompt: 'Work', waitingFor: 'release'});
	const trace = traced({kind: 'run', id: 'r1'}, {kind: 'run', runId: 'r1'});
	const rows = frameAfter([...events, held(), waiting, trace], ['4', '\r', '\r'], {columns: 80, rows: 24}).join('\n');
	expect(rows).toContain('everything is held: H to release it');
});
