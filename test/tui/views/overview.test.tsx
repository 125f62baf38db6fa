import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {type GatewayEvent, type GatewayEventBody} from '../../../source/state/event.ts';
import {reduceAll} from '../../../source/state/reduce.ts';
import {emptySnapshot} from '../../../source/state/snapshot.ts';
import {frameAfter} from '../frame-after.tsx';
import {Overview} from '../../../source/tui/views/overview.tsx';
import {frameOf, screenOf} from '../render-component.tsx';
import {
	approval,
	call,
	failing,
	finished,
	held,
	inProfile,
	job,
	log,
	login,
	route,
	run,
	sampleTime,
	server,
	stamp,
	started,
	uncertain,
	webhook,
} from '../sample-events.ts';

const events = [started(), server('github'), server('files'), webhook('push'), approval('1'), call('c')];
const linesOf = (bodies: readonly GatewayEventBody[], columns: number, rows: number) =>
	frameOf(<Overview screen={screenOf(bodies, {}, {size: {columns, rows}})} height={rows - 3} />).split('\n');
const titles = (lines: readonly string[]) => lines.flatMap(row => /^─ ([a-z0-9]+(?: [A-Z]\w+)?)/u.exec(row)?.[1] ?? []);

/** The events of a minute, of which the last is at `sampleTime`. */
function minuteOf(bodies: readonly GatewayEventBody[]): readonly GatewayEvent[] {
	return stamp(bodies, 100).map((event, index) => ({
		...event,
		time: sampleTime - Math.floor(((bodies.length - 1 - index) * 60_000) / bodies.length),
	}));
}

describe('what the overview has', () => {
	test('is the routes and servers alone on a narrow terminal', () => {
		const rows = linesOf([...events, route('push')], 40, 10);
		expect(rows).toHaveLength(7);
		expect(titles(rows)).toEqual(['routes', 'servers']);
	});

	test('has what needs a person above them, and the events below', () => {
		const rows = linesOf([...events, route('push')], 80, 24);
		expect(rows).toHaveLength(21);
		expect(titles(rows)).toEqual(['needs', 'routes', 'servers', '3 Events']);
		expect(rows[1]).toMatch(/^ {2}▲ .*github\/create_issue/u);
	});

	test('lists everything that waits for a person and has no row below', () => {
		const waiting = [
			server('drive', {state: 'needs-login', reason: 'HTTP 401'}),
			uncertain('u'),
			run('r1', {state: 'inbox', prompt: 'Triage'}),
			route('push'),
			failing('push'),
			job('1'),
			failing('', {id: 'f', route: '', job: 'job-1'}),
		];
		const text = linesOf([...events, ...waiting], 160, 50).join('\n');
		const [needs = '', lists = ''] = text.split('─ routes');
		expect(needs).toMatch(/needs you · 4[^]*▲ .*create_issue[^]*◇ .*uncertain[^]*◇ inbox.*Triage[^]*✖ failing +job-1/u);
		expect(lists).toMatch(
			/✖ push .*failing: telegram: status 403[^]*servers · 1 of 3 needs something[^]*◇ drive +needs login/u,
		);
		expect(linesOf([started(), server('github')], 160, 50).join('\n')).not.toContain('needs you');
	});

	test('shows calls and logins under way, and the picked row, where there is much room', () => {
		const text = linesOf([...events, login('github')], 160, 50).join('\n');
		expect(text).toMatch(/7 Calls under way[^]*Logins · 1[^]*selected · enter opens it in full[^]*3 Events/u);
	});

	test('names the model and the deliveries in one line', () => {
		const parts: readonly GatewayEventBody[] = [
			{type: 'model.state', provider: 'anthropic', model: 'claude', source: 'config', reason: ''},
			{type: 'platform.state', platform: 'telegram', state: 'usable'},
		];
		const line = (...more: readonly GatewayEventBody[]) =>
			linesOf([...events, ...parts, ...more], 80, 24).find(row => row.includes(' model '));
		expect(line()).toMatch(/^─ model ● anthropic claude {2}deliveries ● telegram ─/u);
		expect(line(failing('push', {failures: 1200}))).toMatch(/deliveries ✖ 1,200 to telegram not delivered ─/u);
	});

	test('is the first steps while nothing is configured', () => {
		const empty = frameOf(<Overview screen={screenOf([started({configured: {servers: 0, routes: 0}})])} height={20} />);
		expect(empty).toContain('1 Overview · first steps');
	});

	test('names the key that adds a server where there is none', () => {
		expect(linesOf([started(), route('push')], 80, 24).join('\n')).toContain('no tool servers · press a to add one');
	});
});

