import {type Snapshot} from '../../state/snapshot.ts';
import {shellWord, typedFlags} from '../../util/named-commands.ts';
import {indentJson} from '../../util/json-text.ts';
import {uncertainId} from '../../state/entities/uncertain.ts';
import {type Fields, type ListRow} from '../lists/list-row.ts';
import {type ViewName} from '../lists/view-table.ts';
import {isPart} from '../pages/page-lines.ts';
import {detailPage} from '../pages/traced-row.ts';
import {type Mode} from '../state/mode.ts';
import {pickedRow} from '../state/selection.ts';
import {type UiContext, type UiState, withCopied, withMode, withToast} from '../state/ui-state.ts';
import {shownValue} from '../../util/shown-json.ts';
import {withoutGutters} from '../text/value-rows.ts';

/** The parts of a row that can be copied. */
export type CopyPart = 'id' | 'row' | 'arguments' | 'body' | 'result' | 'command';

type Parts = Readonly<Partial<Record<CopyPart, string>>>;

/** The menu of what can be copied of the picked row. */
export function showCopyMenu(ui: UiState, context: UiContext): UiState {
	return Object.keys(copyParts(ui, context)).length === 0
		? withToast(ui, 'there is nothing to copy', 'busy')
		: withMode(ui, {kind: 'copy', behind: ui.mode});
}

/** Copies a part of the picked row, and leaves the menu. */
export function copyPart(ui: UiState, part: CopyPart, context: UiContext): UiState {
	const text = copyParts(ui, context)[part];
	return text === undefined ? ui : withCopied(withMode(ui, openedFrom(ui.mode)), text);
}

/** True if the picked row lacks this part. */
export function isWithout(part: CopyPart, ui: UiState, context: UiContext): boolean {
	return copyParts(ui, context)[part] === undefined;
}

function openedFrom(mode: Mode): Mode {
	return mode.kind === 'copy' ? mode.behind : mode;
}

/** All parts of what is open or picked that are here; the arguments, bodies and results of the journal only while their page is open. */
function copyParts(menu: UiState, {snapshot}: UiContext): Parts {
	const ui = withMode(menu, openedFrom(menu.mode));
	const row = pickedRow(ui, snapshot);
	const fields = row?.fields() ?? {};
	return present({
		id: idOf(fields),
		row: rowText(fields),
		command: row && commandFor(ui.view, fields),
		...openParts(ui, snapshot),
		...(row && rowParts(ui.view, row, snapshot)),
	});
}

function present(parts: Readonly<Partial<Record<CopyPart, string | undefined>>>): Parts {
	return Object.fromEntries(Object.entries(parts).filter(([, text]) => text !== undefined && text !== ''));
}

/** The field by which a row is known elsewhere: its id where it has one, else its name. */
export function idOf(fields: Fields): string | undefined {
	const known = ['id', 'name', 'delivery', 'route', 'job', 'server'] as const;
	return known.map(name => fields[name] ?? '').find(text => text !== '');
}

/** `route: pulls, status: 202`: all that is known of a row in one line. */
function rowText(fields: Fields): string {
	return Object.entries(fields)
		.filter(([, text]) => text !== '')
		.map(([name, text]) => `${name}: ${text.replaceAll('\n', ' ')}`)
		.join(', ');
}

/** The command that shows the row in a terminal, or does the usual thing with it. */
function commandFor(view: ViewName, fields: Fields): string | undefined {
	const words = commandWords(view, fields);
	return words && ['sluice', ...typedFlags({profile: fields['profile']}), ...words].join(' ');
}

function commandWords(view: ViewName, fields: Fields): readonly string[] | undefined {
	return commands[view]?.(fields, name => shellWord(fields[name] ?? ''));
}

type Words = (fields: Fields, word: (name: string) => string) => readonly string[] | undefined;

const callWords: Words = ({id = ''}) => ['calls show', id];
const routeWords: Words = (_, word) => ['webhook test', word('route')];

/** By view, the command for a row. */
const commands: Readonly<Partial<Record<ViewName, Words>>> = {
	events: ({type, id = ''}) =>
		type === 'webhook' ? ['events show', id] : type === 'call' ? ['calls show', id] : undefined,
	you: ({state = '', id = ''}) => wordsInYou(state, id),
	overview: (fields, word) =>
		Object.hasOwn(fields, 'server') ? ['mcp test', word('server')] : routeWords(fields, word),
	runs: ({id = ''}) => ['runs show', id],
	jobs: ({id = ''}) => ['cron run', id],
	routes: routeWords,
	calls: callWords,
	'server-calls': callWords,
	tools: (_, word) => ['mcp call', word('name')],
};

function wordsInYou(state: string, id: string): readonly string[] | undefined {
	switch (state) {
		case 'waiting':
			return ['approvals allow', id];
		case 'uncertain':
			return ['calls show', id];
		case 'inbox':
			return ['runs show', id];
		default:
			return undefined;
	}
}

/** The parts from the row itself. */
function rowParts(view: ViewName, {id}: ListRow, snapshot: Snapshot): Readonly<Partial<Record<CopyPart, string>>> {
	const sent =
		view === 'you'
			? (snapshot.approvals.find(card => card.id === id)?.arguments ??
				snapshot.uncertain.find(call => uncertainId(call) === id)?.arguments)
			: undefined;
	if (sent) {
		return {arguments: indentJson(shownValue(sent))};
	}

	const run = view === 'runs' || view === 'you' ? snapshot.runs.find(({runId}) => runId === id) : undefined;
	return run ? {body: run.prompt, result: run.answer} : {};
}

/** The parts from the open page of the gateway, or from the result of a call by hand. */
function openParts({mode, view}: UiState, snapshot: Snapshot): Readonly<Partial<Record<CopyPart, string | undefined>>> {
	if (mode.kind === 'manual-call') {
		return {result: snapshot.manualCall?.requestId === mode.requestId ? snapshot.manualCall.text : undefined};
	}

	const {page} = snapshot;
	const subject =
		mode.kind === 'detail'
			? detailPage(view, mode.id, snapshot)?.subject
			: mode.kind === 'page'
				? mode.subject
				: undefined;
	if (!page || !subject || !isPart(page, subject, 'part' in mode ? (mode.part ?? 1) : 1)) {
		return {};
	}

	const section = (...titles: readonly string[]) => {
		const found = page.sections.find(({title}) => titles.some(name => title === name || title.startsWith(`${name},`)));
		return found && (found.copy ?? (found.layout === 'lines' ? withoutGutters(found.text) : found.text));
	};

	const isText = subject.kind === 'dry-run' || subject.kind === 'server-log';
	return isText
		? {body: page.sections.map(({text}) => text).join('\n')}
		: {arguments: section('Arguments'), body: section('Body', 'Text'), result: section('Result', 'Error', 'Answer')};
}
