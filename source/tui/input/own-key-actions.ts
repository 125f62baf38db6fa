import {type Snapshot} from '../../state/snapshot.ts';
import {proposalId, questionId} from '../../state/entities/question.ts';
import {uncertainId} from '../../state/entities/uncertain.ts';
import {shownName} from '../../util/safe-text.ts';
import {type Fields} from '../lists/list-row.ts';
import {type CommandEnd, type OwnKey, type Placeholder, placeholderOf} from '../state/local-programs.ts';
import {isTextMode, type Mode} from '../state/mode.ts';
import {pickedRow, selectedRow} from '../state/selection.ts';
import {
	refused,
	stay,
	type Step,
	type UiContext,
	type UiState,
	withMode,
	withReview,
	withToast,
} from '../state/ui-state.ts';
import {idOf} from './copy-actions.ts';
import {program} from './entry-actions.ts';

/** Modes in which own keys act: lists, and pages of their rows. */
const actingModes: ReadonlySet<Mode['kind']> = new Set(['browse', 'detail', 'page', 'trace']);

/** The own key of this name in the open view; none where letters are text. A key that Sluice binds there never comes here. */
export function ownKeyOf(ui: UiState, name: string, {ownKeys = []}: UiContext): OwnKey | undefined {
	const isHere = ({key, view}: OwnKey) => key === name && (view === undefined || view === ui.view);
	return isTextMode(ui.mode) || ui.mode.kind === 'edit' ? undefined : ownKeys.find(isHere);
}

/** Runs the command of an own key for the picked row, where nothing is decided. */
export function runOwnKey(ui: UiState, key: OwnKey, context: UiContext): Step {
	if (!actingModes.has(ui.mode.kind)) {
		const hint = 'your own keys do nothing here';
		return stay(withToast(withReview(ui, {hint}), hint, 'busy'));
	}

	if (context.readOnly) {
		return refused(ui);
	}

	if (ui.command !== undefined) {
		return stay(withToast(ui, `"${ui.command}" is still running`, 'busy'));
	}

	const words = wordsFor(ui, key, context.snapshot);
	if (words.kind === 'none') {
		return stay(withToast(ui, words.reason, 'busy'));
	}

	const {command} = words;
	const page = withMode(ui, {kind: 'command', title: key.title, command, scroll: 0, behind: ui.mode});
	return program({...page, command: key.title}, {do: 'run', command});
}

/** Ends the command that is running. */
export function endCommand(ui: UiState): Step {
	return program(ui, {do: 'end-command'});
}

/** The dashboard after a command ended: its page has the outcome, and a line where that was left. */
export function commandEnded(ui: UiState, end: CommandEnd): UiState {
	const {mode, command: title = ''} = ui;
	const over = {...ui, command: undefined};
	return mode.kind === 'command' && mode.end === undefined
		? withMode(over, {...mode, end})
		: withToast(over, `"${title}" ${end.words}`, end.outcome === 'done' ? 'good' : 'bad');
}

type CommandFor =
	| {readonly kind: 'command'; readonly command: OwnKey['command']}
	| {readonly kind: 'none'; readonly reason: string};

/** The command with the names of the picked row in its words. */
function wordsFor(ui: UiState, {command}: OwnKey, snapshot: Snapshot): CommandFor {
	const [program, ...args] = command;
	const needed = args.flatMap(word => placeholderOf(word) ?? []);
	if (needed.length === 0) {
		return {kind: 'command', command};
	}

	if (ui.mode.kind === 'browse' && selectedRow(ui, snapshot)?.fold !== undefined) {
		return {kind: 'none', reason: 'several equal rows: press enter to show them, then pick one'};
	}

	const row = pickedRow(ui, snapshot);
	const fields = row?.fields() ?? {};
	const ids = [row?.id, idOf(fields)];
	const isRequest = ids.some(id => id !== undefined && isWaiting(id, snapshot));
	const fault = needed.map(name => faultOf(name, fields, isRequest)).find(reason => reason !== undefined);
	const words = args.map(word => {
		const name = placeholderOf(word);
		return name === undefined ? word : valueOf(name, fields);
	});
	return fault === undefined ? {kind: 'command', command: [program, ...words]} : {kind: 'none', reason: fault};
}

function valueOf(name: Placeholder, fields: Fields): string {
	return (name === 'id' ? idOf(fields) : fields[name]) ?? '';
}

/** A word that a program cannot take for one of its options. */
const plainName = /^[\p{L}\p{N}][^\p{C}]*$/u;

/** The reason that a command cannot have this name of the row. */
function faultOf(name: Placeholder, fields: Fields, isRequest: boolean): string | undefined {
	const value = valueOf(name, fields);
	if (value === '') {
		return `this row has no ${name}`;
	}

	if (name === 'id' && isRequest) {
		return 'no command is given the id of a waiting request';
	}

	return plainName.test(value)
		? undefined
		: `${shownName(value)} is given to no command: it does not begin with a letter or a digit`;
}

/** True for the id of what waits to be decided, or of its row. */
function isWaiting(id: string, {approvals, questions, proposals, uncertain}: Snapshot): boolean {
	return [
		...approvals.map(row => row.id),
		...questions.flatMap(row => [row.id, questionId(row)]),
		...proposals.flatMap(row => [row.id, proposalId(row)]),
		...uncertain.flatMap(row => [row.callId, uncertainId(row)]),
	].includes(id);
}