describe('the rows of the overview', () => {
	const many = Array.from({length: 600}, (_, index) => webhook('ticks', {ms: 4, eventId: `e${index}`}));
	const busy = [
		...stamp([started(), route('ticks'), route('pulls'), server('github'), server('files')]),
		...minuteOf(many),
		...minuteOf(Array.from({length: 12}, (_, index) => finished(`c${index}`, {ms: 5}))),
	];
	const rowsOf = (columns: number, rows = 24, more: readonly GatewayEvent[] = [], now = sampleTime) => {
		const snapshot = reduceAll(emptySnapshot, [...busy, ...more]);
		const screen = screenOf([], {}, {snapshot, size: {columns, rows}, now});
		return frameOf(<Overview screen={screen} height={rows - 3} />).split('\n');
	};

	test.each([
		[80, 12, 'max/5s', 50],
		[120, 30, 'max/2s', 20],
		[200, 60, 'max/s', 10],
	] as const)('have bars, numbers and headings above them in %i columns', (columns, cells, scale, peak) => {
		const rows = rowsOf(columns, 30);
		const [title = '', line = ''] = rows;
		expect(title).toMatch(/^─ routes · 2 ─+ last 60 s ─* ?max\/\d?s ─* \/s +─* failed ─* p50 ─/u);
		expect(/[▁▂▃▄▅▆▇█]+/u.exec(line)?.[0]).toHaveLength(cells);
		expect(title).toContain(` ${scale} `);
		expect(line.slice(0, title.indexOf(scale) + scale.length)).toMatch(new RegExp(` ${peak}$`, 'u'));
		expect(line.slice(0, title.indexOf(' /s ') + 3)).toMatch(/ 10$/u);
		expect(line.slice(0, title.indexOf('failed') + 6)).toMatch(/ 0 %$/u);
		expect(line.slice(0, title.indexOf('p50') + 3)).toMatch(/ 4 ms$/u);
		expect(rows[2]).toMatch(/● pulls +– +– +– +–/u);
		const servers = rows.find(row => row.includes('─ servers')) ?? '';
		const github = rows.find(row => row.includes('● github')) ?? '';
		expect(servers).toMatch(/─ servers · 2 ─+ last hour ─*.* max\/\d?m .*\/min .*p50 .*failed ─/u);
		expect(github.slice(0, servers.indexOf('/min') + 4)).toMatch(/ 12$/u);
		expect(github.slice(0, servers.indexOf('p50') + 3)).toMatch(/ 5 ms$/u);
	});

	test('move on with the time, without any event', () => {
		const at = (seconds: number) => rowsOf(80, 24, [], sampleTime + seconds * 1000)[1] ?? '';
		expect([at(30), at(70)].map(row => / ([\d.]+|–) +0 %/u.exec(row)?.[1])).toEqual(['4.9', '–']);
		expect(at(70)).toContain('last 1:10 ago');
		expect(at(70)).not.toMatch(/[▁▂▃▄▅▆▇█]/u);
	});

	test('say what fails, first of all', () => {
		const more = stamp([
			webhook('pulls', {outcome: 'rejected', status: 401}),
			failing('pulls', {target: 'mattermost', reason: 'refused'}),
			server('broken', {state: 'failed', reason: 'command not found'}),
		]);
		const rows = rowsOf(100, 24, more);
		expect(rows[0]).toContain('routes · 1 of 2 needs something');
		expect(rows[1]).toMatch(/^> ✖ pulls .* 100 % .*failing: mattermost: refused/u);
		expect(rows.find(row => row.includes('broken'))).toMatch(/✖ broken +failed +command not found/u);
		const servers = rows.filter(row => /[●✖] (broken|github|files)/u.test(row));
		expect(servers[0]).toContain('broken');
	});

	test.each([
		[40, 10],
		[60, 20],
		[80, 24],
		[100, 30],
		[400, 120],
	])('fit into %i x %i, whatever their texts are', (columns, rows) => {
		const names = ['x'.repeat(4000), '古いサーバー'.repeat(30), 'שרת ישן מאוד'.repeat(20), '⚠️👩‍👩‍👧🏽'.repeat(20)];
		const bodies: readonly GatewayEventBody[] = [
			started({webhookUrl: 'http://127.0.0.1:8644'}),
			...names.flatMap((name, index): readonly GatewayEventBody[] => [
				route(name, {state: index % 2 === 0 ? 'served' : 'failed', reason: name, deliver: name}),
				webhook(name),
				failing(name, {target: name, reason: name}),
				server(name, {state: index % 2 === 0 ? 'connected' : 'failed', reason: name}),
				inProfile('work', server(`${name}2`)),
				approval(`${index}`, {server: name, tool: name}),
				log(name, {level: 'warning'}),
			]),
			{type: 'model.state', provider: names[1] ?? '', model: names[2] ?? '', source: 'config', reason: ''},
			held(),
		];
		const frame = frameAfter(bodies, [], {columns, rows});
		expect(frame).toHaveLength(rows);
		expect(Math.max(...frame.map(row => stringWidth(row)))).toBeLessThanOrEqual(columns);
	});

	test('are drawn with ASCII alone where that is wanted', () => {
		const snapshot = reduceAll(emptySnapshot, busy);
		const screen = screenOf([], {}, {snapshot, size: {columns: 80, rows: 24}});
		const frame = frameOf(<Overview screen={screen} height={20} />, {ascii: true});
		expect(frame).toMatch(/\* ticks +[_.:\-=+*#]{12} +50 +10 /u);
		expect(frame).toMatch(/^[\n -~]*$/u);
	});
});

describe('from the overview, in keys:', () => {
	const wrong = [
		started(),
		server('dead', {state: 'failed', reason: 'it ended'}),
		server('linear', {state: 'needs-login', transport: 'http'}),
		route('ticks'),
		failing('ticks', {reason: 'status 403: bot was kicked'}),
	];
	const after = (bodies: readonly GatewayEventBody[], ...keys: readonly string[]) =>
		frameAfter(bodies, keys, {columns: 80, rows: 24}).join('\n');

	test('the answer to the failing delivery is one away', () => {
		expect(after(wrong, '\r')).toMatch(/failed +1 to telegram .*403: bot was kicked/u);
		expect(after(wrong, '\r')).toContain('asking the gateway');
	});

	test('so it is where another view than the overview is open', () => {
		const failing = [started(), server('fine'), ...wrong.slice(3)];
		expect(after(failing, '5', 'A')).toMatch(/2 You · 1 · details[^]*failed +1 to telegram .*403: bot was kicked/u);
	});

	test('the stderr of a dead server is one away, and two when something else is wrong', () => {
		expect(after([started(), server('fine'), ...wrong.slice(1, 2)], 'l')).toContain('Stderr of dead');
		expect(after(wrong, 'n', 'l')).toContain('Stderr of dead');
	});

	test('a login has begun after two, and after three when something else is wrong', () => {
		expect(after([started(), server('fine'), ...wrong.slice(2, 3)], 'L', '\r')).toContain(
			'starting the login to linear',
		);
		expect(after([...wrong.slice(0, 1), ...wrong.slice(2)], 'n', 'L', '\r')).toContain('starting the login to linear');
	});
});

test('has a line with the limits of the day, those that need a person first', () => {
	const limits = [
		{path: 'limits.day.usd', unit: 'usd', spent: 1.2, limit: 20, state: 'counting', endsAt: 0},
		{path: 'limits.day.tokens', unit: 'tokens', spent: 95_000, limit: 100_000, state: 'open', endsAt: 0},
	] as const;
	const rows = linesOf([...events, {type: 'limits.state', limits}], 120, 30);
	expect(rows.filter(row => row.startsWith('─ limits '))).toEqual([
		expect.stringMatching(
			/^─ limits day\.tokens 95,000 of 100,000 tokens, reached, waits for you · day\.usd \$1\.20 of \$20\.00 ─+$/u,
		),
	]);
	expect(linesOf(events, 120, 30).some(row => row.startsWith('─ limits '))).toBe(false);
	expect(linesOf([...events, {type: 'limits.state', limits}], 40, 30).some(row => row.includes('limits'))).toBe(false);
});
