import {stripVTControlCharacters} from 'node:util';
import {describe, expect, test} from 'vitest';
import {actionKeys} from '../../source/state/next-action.ts';
import {helpLines} from '../../source/tui/pages/help-lines.ts';
import {isOffered} from '../../source/tui/state/key-names.ts';
import {type Binding, keymap} from '../../source/tui/state/keymap.ts';
import {paletteRows} from '../../source/tui/input/palette-rows.ts';
import {emptyField} from '../../source/tui/state/text-field.ts';
import {everyScreen} from './every-screen.ts';
import {frameAfter} from './frame-after.tsx';
import {snapshotOf} from './sample-events.ts';

const isDeciding = ({action}: Binding) => !isOffered(action, 'looking');
const decidingKeys = new Set(keymap.filter(isDeciding).flatMap(({keys}) => keys));
const lookingHints = keymap.flatMap(binding =>
	isDeciding(binding) || binding.hint === undefined
		? []
		: binding.keys.flatMap(key => [`${key} ${binding.hint}`, `${key}/`, `${key} ${binding.words}`]),
);

/** A key where texts name one: at the start, after a sign or a gap, or in a list of keys, with words behind it. */
const namedKey = /(?:^|[·>(:;,]\s?|\s{2,}|\b(?:press|or|then|and) )(?<key>[A-Za-z]|enter)(?= +[a-zä]|,| \(|$)/gu;

/** A row of the command palette with the key that sorts a list; on the page of a question it opens an address. */
const sorting = /^sort .* o$/u;

/** Every deciding key that a screen names. */
function namedKeys(rows: readonly string[]): string[] {
	return rows.flatMap(row => {
		const text = lookingHints.reduce(
			(rest, hint) => rest.replaceAll(hint, '…'),
			stripVTControlCharacters(row).replaceAll(/^[\s>]*/gu, ''),
		);
		return [...(sorting.test(text) ? '' : text).matchAll(namedKey)].flatMap(({groups}) =>
			decidingKeys.has(groups?.['key'] ?? '') ? [`${groups?.['key']} in "${text}"`] : [],
		);
	});
}

describe.each([
	[40, 10],
	[80, 24],
	[160, 50],
])('at %ix%i', (columns, rows) => {
	test.each(everyScreen)('%s names no key that decides where one can only look', (_, events, keys) => {
		expect(namedKeys(frameAfter(events, keys, {columns, rows, readOnly: true}))).toEqual([]);
	});

	test('where things can be decided, all but the screens without a decision name one', () => {
		const without = everyScreen.filter(
			screen => namedKeys(frameAfter(screen[1], screen[2], {columns, rows})).length === 0,
		);
		expect(without.map(([name]) => name).filter(name => !withoutDecision.has(name))).toEqual([]);
	});
});

const withoutDecision = new Set([
	'a release',
	'a command',
	'an empty command',
	'all of an approval',
	'a choice in a form',
	'the figures of a rehearsal',
	'a call of a rehearsal',
]);

test('the help of a dashboard where one can only look has no key that decides', () => {
	const shown = helpLines(200, 'looking').map(line =>
		line
			.map(({text}) => text.trim())
			.filter(Boolean)
			.join(' '),
	);
	const all = helpLines(200, 'everything').map(line =>
		line
			.map(({text}) => text.trim())
			.filter(Boolean)
			.join(' '),
	);
	const deciding = keymap.filter(isDeciding).map(({keys, words}) => `${keys.join(' ')} ${words}`);
	expect(deciding.filter(line => !all.includes(line))).toEqual([]);
	expect(
		shown.filter(
			line =>
				deciding.includes(line) &&
				!keymap.some(row => !isDeciding(row) && line === `${row.keys.join(' ')} ${row.words}`),
		),
	).toEqual([]);
});

test.each([
	['enable', 'toggle-server'],
	['login', 'login'],
	['switch-to-oauth', 'login'],
	['connect', 'reconnect'],
	['try-now', 'reconnect'],
	['reconnect', 'reconnect'],
] as const)('what to do next about a server (%s) names the key of the keymap', (kind, action) => {
	const key = keymap.find(binding => binding.action === action)?.keys[0];
	expect(actionKeys([{kind, server: 'a'}])).toMatch(new RegExp(`^${key} to `, 'u'));
});

test('no typed command that decides is offered where one can only look', () => {
	const snapshot = snapshotOf(everyScreen[1]?.[1] ?? []);
	const deciding = [
		'reload-mcp',
		'reconnect files',
		'disable files',
		'login github',
		'new-run',
		'demo',
		'add-server',
		'webhooks',
	];
	const offered = (readOnly: boolean) =>
		paletteRows({field: emptyField}, {recent: [], view: 'overview'}, {snapshot, readOnly}).filter(({command}) =>
			deciding.includes(command),
		);
	expect(offered(false)).toHaveLength(deciding.length);
	expect(offered(true)).toEqual([]);
});
