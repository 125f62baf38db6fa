import {expect, test} from 'vitest';
import {type Scope} from '../../../source/tui/state/key-scope.ts';
import {actionFor, keymap} from '../../../source/tui/state/keymap.ts';
import {openForm} from '../../../source/tui/state/form.ts';
import {formMode} from '../../../source/tui/state/form-mode.ts';
import {type Mode} from '../../../source/tui/state/mode.ts';
import {initialUiState, type UiState} from '../../../source/tui/state/ui-state.ts';
import {allViews} from '../../../source/tui/lists/view-table.ts';
import {emptyField} from '../../../source/tui/state/text-field.ts';
import {openReview} from '../../../source/tui/state/review.ts';
import {scopesOf} from '../../../source/tui/input/modes.ts';
import {approval, login, run, server, snapshotOf, started, traced} from '../sample-events.ts';

const origin = {kind: 'run', runId: 'r', route: 'push', deliveryId: 'd'} as const;
const subject = {kind: 'event', id: 'e1'} as const;
const ofEvent = {
	...traced(subject, {kind: 'event', eventId: 'e1'}),
	event: {id: 'e1', route: 'push', event: 'push'},
};
const busy = snapshotOf([started(), server('a'), approval('1', {origin}), login('a'), ofEvent]);
const empty = snapshotOf([started({configured: {servers: 0, routes: 0}})]);
const running = snapshotOf([started(), run('r', {state: 'running'})]);
const inbox = snapshotOf([started(), run('r', {state: 'inbox'})]);
const ofRun = snapshotOf([
	started(),
	approval('1', {origin: {kind: 'run', runId: 'r1', route: 'issues', deliveryId: 'd'}}),
]);
const field = emptyField;
const review = {...openReview(busy.approvals[0]!), seenLines: 1000};
const reviewOfRun = {...openReview(ofRun.approvals[0]!), seenLines: 1000};

const fields = [
	{name: 'word', title: '', description: '', need: 'required', kind: 'text'},
	{name: 'sure', title: '', description: '', need: 'required', kind: 'boolean'},
] as const;
const question = openForm({kind: 'question', id: '1'}, fields);
const call = openForm({kind: 'tool', name: 'x', profile: 'default'}, fields);
const page = openForm({kind: 'question', id: '1', url: {address: 'https://a.example/', host: 'a.example'}}, []);
/** On a text, on a value, at the end of a question and of a call, on a page to open. */
const forms: readonly Mode[] = [question, {...question, stop: 1}, {...question, stop: 3}, {...call, stop: 3}, page].map(
	form => formMode(form, {kind: 'browse'}),
);

const found = {words: 'x', rows: [0], at: 0};

const entry = {kind: 'server', name: 'a', profile: 'default'} as const;

/** The trace of an event, which has keys of its own. */
const trace: Mode = {
	kind: 'trace',
	id: '1',
	subject,
	profile: 'default',
	picked: 'subject',
	behind: {kind: 'browse'},
};

const modes: readonly Mode[] = [
	{kind: 'browse'},
	{kind: 'detail', id: 'x', scroll: 0},
	{kind: 'detail', id: 'x', scroll: 0, found},
	review,
	{...review, found},
	{...review, page: 'full'},
	{...review, page: 'always'},
	{...review, page: 'rule'},
	{kind: 'deny-message', review, field},
	{kind: 'confirm', question: {kind: 'quit'}, behind: {kind: 'browse'}},
	{kind: 'copy', behind: {kind: 'browse'}},
	{kind: 'confirm', question: {kind: 'suspend'}, behind: {kind: 'browse'}},
	{kind: 'page', subject: {kind: 'server-log', server: 'a'}, scroll: 0, behind: {kind: 'browse'}},
	trace,
	{kind: 'page', subject: {kind: 'run', runId: 'r1'}, scroll: 0, behind: trace},
	{kind: 'proposal', id: '1', again: undefined, scroll: 0, seenLines: 0, answers: 0, hint: ''},
	{kind: 'edit', entry, edit: {kind: 'busy'}, scroll: 0, behind: {kind: 'browse'}},
	{kind: 'edit', entry, edit: {kind: 'broken', errors: []}, scroll: 0, behind: {kind: 'browse'}},
	{kind: 'edit', entry, edit: {kind: 'valid', difference: '', notes: []}, scroll: 0, found, behind: {kind: 'browse'}},
	{kind: 'edit', entry, edit: {kind: 'unwritten', reason: '', path: ''}, scroll: 0, behind: {kind: 'browse'}},
	{kind: 'command', title: 'x', command: ['x'], scroll: 0, behind: {kind: 'browse'}},
	{kind: 'settled', title: 'over', what: '', why: '', scroll: 0},
	{kind: 'login', server: 'a', profile: 'default', scroll: 0},
	{kind: 'login', server: 'b', profile: 'default', scroll: 0},
	{kind: 'manual-call', requestId: 'hand-1', name: 'x', scroll: 0},
	{kind: 'prompt', purpose: {kind: 'start-run'}, field, behind: {kind: 'browse'}},
	...forms,
	{kind: 'help', scroll: 0, field, scopes: [], behind: {kind: 'browse'}},
	{kind: 'palette', field, behind: {kind: 'browse'}},
	{kind: 'faults', scroll: 0, behind: {kind: 'browse'}},
	{kind: 'filter', field},
	{kind: 'add-server', step: 'name', name: '', field, problem: ''},
];

