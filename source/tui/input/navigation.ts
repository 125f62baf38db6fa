import {type ProposalRow, type Snapshot} from '../../state/snapshot.ts';
import {waitingLogins} from '../../state/waiting.ts';
import {loginId} from '../lists/login-rows.ts';
import {proposalId, questionId} from '../../state/entities/question.ts';
import {targetOf} from '../lists/named-targets.ts';
import {isPart} from '../pages/page-lines.ts';
import {shownText} from '../pages/shown-text.ts';
import {callOfMode, rowPage} from '../pages/row-page.ts';
import {detailPage, pageCall} from '../pages/traced-row.ts';
import {questionMode} from '../state/form-mode.ts';
import {type Move} from '../state/keymap.ts';
import {end, isReadMode, type Mode, type PageMode, type ProposalMode, type ReadMode} from '../state/mode.ts';
import {openReview} from '../state/review.ts';
import {stay, type Step, type UiContext, type UiState, withCall, withMode, withToast} from '../state/ui-state.ts';
import {hasTab, tabViews, type ViewName, views} from '../lists/view-table.ts';
import {pageRows} from '../text/layout.ts';
import {isRuleLine} from '../text/span.ts';
import {readableRows} from '../components/toast-lines.ts';
import {listPosition, movedBy, moveSelection, selectedRow, toggleFold} from '../state/selection.ts';
import {scrollForm} from './form-actions.ts';
import {loginMode} from './login-actions.ts';
import {movePalette} from './palette-rows.ts';
import {moveReview} from './review-actions.ts';
import {moveLine, openLine} from './trace-actions.ts';

/** Shows another view, as a list. */
export function showView(ui: UiState, view: ViewName): UiState {
	return hasTab(view) ? withMode({...ui, view, manualCall: undefined}, {kind: 'browse'}) : showListView(ui, view);
}

/** Shows a list that belongs to another view; leaving it leads back there. */
export function showListView(ui: UiState, view: ViewName): UiState {
	const home = hasTab(ui.view) ? ui.view : ui.home;
	return withMode({...ui, view, home, manualCall: undefined}, {kind: 'browse'});
}

/** Shows the view after or before this one, in the order of the tabs. */
export function showNeighbourView(ui: UiState, distance: 1 | -1): UiState {
	const from = tabViews.indexOf(hasTab(ui.view) ? ui.view : ui.home);
	return showView(ui, tabViews.at((from + distance) % tabViews.length) ?? 'overview');
}

/** Moves the text where one is open, the selection otherwise. */
export function moveBy(ui: UiState, move: Move, context: UiContext): UiState | Step {
	const {mode} = ui;
	if (mode.kind === 'review') {
		return moveReview(ui, move, context);
	}

	if (mode.kind === 'trace') {
		return moveLine(ui, mode, move, context);
	}

	if (mode.kind === 'browse') {
		return withOlderRows(moveSelection(ui, move, context.snapshot), move, context);
	}

	if (mode.kind === 'palette') {
		return movePalette(ui, {mode, move}, context);
	}

	if (mode.kind === 'form' || mode.kind === 'form-text') {
		return scrollForm(ui, move === 'page-down' ? 1 : -1, context);
	}

	return isReadMode(mode) ? scrolled(ui, {mode, move}, context) : ui;
}

/** The step, with a page of the journal for a list that was opened and does not fill the screen. */
export function withOpenedList(before: UiState, step: Step, context: UiContext): Step {
	const {ui} = step;
	const isOpened = ui.view !== before.view && ui.mode.kind === 'browse' && views[ui.view].older !== undefined;
	if (!isOpened || context.snapshot.olderEvents || context.snapshot.console.state === 'lost') {
		return step;
	}

	const asked = withOlderRows(ui, ui.sort[ui.view] ? 'bottom' : 'top', context);
	return 'ui' in asked ? {...step, ...asked, calls: [...step.calls, ...asked.calls]} : step;
}

const backward: Readonly<Record<'own' | 'reversed', ReadonlySet<Move>>> = {
	own: new Set<Move>(['up', 'page-up', 'top']),
	reversed: new Set<Move>(['down', 'page-down', 'bottom']),
};

/** Asks the journal for older rows once less than a page of the list is left on the way to its oldest one, in its own order from either end. */
function withOlderRows(ui: UiState, move: Move, context: UiContext): UiState | Step {
	const before = views[ui.view].older?.(context.snapshot);
	const order = ui.sort[ui.view];
	if (order && order.by !== 'own') {
		return ui;
	}

	const {rows, index} = listPosition(ui, ui.view, context.snapshot);
	const left = order ? rows.length - 1 - index : index;
	if (!backward[order ? 'reversed' : 'own'].has(move) || left >= pageRows(ui.size)) {
		return ui;
	}

	if (before === undefined) {
		return left <= 0 && context.snapshot.olderEvents?.reach === 'bound' && views[ui.view].older
			? withToast(ui, 'no more are listed here; for older ones: sluice events list --until TIME', 'busy')
			: ui;
	}

	return ui.olderAsked === before
		? ui
		: withCall({...ui, olderAsked: before}, {method: 'events.older', params: {before}}, context);
}

