import {type PromptPurpose} from '../state/mode.ts';
import {isMarked, markedRows, maxMarks, denials, requestDigest} from '../state/marks.ts';
import {listPosition, moveSelection, selectedRow} from '../state/selection.ts';
import {emptyField} from '../state/text-field.ts';
import {
	refused,
	stay,
	type Step,
	type UiContext,
	type UiState,
	withAwaited,
	withMode,
	withToast,
} from '../state/ui-state.ts';

/** True if the picked row is no request and cannot be marked. */
export function isUnmarkable(ui: UiState, {snapshot}: UiContext): boolean {
	const id = selectedRow(ui, snapshot)?.id;
	return id === undefined || requestDigest(id, snapshot) === undefined;
}

/** True if no request in the list can be marked. */
export function hasNoRequest(_: UiState, {snapshot}: UiContext): boolean {
	const {approvals, questions, proposals} = snapshot;
	return approvals.length + questions.length + proposals.length === 0;
}

/** Marks the picked request, or takes its mark away, and goes on to the next row. */
export function toggleMark(ui: UiState, context: UiContext): UiState {
	const {snapshot} = context;
	const id = selectedRow(ui, snapshot)?.id;
	if (id === undefined || isUnmarkable(ui, context)) {
		return withToast(ui, 'only a waiting request can be marked', 'busy');
	}

	const marked = isMarked(id, ui, snapshot) ? withoutMarks(ui, [id]) : withMarks(ui, [id], context);
	return moveSelection(marked, 'down', snapshot);
}

/** Marks the requests that the list shows, as many as can be; takes the marks away where all of them are marked. */
export function toggleShownMarks(ui: UiState, context: UiContext): UiState {
	const {snapshot} = context;
	const shown = listPosition(ui, 'you', snapshot)
		.rows.map(({id}) => id)
		.filter(id => requestDigest(id, snapshot) !== undefined);
	if (shown.length === 0) {
		return withToast(ui, 'no request here can be marked', 'busy');
	}

	const unmarked = shown.filter(id => !isMarked(id, ui, snapshot));
	return unmarked.length === 0 ? withoutMarks(ui, shown) : withMarks(ui, unmarked, context);
}

function withMarks(ui: UiState, ids: readonly string[], {snapshot}: UiContext): UiState {
	const room = maxMarks - markedRows(ui, snapshot).length;
	const added = ids.slice(0, room).map(id => [id, requestDigest(id, snapshot) ?? ''] as const);
	const marked = {...ui, marks: new Map([...ui.marks, ...added])};
	return ids.length > room
		? withToast(marked, `${maxMarks} requests are marked, the maximum; ${ids.length - room} are not`, 'busy')
		: marked;
}

function withoutMarks(ui: UiState, ids: readonly string[]): UiState {
	return {...ui, marks: new Map([...ui.marks].filter(([id]) => !ids.includes(id)))};
}

/** Asks whether the marked requests are to be denied, and why. */
export function askDenyMarked(ui: UiState, {snapshot}: UiContext): UiState {
	if (ui.marks.size === 0) {
		return withToast(ui, 'no request is marked', 'busy');
	}

	const waiting = markedRows(ui, snapshot);
	const gone = ui.marks.size - waiting.length;
	if (waiting.length === 0) {
		return withToast(
			{...ui, marks: new Map()},
			'the marked requests have changed or ended; nothing was denied',
			'busy',
		);
	}

	const marks = new Map([...ui.marks].filter(([id]) => waiting.includes(id)));
	return withMode(ui, {
		kind: 'prompt',
		purpose: {kind: 'deny-marked', marks, gone},
		field: emptyField,
		behind: ui.mode,
	});
}

/** Denies what was asked about, each as it was shown when it was marked. What has changed or ended meanwhile is not denied. */
export function denyMarked(
	ui: UiState,
	{purpose, message}: {readonly purpose: Extract<PromptPurpose, {kind: 'deny-marked'}>; readonly message: string},
	context: UiContext,
): Step {
	if (context.readOnly) {
		return refused(ui);
	}

	const {marks, gone} = purpose;
	const calls = denials(marks, context.snapshot, message);
	const others = gone + marks.size - calls.length;
	const unmarked = {...ui, marks: new Map<string, string>()};
	return calls.length === 0
		? stay(withToast(unmarked, 'all marked requests have changed or ended; nothing was denied', 'busy'))
		: {ui: withAwaited(unmarked, 'denying what was marked', {kind: 'denials', calls, denied: 0, others}), calls};
}
