import {expect, test} from 'vitest';
import {emptySnapshot} from '../../../source/state/snapshot.ts';
import {type GatewayEventBody} from '../../../source/state/event.ts';
import {viewRows} from '../../../source/tui/lists/view-rows.ts';
import {allViews} from '../../../source/tui/lists/view-table.ts';
import {asked, askers} from '../sample-askers.ts';
import {
	approval,
	call,
	failing,
	finished,
	job,
	log,
	login,
	proposal,
	question,
	route,
	rule,
	rules,
	run,
	sampleTime,
	server,
	settled,
	snapshotOf,
	tool,
	tools,
	uncertain,
	webhook,
} from '../sample-events.ts';
import {rehearsal} from '../sample-rehearsal.ts';
import {keyNames} from '../../../source/tui/state/key-names.ts';
import {cutLine, lineWidth} from '../../../source/tui/text/span.ts';

/** A row of every kind, each with these texts for its names and words. */
const eventsOf = (long: string): readonly GatewayEventBody[] => [
	server(long, {state: 'needs-login', transport: 'http', trust: 'untrusted', tools: 3000, reason: long}),
	server(`${long}1`, {tools: 123_456}),
	approval('12345678', {server: long, tool: long, requestedAt: sampleTime - 3_700_000, hints: {destructiveHint: true}}),
	question('q', {asker: long, message: long}),
	proposal('p', {name: long, warnings: [long]}),
	uncertain('u', {server: long, tool: long}),
	settled('s', {server: long, tool: long, outcome: 'no_channel', scope: 'session', by: long}),
	webhook(long, {event: long, outcome: 'delivery_failed', reason: long, ms: 240_000}),
	finished('f', {server: long, tool: long, outcome: 'outcome_uncertain', ms: 240_000}),
	{type: 'delivery.settled', target: long, delivery: long, route: long, outcome: 'failed', code: 'call_failed'},
	log(long, {level: 'warning', area: long}),
	run('r', {state: 'interrupted', route: long, event: long, prompt: long}),
	job('j', {name: long, schedule: long, lastStatus: long}),
	route(long, {deliver: long, events: [long]}),
	route(`${long}1`, {state: 'skipped', deliver: long, events: [long], reason: long}),
	failing(long, {target: long}),
	call('c', {server: long, tool: long, registeredName: long}),
	{type: 'tool.progress', callId: 'c', progress: 3, total: 10, message: long},
	{type: 'model.state', provider: long, model: long, source: 'local', reason: long},
	{type: 'endpoint.state', state: 'listening', url: `http://${long}`},
	{type: 'platform.state', platform: long, state: 'unusable', reason: long},
	login(long, {state: 'awaiting-redirect', flow: 'browser', userCode: long, expiresAt: sampleTime + 3_700_000}),
	login(`${long}1`, {state: 'discovering', flow: 'browser', reason: long}),
	tools(tool(long, {server: long, approval: 'remembered', hints: {destructiveHint: true, openWorldHint: true}})),
	rules(
		rule('r', {words: long, server: long, tool: long, scope: 'session', createdAt: 0}),
		rule('c', {words: long, server: long, tool: long, source: 'config', uses: 9_999_999, lastUsedAt: sampleTime}),
	),
	askers(
		asked(long, {server: long, tool: long, asked: 123_456, allowed: 100_000, denied: 23_456}),
		asked(long, {asker: {kind: 'claimed-client', name: long}, server: long, tool: long, denied: 0}),
	),
	rehearsal(),
	{
		type: 'view.server-calls',
		server: long,
		calls: [
			{
				callId: 'c',
				name: long,
				tool: long,
				arguments: long,
				origin: {kind: 'endpoint', client: long},
				at: 0,
				end: {outcome: 'outcome_uncertain', ms: 240_000},
			},
			{callId: 'd', name: long, tool: long, arguments: long, origin: {kind: 'command-line'}, at: 0},
		],
	},
];
const keys = keyNames({readOnly: false, snapshot: emptySnapshot});
const snapshot = snapshotOf(eventsOf('x'.repeat(60)));

test.each(allViews.flatMap(view => [38, 78, 98, 118, 158, 198].map(width => [view, width] as const)))(
	'no column of %s touches the next in %d cells',
	(view, width) => {
		const rows = viewRows(view, snapshot, '');
		expect(rows).not.toEqual([]);
		for (const row of rows) {
			const pieces = row
				.line(width, sampleTime, keys)
				.map(({text}) => text)
				.filter(text => text !== '');
			const touching = pieces.filter((text, index) => !text.endsWith(' ') && /^[^ ]/u.test(pieces[index + 1] ?? ' '));
			expect(touching).toEqual([]);
		}
	},
);

const namedViews = allViews.filter(view => view !== 'rehearsal');

test.each(namedViews)('a screen of 200 columns shows the names of %s whole', view => {
	const name = 'n'.repeat(24);
	const shown = snapshotOf(eventsOf(name));
	const lines = viewRows(view, shown, '').map(row =>
		row
			.line(198, sampleTime, keys)
			.map(({text}) => text)
			.join(''),
	);
	expect(lines).not.toEqual([]);
	expect(lines.filter(text => !text.includes(name))).toEqual([]);
});

const texts = {
	'of 4,000 characters': 'x'.repeat(4000),
	wide: '古いサーバー'.repeat(700),
	'right to left': 'שרת ישן מאוד '.repeat(300),
} as const;

test.each(Object.entries(texts))('names that are %s leave room for the columns behind them', (_, text) => {
	const shown = snapshotOf(eventsOf(text));
	for (const view of allViews) {
		const rows = viewRows(view, shown, '');
		expect(rows).not.toEqual([]);
		for (const width of [38, 78, 118, 198]) {
			for (const row of rows) {
				const line = row.line(width, sampleTime, keys);
				expect(lineWidth(line.slice(0, -1))).toBeLessThanOrEqual(width);
				expect(lineWidth(cutLine(line, width))).toBeLessThanOrEqual(width);
			}
		}
	}
});
