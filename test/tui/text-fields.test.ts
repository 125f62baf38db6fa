import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {openWith, over, type Keys} from './open-with.ts';
import {openDashboard} from './open-dashboard.ts';
import {approval, proposal, question, server, started} from './sample-events.ts';

/** As terminals send them. */
const keys = {
	ctrlA: '\u0001',
	ctrlE: '\u0005',
	ctrlW: '\u0017',
	ctrlU: '\u0015',
	ctrlK: '\u000B',
	altB: '\u001Bb',
	altF: '\u001Bf',
	home: '\u001B[H',
	end: '\u001B[F',
	erase: '\u001B[3~',
	left: '\u001B[D',
	backspace: '\u007F',
	ctrlLeft: '\u001B[1;5D',
};

/** Every field of the dashboard: the keys that open it, and how the line in it shows. */
const fields: ReadonlyArray<{name: string; events: readonly GatewayEventBody[]; open: Keys; label: string}> = [
	{name: 'the filter', events: [server('a')], open: [['/', 'word key:value']], label: ' / '},
	{name: 'the palette', events: [server('a')], open: [[':', 'reload-mcp']], label: ' : '},
	{
		name: 'the message of a denial',
		events: [server('a'), approval('1')],
		open: [
			['A', 'APPROVAL'],
			['m', 'deny, because'],
		],
		label: ' deny, because: ',
	},
	{name: 'a field of a form', events: [server('a'), question('q')], open: [['A', 'QUESTION']], label: ' > '},
	{
		name: 'the name of a new server',
		events: [server('a')],
		open: [['a', 'Add a tool server']],
		label: ' name      ',
	},
	{
		name: 'the prompt of a run',
		events: [server('a'), over],
		open: [
			['4', 'Work'],
			['w', 'follow-up'],
		],
		label: ' follow-up: ',
	},
	{
		name: 'a search',
		events: [server('a'), approval('1')],
		open: [
			['A', 'APPROVAL'],
			['v', 'all of it'],
			['/', 'search:'],
		],
		label: ' search: ',
	},
];

describe.each(fields)('in $name', ({events, open, label}) => {
	test('the keys of readline move and erase', async () => {
		const {press, shows} = await openWith(events, open);
		await press('two three');
		await shows(`${label}two three`);
		for (const [typed, line] of [
			[`${keys.home}1 `, '1 two three'],
			[`${keys.end}x`, '1 two threex'],
			[keys.backspace, '1 two three'],
			[keys.altB, '1 two three'],
			['_', '1 two _three'],
			[keys.ctrlLeft, '1 two _three'],
			[keys.erase, '1 two three'],
			[`${keys.left}${keys.ctrlW}`, '1  three'],
			[`${keys.altF}!`, '1  three!'],
			[`${keys.ctrlA}${keys.erase}`, '  three!'],
			[`${keys.ctrlE}${keys.left}${keys.ctrlK}`, '  three'],
			[`${keys.ctrlU}again`, 'again'],
		] as const) {
			// Each key is an event of its own, as a person types.
			for (const key of typed.match(/\u001B(?:\[[\d;]*[A-Z~]|[a-z])|[^]/gu) ?? []) {
				await press(key);
			}

			await shows(`${label}${line}`);
		}
	});
});

test('a name is changed in its middle, and sent as it stands', async () => {
	const {press, shows, sent} = await openWith([server('a'), proposal('p1')], [['A', 'Install a tool server?']]);
	await press('m');
	await shows('install as: tracker');
	await press(keys.home);
	await press('my-');
	await press('\r');
	expect(sent).toEqual([
		{method: 'proposals.answer', params: {id: 'p1', answer: {kind: 'rename', name: 'my-tracker'}}, profile: 'default'},
	]);
});

test('a paste stands at the cursor, up to its first line break', async () => {
	const {press, shows, sent} = await openWith([server('a')], [['/', 'word key:value']]);
	await press('ac');
	await press(keys.left);
	await press('\u001B[200~b\nq\u001B[201~');
	await shows(' / abc');
	expect(sent).toEqual([]);
});

test('what follows the Enter of a chunk acts on nothing', async () => {
	const {press, shows, sent} = await openDashboard({events: [started(), server('a')]});
	await press('/');
	await press('a\rq');
	await shows('filter: a');
	expect(sent).toEqual([]);
	await press('q');
	expect(sent).toEqual([{type: 'stop', force: false}]);
});

test('keys in one chunk move from a field to the values behind it', async () => {
	await openWith(
		[
			server('a'),
			question('q', {
				fields: [
					{name: 'repo', title: '', description: '', need: 'required', kind: 'text'},
					{name: 'sure', title: '', description: '', need: 'required', kind: 'boolean'},
				],
			}),
		],
		[
			['A', 'QUESTION'],
			['\t\t', '> ○ no'],
		],
	);
});
