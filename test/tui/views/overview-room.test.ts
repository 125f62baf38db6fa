import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../../source/state/event.ts';
import {columnHeads} from '../../../source/tui/lists/columns.ts';
import {routeColumns} from '../../../source/tui/lists/overview-rows.ts';
import {serverColumns, serverColumnsStart} from '../../../source/tui/lists/server-rows.ts';
import {ruleWithHeads} from '../../../source/tui/views/rule-with-heads.ts';
import {glyphs} from '../../../source/state/entities/status-text.ts';
import {frameAfter} from '../frame-after.tsx';
import {
	approval,
	call,
	failing,
	finished,
	held,
	inProfile,
	job,
	log,
	route,
	rule,
	rules,
	run,
	server,
	started,
	tool,
	tools,
	webhook,
} from '../sample-events.ts';

const numbers = (count: number) => Array.from({length: count}, (_, index) => index);

describe('a screen of 60 x 20 has at least four rows of what needs something:', () => {
	const requests = (count: number) => numbers(count).map(index => approval(`${index}`, {tool: `needy-${index}`}));
	const servers = (count: number) =>
		numbers(count).map(index => server(`needy-s${index}`, {state: 'failed', reason: 'it ended with code 1'}));
	const routes = (count: number) =>
		numbers(count).map(index => route(`needy-r${index}`, {state: 'failed', reason: 'no secret'}));
	const fine: readonly GatewayEventBody[] = [
		...numbers(20).flatMap(index => [server(`fine-${index}`), route(`good-${index}`)]),
		{type: 'model.state', provider: 'anthropic', model: 'claude', source: 'config', reason: ''},
		held(),
	];

	test.each<readonly [name: string, needy: readonly GatewayEventBody[]]>([
		['four requests', requests(4)],
		['five requests', requests(5)],
		['forty requests', requests(40)],
		['forty requests and as many servers', [...requests(40), ...servers(40)]],
		['requests, routes and servers', [...requests(2), ...routes(2), ...servers(2)]],
		['a request and many servers', [...requests(1), ...servers(20)]],
		['routes', routes(20)],
		['servers', servers(4)],
		['servers without routes', servers(40).filter(({type}) => type === 'server.state')],
	])('%s', (_, needy) => {
		for (const more of [[], fine]) {
			const frame = frameAfter([started(), ...needy, ...more], [], {columns: 60, rows: 20});
			expect(frame.filter(row => row.includes('needy-')).length).toBeGreaterThanOrEqual(4);
		}
	});
});

describe('a title', () => {
	const widths = numbers(181).map(index => index + 40);
	const heads = new Set(
		widths.flatMap(width => [...routeColumns(width), ...serverColumns(width)].map(({head}) => head)).filter(Boolean),
	);
	const many = numbers(12).flatMap((index): readonly GatewayEventBody[] => [
		server(`server-${index}`, index % 3 === 0 ? {state: 'failed', reason: 'it ended'} : {}),
		route(`route-${index}`, index % 4 === 0 ? {state: 'failed', reason: 'no secret'} : {}),
		webhook(`route-${index}`),
	]);
	const events: readonly GatewayEventBody[] = [
		started(),
		...many,
		approval('1'),
		finished('f'),
		call('c'),
		run('r'),
		job('1'),
		log('hello'),
		failing('route-1'),
		tools(tool('find')),
		rules(rule('r')),
	];
	const titleOf = (row: string) => /^─ (?<title>.*?)(?: ─|$)/u.exec(row)?.groups?.['title'];
	/** The rows whose title is followed by a heading without a rule between them. */
	const runningInto = (frame: readonly string[]) =>
		frame.filter(row => [...heads].some(head => titleOf(row)?.endsWith(` ${head}`)));

	test.each([
		['the overview', events, []],
		['the overview of several profiles', [...events, inProfile('work', server('other'))], []],
		['the overview with a filter', events, ['/', '1', '\r']],
		[
			'the overview without a connection',
			[...events, {type: 'view.console', state: 'lost', since: 0, reason: 'gone'}],
			[],
		],
		...['2', '3', '4', '5', '6', '7', 'W', 'P', 'R', 't'].map(key => [`the list of ${key}`, events, [key]] as const),
	] as ReadonlyArray<readonly [string, readonly GatewayEventBody[], readonly string[]]>)(
		'never runs into a column head: %s',
		(_, bodies, keys) => {
			// Only the overview has heads today.
			for (const columns of widths.filter(width => keys.length !== 1 || width % 5 === 0)) {
				expect(runningInto(frameAfter(bodies, keys, {columns, rows: 30}))).toEqual([]);
			}
		},
	);

	test('of any length and order is parted from the first heading by the rule, and takes no room of it needlessly', () => {
		let withHeads = 0;
		for (const width of widths) {
			for (const length of numbers(60)) {
				const title = 't'.repeat(length + 1);
				const columns = columnHeads(serverColumns(width - 2), 2 + serverColumnsStart(width - 2));
				const line = ruleWithHeads({worded: [title], plain: title}, columns, {width, isPicked: false});
				const text = line.map(piece => piece.text).join('');
				expect(text).not.toMatch(new RegExp(`t (?:${[...heads].join('|')})`, 'u'));
				expect(text.length).toBe(width);
				withHeads += /failed/u.test(text) ? 1 : 0;
				expect(text.startsWith(`${glyphs.rule} t`)).toBe(true);
			}
		}

		expect(withHeads).toBeGreaterThan(1000);
	});
});