/** On a screen of two columns: in the list, on the page beside it, and on one that was opened from there. */
const columnModes: readonly Mode[] = [
	{kind: 'browse'},
	{kind: 'detail', id: 'default/a', scroll: 0, place: 'column'},
	{...trace, place: 'column'},
	{kind: 'page', subject: {kind: 'run', runId: 'r1'}, scroll: 0, behind: {...trace, place: 'column'}},
];

const chains: ReadonlyArray<readonly Scope[]> = [
	...allViews.flatMap(view =>
		modes.map(mode => scopesOf({...initialUiState, view, mode}, {snapshot: busy, readOnly: false})),
	),
	...columnModes.map(mode =>
		scopesOf({...initialUiState, mode, size: {columns: 160, rows: 50}}, {snapshot: busy, readOnly: false}),
	),
	scopesOf({...initialUiState, mode: reviewOfRun}, {snapshot: ofRun, readOnly: false}),
	scopesOf({...initialUiState, view: 'you'}, {snapshot: inbox, readOnly: false}),
	scopesOf({...initialUiState, view: 'runs'}, {snapshot: running, readOnly: false}),
	scopesOf(initialUiState, {snapshot: empty, readOnly: false}),
	scopesOf({...initialUiState, size: {columns: 39, rows: 9}}, {snapshot: busy, readOnly: false}),
];

/** A narrower scope may take a key over on purpose: these do. */
const takenOver = new Set([
	'confirm-quit ctrl+c',
	'servers L',
	'found n',
	'found N',
	'found esc',
	'you-list space',
	'trace c',
	'reading ]',
	'reading [',
	// A running run is no inbox item, and no job of failed deliveries.
	'noted-run i',
	'columns right',
]);

test('no key has two meanings at once', () => {
	const clashes = chains.flatMap(chain =>
		chain.flatMap((scope, place) =>
			keymap
				.filter(binding => binding.scope === scope)
				.flatMap(binding => binding.keys)
				.filter(key => !takenOver.has(`${scope} ${key}`))
				.filter(
					(key, index, keys) => keys.indexOf(key) !== index || actionFor(chain.slice(place + 1), key) !== undefined,
				)
				.map(key => `${key} in ${chain.join(' > ')}`),
		),
	);
	expect(clashes).toEqual([]);
});

/** The scopes of the rows that are listed together, and of the pages that are opened from them. */
const places: ReadonlyArray<readonly Scope[]> = [
	['overview', 'servers', 'routes'],
	['you-list', 'you', 'servers', 'inbox', 'parts'],
	...(['runs', 'jobs', 'calls'] as const).map(view => ['traced-event', 'trace', view] as const),
];

test.each(places.map(place => [place.join(', '), place] as const))(
	'a letter means the same on every row and page of %s',
	(_, place) => {
		const bindings = keymap.filter(({scope}) => place.includes(scope));
		const letters = new Set(bindings.flatMap(({keys}) => keys).filter(key => /^[a-z]$/u.test(key)));
		const meanings = [...letters].map(letter => [
			letter,
			new Set(bindings.filter(({keys}) => keys.includes(letter)).map(({hint, action}) => hint ?? action)).size,
		]);
		expect(meanings).toEqual([...letters].map(letter => [letter, 1]));
	},
);

test('d denies or declines, and r reconnects or allows for a run, except where parts of a row are copied', () => {
	const actionsOf = (letter: string) =>
		new Set(keymap.filter(({keys, scope}) => keys.includes(letter) && scope !== 'copy').map(({action}) => action));
	expect(actionsOf('d')).toEqual(new Set(['deny', 'ask-to-deny', 'form-decline']));
	expect(actionsOf('r')).toEqual(new Set(['reconnect', 'approve-run']));
});

test('every scope of the table is reached', () => {
	const reached = new Set(chains.flat());
	expect(keymap.map(binding => binding.scope).filter(scope => !reached.has(scope))).toEqual([]);
});

test('letters that answer an approval exist on its own screens only', () => {
	const deciding = keymap.filter(({action}) => action.startsWith('approve') || action.startsWith('deny'));
	expect(new Set(deciding.map(binding => binding.scope))).toEqual(
		new Set(['review', 'approve', 'approve-run', 'approve-longer', 'full', 'always']),
	);
});

test('nothing can be decided where the screen is too small to show it', () => {
	const ui: UiState = {...initialUiState, mode: review, size: {columns: 39, rows: 9}};
	const scopes = scopesOf(ui, {snapshot: busy, readOnly: false});
	expect(['a', 's', 'w', 'd', 'enter'].map(key => actionFor(scopes, key))).toEqual([
		undefined,
		undefined,
		undefined,
		undefined,
		undefined,
	]);
});
