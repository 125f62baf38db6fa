import {stripVTControlCharacters} from 'node:util';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {frameAfter} from './frame-after.tsx';
import {
	approval,
	call,
	job,
	log,
	login,
	proposal,
	question,
	route,
	rule,
	rules,
	run,
	server,
	started,
	tool,
	tools,
	uncertain,
	webhook,
} from './sample-events.ts';
import {rehearsal, unfinished} from './sample-rehearsal.ts';

const long = '古いサーバー and a long tail '.repeat(12);
const base = [started({webhookUrl: 'http://127.0.0.1:8644'}), server('github', {state: 'needs-login'})];

/** Every overlay and list of the dashboard, and the keys that open it. */
const overlays: ReadonlyArray<readonly [string, readonly GatewayEventBody[], readonly string[]]> = [
	[
		'a form',
		[
			question('q', {
				message: long,
				fields: [
					{name: 'text', title: long, description: long, need: 'required', kind: 'text', defaultValue: long},
					{name: 'sure', title: '', description: '', need: 'optional', kind: 'boolean'},
				],
			}),
		],
		['A'],
	],
	['the end of a form', [question('q', {fields: []})], ['A']],
	['an install dialog', [proposal('p', {entryLines: [long, long], warnings: [long]})], ['A']],
	['a login', [login('github', {verificationUriComplete: `https://auth.example.com/${'x'.repeat(200)}`})], ['L']],
	['the beginning of a login', [], ['L']],
	['all logins', [login('github', {reason: long, state: 'failed'})], ['W', 'L']],
	['tools', [tools(tool('find', {description: long}), tool('a'.repeat(90)))], ['t']],
	['a tool', [tools(tool('find', {description: long}))], ['t', '\r']],
	['the form of a call', [tools(tool('find', {description: long}))], ['t', 'e']],
	['an uncertain call', [uncertain('u', {arguments: {note: long}, reason: long})], ['2', '\r']],
	['calls', [call('c'), {type: 'tool.progress', callId: 'c', progress: 3, total: 10, message: long}], ['7']],
	['rules', [{...rules(rule('r', {words: long})), problem: {reason: long, inForce: 'no-tool-calls'}}], ['R']],
	['a rule', [rules(rule('r', {words: long, reason: long}))], ['R', '\r']],
	['a rehearsal', [rehearsal({}, long)], ['R', 't']],
	['a rehearsal that runs', [unfinished({state: 'running', calls: 99_999})], ['R', 't']],
	['a rehearsal that failed', [unfinished({state: 'failed', reason: long})], ['R', 't']],
	['the figures of a rehearsal', [rehearsal({}, long)], ['R', 't', '\r']],
	['a question before a rule is removed', [rules(rule('r', {words: long}))], ['R', 'x']],
	['a question that is longer than any screen', [route('x'.repeat(12_000))], ['6', 'p']],
	['jobs', [job('1', {schedule: long, lastStatus: long})], ['5']],
	['routes', [route('push', {reason: long, state: 'failed'})], ['6']],
	[
		'a run',
		[run('r', {state: 'running', prompt: long, model: long}), {type: 'run.text', runId: 'r', text: long}],
		['4', '\r'],
	],
	['a line to write', [run('r', {state: 'inbox'})], ['4', 'w', long]],
	['an event page', [webhook('push')], ['3', '\r']],
	['a question before a command', [route('push')], ['6', 'p']],
];

const sizes = [
	[40, 10],
	[60, 20],
	[80, 24],
	[100, 30],
	[120, 40],
	[159, 50],
	[160, 50],
	[200, 60],
] as const;
const screens = sizes.flatMap(([columns, rows]) =>
	overlays.map(([name, events, keys]) => ({name, events, keys, columns, rows})),
);

test.each(screens)('$name fills $columns x $rows exactly', ({events, keys, columns, rows}) => {
	const shown = frameAfter([...base, ...events], keys, {columns, rows});
	expect(shown).toHaveLength(rows);
	expect(Math.max(...shown.map(row => stringWidth(row)))).toBeLessThanOrEqual(columns);
	expect(stripVTControlCharacters(shown.at(-1) ?? '').trim()).not.toBe('');
	expect(shown[0]).toMatch(/sluice/u);
});

const names = {
	'of 4,000 characters': 'x'.repeat(4000),
	wide: '古いサーバー'.repeat(700),
	'right to left': 'שרת ישן מאוד '.repeat(300),
} as const;
const namedScreens = Object.entries(names).flatMap(([kind, name]) =>
	[
		{columns: 40, rows: 10},
		{columns: 80, rows: 24},
		{columns: 200, rows: 60},
	].map(size => ({kind, name, ...size})),
);

test.each(namedScreens)('no list with names that are $kind is wider than $columns x $rows', ({name, ...size}) => {
	const events = [
		server(name, {state: 'failed', reason: name}),
		approval('a', {server: name, tool: name, arguments: {text: name}}),
		webhook(name, {event: name, reason: name}),
		webhook(name, {event: name, reason: name}),
		call('c', {server: name, tool: name}),
		run('r', {route: name, event: name, prompt: name}),
		job('j', {name, schedule: name}),
		route(name, {reason: name, state: 'failed'}),
		log(name, {area: name}),
		log(name, {area: name}),
		{type: 'platform.state', platform: name, state: 'unusable', reason: name},
	] as const;
	for (const key of ['1', '2', '3', '4', '5', '6', '7', 'W', 'P']) {
		const shown = frameAfter(events, [key], size);
		expect(shown).toHaveLength(size.rows);
		expect(Math.max(...shown.map(row => stringWidth(row)))).toBeLessThanOrEqual(size.columns);
	}
});
