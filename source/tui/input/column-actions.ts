import {type CallEnd} from '../../state/gateway-call.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {besidePage, lackedPage, pageSize} from '../pages/page-column.ts';
import {callOfMode} from '../pages/row-page.ts';
import {columnRoot, type Mode, type RowMode, shownMode} from '../state/mode.ts';
import {selectedRow} from '../state/selection.ts';
import {stay, type Step, type UiContext, type UiState, withCall, withMode} from '../state/ui-state.ts';
import {showSelected} from './navigation.ts';
import {followOpen} from './trace-actions.ts';

/** The cursor has rested when it was so long on one row: no repeated key takes longer. */
export const restMilliseconds = 200;

/** Counts the time since the page beside the list became another one that the gateway is to be asked for. */
export function createRestTimer(clock: Clock, onRest: () => void) {
	let lacked: string | undefined;
	let timer: Timer | undefined;
	const cancel = () => timer?.cancel();
	return {
		cancel,
		follow(view: string, page: RowMode | undefined): void {
			const next = page && [view, page.kind, page.id].join(' ');
			if (next === lacked) {
				return;
			}

			lacked = next;
			cancel();
			if (next !== undefined) {
				timer = clock.after(restMilliseconds, () => {
					lacked = undefined;
					onRest();
				});
			}
		},
	};
}

/** The cursor has rested: the gateway is asked for the page of its row, one at a time. */
export function cursorRested(ui: UiState, context: UiContext): Step {
	const mode = lackedPage(ui, context.snapshot);
	const call = mode && callOfMode(mode, ui.view, context.snapshot);
	return mode && call ? withColumn(withCall(ui, call, context), mode) : stay(ui);
}

/** The step with its page and its call as those of the column. */
function withColumn({ui, calls}: Step, mode: RowMode): Step {
	const [call] = calls;
	return {ui: {...ui, column: {view: ui.view, mode, call, state: call ? 'asking' : 'answered'}}, calls};
}

/** The events that keep an open page live keep the one beside the list live, too. */
export function followPages(ui: UiState, context: UiContext): Step {
	const {column, mode} = ui;
	const beside = column && besidePage({ui, snapshot: context.snapshot, size: ui.size});
	if (!column || beside !== column.mode || columnRoot(shownMode(mode))) {
		return followOpen(ui, context);
	}

	const open = withMode(ui, column.mode);
	const step = followOpen(open, context);
	const followed = columnRoot(step.ui.mode);
	return step.ui === open || !followed ? stay(ui) : withColumn({...step, ui: withMode(step.ui, mode)}, followed);
}

/** The column after a call has ended: its own, or one that may have put another page in the place of its page. */
export function columnAfterCall(ui: UiState, {call}: CallEnd): UiState {
	const {column} = ui;
	if (!column || column.call === undefined) {
		return ui;
	}

	const state = column.call === call ? 'answered' : column.state === 'answered' ? 'stale' : column.state;
	return state === column.state ? ui : {...ui, column: {...column, state}};
}

/** Leaves the list for the page beside it; the row stays picked, also in a list that followed the newest. Equal rows are shown or folded. */
export function readBeside(ui: UiState, context: UiContext): Step {
	const row = selectedRow(ui, context.snapshot);
	const page = besidePage({ui, snapshot: context.snapshot, size: ui.size});
	return !row || row.fold || !page
		? showSelected(ui, context)
		: stay(withMode({...ui, selected: {...ui.selected, [ui.view]: row.id}}, page));
}

/** Shows alone what is read beside the list. */
export function readAlone(ui: UiState, context: UiContext): Step {
	return columnRoot(ui.mode) === ui.mode
		? showSelected(withMode(ui, {kind: 'browse'}), context)
		: stay(withMode(ui, alone(ui.mode)));
}

function alone(mode: Mode): Mode {
	if (mode.kind === 'page') {
		return {...mode, behind: alone(mode.behind)};
	}

	if (mode.kind !== 'detail' && mode.kind !== 'trace') {
		return mode;
	}

	const {place: _, ...rest} = mode;
	const behind = mode.kind === 'detail' && mode.behind ? alone(mode.behind) : undefined;
	return behind?.kind === 'trace' && rest.kind === 'detail' ? {...rest, behind} : rest;
}

/** A page that was read beside its list is there, at the same lines, once it is left. */
export function withReadColumn(ui: UiState): UiState {
	const mode = columnRoot(shownMode(ui.mode));
	if (!mode || ui.column?.mode === mode) {
		return ui;
	}

	const isSame = ui.column?.view === ui.view && ui.column.mode.id === mode.id;
	return {...ui, column: isSame ? {...ui.column, mode} : {view: ui.view, mode, state: 'stale'}};
}

/** A step of a page that is read beside its list, with the size at which that is drawn. */
export function atPageSize(ui: UiState, context: UiContext, step: (sized: UiState) => Step): Step {
	const size = pageSize(ui, context);
	if (size === ui.size) {
		return step(ui);
	}

	const next = step({...ui, size});
	return {...next, ui: {...next.ui, size: ui.size}};
}
