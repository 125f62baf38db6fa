import {type Snapshot} from '../../state/snapshot.ts';
import {isOffered, namedFor, needsGateway} from '../state/key-names.ts';
import {type Scope} from '../state/key-scope.ts';
import {type OwnKey} from '../state/local-programs.ts';
import {type Binding, keymap} from '../state/keymap.ts';
import {allViews, viewLabel, type ViewName} from '../lists/view-table.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {cell, cutLine, type Line, span} from '../text/span.ts';
import {textWidth, wrapToWidth} from '../text/text-width.ts';

const viewTitles = Object.fromEntries(allViews.map(view => [view, viewLabel(view)])) as Readonly<
	Record<ViewName, string>
>;

/** The heading of each scope. */
export const scopeTitles: Readonly<Record<Scope, string>> = {
	...viewTitles,
	servers: 'on a server',
	'you-list': 'in the list of 2 You',
	inbox: 'on an inbox item in 2 You',
	'noted-run': 'on a run, and in its trace',
	routes: 'on a route',
	global: 'in every view',
	list: 'in lists',
	columns: 'in lists with the page of the row beside them',
	column: 'in details beside their list',
	'first-run': 'on the first screen',
	detail: 'in details',
	trace: 'in a trace',
	'traced-event': 'in the trace of an event',
	reading: 'in a text',
	search: 'in a text that can be searched',
	found: 'while a search is open',
	review: 'on a request',
	approve: 'on a request scrolled to its end',
	'approve-run': 'on a request of a run scrolled to its end',
	'approve-longer': 'on a request scrolled to its end, unless a rule asks',
	'approve-by-rule': 'on a call scrolled to its end, unless a rule asks',
	full: 'on the full request',
	always: 'on the "always allow" page',
	rule: 'on the page of a proposed rule',
	settled: 'on a settled request',
	entry: 'on a row with an entry',
	edit: 'on an edited entry',
	'edit-valid': 'on an edited entry without errors',
	command: 'on a command of your own',
	form: 'in a form',
	'form-text': 'in a text field of a form',
	'form-pick': 'on a choice in a form',
	'form-end': 'at the end of a form',
	'form-url': 'on a page that a server wants to have opened',
	'call-end': 'at the end of a call form',
	proposal: 'on an install proposal',
	'login-choice': 'before a login',
	'login-running': 'during a login',
	login: 'on a login',
	overlay: 'on requests, forms and logins',
	copy: 'in the choice of what to copy',
	confirm: 'on a question',
	'confirm-quit': 'on the question before quitting',
	help: 'on this page',
	text: 'in a text field',
	palette: 'in the list of commands',
	editing: 'while typing',
	'too-small': 'below 40x10',
	everywhere: 'everywhere',
};

/** The order in which the help page and the reference list the scopes. */
export const scopeSequence: readonly Scope[] = [
	'global',
	'list',
	'columns',
	'column',
	'overview',
	'servers',
	'first-run',
	'you-list',
	'you',
	'inbox',
	'noted-run',
	...allViews.filter(view => view !== 'overview' && view !== 'you'),
	'entry',
	'trace',
	'traced-event',
	'detail',
	'reading',
	'search',
	'found',
	'review',
	'approve',
	'approve-run',
	'approve-longer',
	'approve-by-rule',
	'full',
	'always',
	'rule',
	'settled',
	'edit-valid',
	'edit',
	'command',
	'form',
	'form-text',
	'form-pick',
	'form-end',
	'form-url',
	'call-end',
	'proposal',
	'login-choice',
	'login-running',
	'login',
	'overlay',
	'copy',
	'confirm',
	'confirm-quit',
	'text',
	'palette',
	'editing',
	'help',
	'too-small',
	'everywhere',
];

type HelpOptions = {
	/** The scopes that come first. */
	readonly first: readonly Scope[];
	/** The keys or words that are searched. */
	readonly typed: string;
	readonly ownKeys?: readonly OwnKey[] | undefined;
};

/** An own key with where it acts. */
function ownRow({key, title, view}: OwnKey): HelpRow {
	return {
		keys: [key],
		words: view === undefined ? title : uiText`${title} · in ${viewLabel(view)}`,
		where: 'your own keys',
	};
}

/** The help page: every binding of the keymap, by scope, `first` those of the view it was opened on; without those that decide or change something where one can only look, or that need a gateway that is gone. */
export function helpLines(
	width: number,
	offers: Parameters<typeof isOffered>[1],
	console: Snapshot['console'] = {state: 'opening'},
	{first, typed, ownKeys = []}: HelpOptions = {first: [], typed: ''},
): readonly Line[] {
	const offered = keymap
		.filter(({action}) => isOffered(action, offers) && !(console.state === 'lost' && needsGateway(action)))
		.map(binding => namedFor(binding, console));
	const bindings = matching(
		offered.map(binding => ({...binding, where: scopeTitles[binding.scope]})),
		typed.trim(),
	);
	const sequence = [...first, ...scopeSequence.filter(scope => !first.includes(scope))];
	const section = (title: string, rows: ReadonlyArray<Pick<Binding, 'keys' | 'words'>>): Line[] =>
		rows.length === 0 ? [] : [[span(` ${title}`, 'strong')], ...rows.flatMap(row => bindingLines(row, width)), []];
	const lines = [
		...section('your own keys', offers === 'looking' ? [] : matching(ownKeys.map(ownRow), typed.trim())),
		...sequence.flatMap(scope =>
			section(
				scopeTitles[scope],
				bindings.filter(binding => binding.scope === scope),
			),
		),
	];
	return lines.length === 0 ? [[span(' no key does that', 'dim')]] : lines;
}

/** A key, what it does, and the heading under which it is listed. */
type HelpRow = Pick<Binding, 'keys' | 'words'> & {readonly where: string};

/** The bindings of a key that was typed; else those that are described with all the words. */
function matching<Row extends HelpRow>(bindings: readonly Row[], typed: string): readonly Row[] {
	const ofKey = bindings.filter(({keys}) => keys.includes(typed));
	const words = typed.toLowerCase().split(/\s+/u);
	return ofKey.length > 0
		? ofKey
		: bindings.filter(({keys, words: about, where}) => {
				const text = [...keys, about, where].join(' ').toLowerCase();
				return words.every(word => text.includes(word));
			});
}

const keyCells = 20;

/** A key and what it does. Keys too long for their column have a line of their own, and words continue below. */
function bindingLines({keys, words}: Pick<Binding, 'keys' | 'words'>, width: number): Line[] {
	const names = `   ${keys.join(' ')}`;
	const parts = wrapToWidth(words, width - keyCells);
	const isLong = textWidth(names) >= keyCells;
	return [
		...(isLong ? [cutLine([span(names, 'accent')], width)] : []),
		...parts.map((part, index): Line => [cell(isLong || index > 0 ? '' : names, keyCells, 'accent'), span(part)]),
	];
}
