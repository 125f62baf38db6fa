import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {type Keys, openWith} from './open-with.ts';
import {
	approval,
	finished,
	inProfile,
	log,
	run,
	server,
	tool,
	tools,
	traced,
	uncertain,
	webhook,
} from './sample-events.ts';

const page: GatewayEventBody = {
	type: 'view.page',
	subject: {kind: 'call', callId: 'c1'},
	title: 'Call c1',
	sections: [
		{title: 'Call', text: 'began: now'},
		{title: 'Arguments, 1 value masked', text: '{\n  "a": 1\n}', layout: 'exact'},
		{title: 'Result', text: 'it is done', layout: 'exact'},
	],
};
const answered = run('r1', {state: 'finished', prompt: 'Look', answer: '# Done'});
const waiting = run('r2', {state: 'inbox', prompt: 'Triage'});

const copies: ReadonlyArray<
	readonly [name: string, events: readonly GatewayEventBody[], keys: Keys, key: string, text: string]
> = [
	['the name of a server', [server('a')], [], 'i', 'a'],
	['a server as a command', [inProfile('work', server("it's"))], [], 'c', `sluice --profile work mcp test 'it'\\''s'`],
	['a row', [log('something\nhappened')], [['W', 'something']], 'r', 'text: something happened'],
	['an event as a command', [webhook('push')], [['3', 'push']], 'c', 'sluice events show'],
	['the arguments of a request', [approval('1')], [['2', 'create_issue']], 'a', '"repo": "acme/app"'],
	['the arguments of an uncertain call', [uncertain('u')], [['2', 'uncertain']], 'a', '{'],
	['an uncertain call as a command', [uncertain('u')], [['2', 'uncertain']], 'c', 'sluice calls show u'],
	['an inbox item as a command', [waiting], [['2', 'Triage']], 'c', 'sluice runs show r2'],
	['the prompt of an inbox item', [waiting], [['2', 'Triage']], 'b', 'Triage'],
	['the answer of a run', [answered], [['4', 'Look']], 'o', '# Done'],
	[
		'the prompt of a run',
		[answered, traced({kind: 'run', id: 'r1'}, {kind: 'run', runId: 'r1'})],
		[
			['4', 'Look'],
			['\r', 'called'],
			['\r', 'prompt'],
		],
		'b',
		'Look',
	],
	['a tool as a command', [server('a'), tools(tool('find'))], [['t', 'find']], 'c', 'sluice mcp call'],
	[
		'the arguments of a call',
		[finished('c1'), traced({kind: 'call', id: 'c1'}, {kind: 'call', callId: 'c1'}), page],
		[
			['3', 'ok'],
			['\r', 'called'],
			['\r', 'it is done'],
		],
		'a',
		'"a": 1',
	],
	[
		'the result of a call',
		[finished('c1'), traced({kind: 'call', id: 'c1'}, {kind: 'call', callId: 'c1'}), page],
		[
			['3', 'ok'],
			['\r', 'called'],
			['\r', 'it is done'],
		],
		'o',
		'it is done',
	],
];

test.each(copies.map(([name, events, keys, key, text]) => ({name, events, keys, key, text})))(
	'y copies $name',
	async ({events, keys, key, text}) => {
		const {press, shows, terminal} = await openWith(events, [...keys, ['y', 'copy: ']]);
		await press(key);
		await shows('copied: ');
		const sent = /\u001B\]52;c;([A-Za-z0-9+/=]*)\u0007/u.exec(terminal.written())?.[1] ?? '';
		expect(Buffer.from(sent, 'base64').toString()).toContain(text);
	},
);

test('only what is there is offered, and Esc copies nothing', async () => {
	const {press, hides, terminal} = await openWith([server('a')], [['y', 'i id  r row  c command']]);
	for (const key of ['a', 'b', 'o', '\u001B']) {
		await press(key);
	}

	await hides('copy: ');
	expect(terminal.written()).not.toContain('\u001B]52;c;');
});

test('what is more than terminals take for their clipboard is not sent, and said so', async () => {
	const long = run('r1', {state: 'finished', prompt: 'Look', answer: 'x'.repeat(80_000)});
	const {press, shows, terminal} = await openWith(
		[long],
		[
			['4', 'Look'],
			['y', 'copy: '],
		],
	);
	await press('o');
	await shows('not copied: 80,000 bytes');
	expect(terminal.written()).not.toContain('\u001B]52;c;');
});