/** Scrolls the open text; beyond the end of a part comes the next one. */
function scrolled(
	ui: UiState,
	{mode, move}: {readonly mode: ReadMode; readonly move: Move},
	context: UiContext,
): UiState | Step {
	const page = readableRows(ui);
	const last = Math.max(0, shownText(ui, context, 0).length - page);
	const position = Math.min(mode.scroll, last);
	const wanted = movedBy(move, {position, last, page});
	const neighbour =
		mode.kind === 'page' || mode.kind === 'detail'
			? neighbourPart(ui, {mode, move, position, last}, context)
			: undefined;
	const scroll = move === 'bottom' ? end : Math.min(last, Math.max(0, wanted));
	return neighbour ?? withMode(ui, {...mode, scroll});
}

/** Goes to the next or previous section of the open text. */
export function showSection(ui: UiState, direction: 1 | -1, context: UiContext): UiState {
	const {mode} = ui;
	if (!isReadMode(mode)) {
		return ui;
	}

	const lines = shownText(ui, context, 0);
	const last = Math.max(0, lines.length - readableRows(ui));
	const position = Math.min(mode.scroll, last);
	const starts = lines.flatMap((line, index) => (isRuleLine(line) ? [index] : []));
	const start =
		direction === 1 ? starts.find(index => index > position) : (starts.findLast(index => index < position) ?? 0);
	return start === undefined ? ui : withMode(ui, {...mode, scroll: Math.min(last, start)});
}

/** The part of a long page after or before the shown one, when the text cannot move any further that way. */
function neighbourPart(
	ui: UiState,
	{
		mode,
		move,
		position,
		last,
	}: {
		readonly mode: Extract<Mode, {kind: 'detail' | 'page'}>;
		readonly move: Move;
		readonly position: number;
		readonly last: number;
	},
	context: UiContext,
): Step | undefined {
	const {page} = context.snapshot;
	const {part = 1} = mode;
	const stored = mode.kind === 'page' ? storedRow(mode) : detailPage(ui.view, mode.id, context.snapshot);
	if (!stored || !page?.part || !isPart(page, stored.subject, part)) {
		return undefined;
	}

	const isOn = (move === 'down' || move === 'page-down') && position === last && part < page.part.of;
	const isBack = (move === 'up' || move === 'page-up') && position === 0 && part > 1;
	if (!isOn && !isBack) {
		return undefined;
	}

	const next = isOn ? part + 1 : part - 1;
	const opened = withMode(ui, {...mode, part: next, scroll: isOn ? 0 : end});
	return withCall(opened, pageCall(stored.subject, stored.profile, next), context);
}

/** The row of the journal that a page shows, if it shows one. */
function storedRow({subject, profile}: PageMode): ReturnType<typeof detailPage> {
	return subject.kind === 'dry-run' || subject.kind === 'server-log' || profile === undefined
		? undefined
		: {subject, profile};
}

/** Opens the picked line of a trace, or the selected row: equal rows that are folded, what waits to be decided, a login, or all that is known about it. */
export function showSelected(ui: UiState, context: UiContext): Step {
	const {snapshot} = context;
	if (ui.mode.kind === 'trace') {
		return openLine(ui, ui.mode, context);
	}

	const row = selectedRow(ui, snapshot);
	if (!row || row.fold) {
		return stay(row ? toggleFold(ui, row) : ui);
	}

	const waiting = ui.view === 'you' ? waitingMode(row.id, ui, snapshot) : undefined;
	const logins = ui.view === 'logins' ? snapshot.logins : ui.view === 'you' ? waitingLogins(snapshot) : [];
	const login = logins.find(candidate => loginId(candidate) === row.id);
	const mode = waiting ?? (login && loginMode(login));
	if (mode) {
		return stay(withMode(ui, mode));
	}

	const opened = withMode(ui, rowPage(ui.view, row.id, {snapshot, behind: ui.mode}));
	const call = callOfMode(opened.mode, ui.view, snapshot);
	return call ? withCall(opened, call, context) : stay(opened);
}

/** Opens the row that a typed name or id is for (`route pulls`), in its view. */
export function showNamed(ui: UiState, name: string, context: UiContext): Step {
	const target = targetOf(name, context.snapshot);
	if (!target) {
		return stay(withToast(ui, `there is no ${name} here`, 'busy'));
	}

	const {view, id} = target;
	const shown = showView(ui, view);
	const picked = {
		filters: {...shown.filters, [view]: ''},
		selected: {...shown.selected, [view]: id},
		openFolds: {...shown.openFolds, [view]: id},
	};
	return showSelected({...shown, ...picked}, context);
}

/** The mode that decides a row of the view of requests: review, form or dialog; undefined for rows that are only read. */
export function waitingMode(rowId: string, ui: UiState, snapshot: Snapshot): Mode | undefined {
	const card = snapshot.approvals.find(({id}) => id === rowId);
	const question = snapshot.questions.find(row => questionId(row) === rowId);
	const proposal = snapshot.proposals.find(row => proposalId(row) === rowId);
	if (card) {
		return openReview(card);
	}

	return question ? questionMode(question, ui) : proposal && openProposal(proposal);
}

function openProposal({id}: ProposalRow): ProposalMode {
	return {kind: 'proposal', id, again: undefined, scroll: 0, seenLines: 0, answers: 0, hint: ''};
}
