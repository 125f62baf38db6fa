import {type DecisionChoices, decisionChoices} from '../../state/decision.ts';
import {cardReading, reviewLayout} from '../approval/review-layout.ts';
import {loginStage} from '../lists/login-rows.ts';
import {notedRun} from '../pages/noted-run.ts';
import {besidePage} from '../pages/page-column.ts';
import {traceEntries} from '../pages/trace-page.ts';
import {isFirstRun} from '../state/first-run.ts';
import {type Form, stopOf} from '../state/form.ts';
import {type Scope} from '../state/key-scope.ts';
import {isSearchable, type LoginMode, type Mode, type TraceMode} from '../state/mode.ts';
import {emptyField} from '../state/text-field.ts';
import {type ReviewMode} from '../state/review.ts';
import {type UiContext, type UiState, withMode} from '../state/ui-state.ts';
import {hasTab} from '../lists/view-table.ts';
import {pickedId, pickedRoute, withoutOpenFold} from '../state/selection.ts';
import {layoutName} from '../text/layout.ts';
import {youRowKind} from './row-actions.ts';

/** The scopes in which keys are looked up, nearest first. */
export function scopesOf(ui: UiState, context: UiContext): readonly Scope[] {
	return layoutName(ui.size) === 'none' && ui.mode.kind !== 'confirm'
		? ['too-small', 'everywhere']
		: [...searchScopes(ui.mode), ...inMode(ui, context).scopes, 'everywhere'];
}

/** While a search is open its keys come before those of the text. The page with all of a request has its own. */
function searchScopes(mode: Mode): readonly Scope[] {
	if (mode.kind === 'review') {
		return mode.page === 'card' && mode.found ? ['found'] : [];
	}

	return isSearchable(mode) ? [...(mode.found ? (['found'] as const) : []), 'search'] : [];
}

/** Leaves the nearest thing that can be left; open equal rows and the filter of a list go before the list. */
export function goBack(ui: UiState, context: UiContext): UiState {
	return inMode(ui, context).back;
}

/** The scopes of keys of a mode, nearest first, and the state once it is left. */
type ModeKeys = {readonly scopes: readonly Scope[]; readonly back: UiState};

function inMode(ui: UiState, context: UiContext): ModeKeys {
	const {mode, view} = ui;
	const list = withMode(ui, {kind: 'browse'});
	switch (mode.kind) {
		case 'browse':
			return {scopes: [...listScopes(ui, context), 'list', 'global'], back: leaveList(ui, context)};
		case 'detail':
			return {
				scopes: [...columnScopes(ui, context, 'column'), 'detail', 'reading', ...rowScopes(ui, context), 'global'],
				back: mode.behind ? withMode(ui, mode.behind) : list,
			};
		case 'trace':
			return {
				scopes: [...traceScopes(mode, ui, context), 'detail', 'reading', 'global'],
				back: withMode(ui, mode.behind),
			};
		case 'page': {
			const rows =
				mode.subject.kind === 'dry-run'
					? []
					: [...noteScopes(ui, context.snapshot), ...tracedScopes(mode.behind, view)];
			return {
				scopes: [...columnScopes(ui, context, 'column'), 'detail', 'reading', ...rows, 'global'],
				back: withMode(ui, mode.behind),
			};
		}

		case 'manual-call':
			return {scopes: ['detail', 'reading', 'global'], back: {...list, manualCall: undefined}};
		case 'review':
			return {scopes: [...reviewScopes(ui, mode, context), 'overlay'], back: list};
		case 'proposal':
			return {scopes: ['proposal', 'overlay', 'reading'], back: list};
		case 'settled':
			return {scopes: ['settled', 'overlay', 'reading'], back: withMode(ui, ui.manualCall ?? {kind: 'browse'})};
		case 'login':
			return {scopes: [...loginScopes(mode, context), 'login', 'overlay', 'reading'], back: list};
		case 'form':
			return {scopes: [formScope(mode.form), 'form', 'overlay'], back: withMode(ui, mode.behind)};
		case 'form-text':
			return {scopes: ['form-text', 'form', 'editing'], back: withMode(ui, mode.behind)};
		case 'confirm':
			return {
				scopes:
					mode.question.kind === 'quit' && mode.question.again !== 'lapsed' ? ['confirm-quit', 'confirm'] : ['confirm'],
				back: withMode(ui, mode.behind),
			};
		case 'copy':
		case 'edit':
		case 'command':
		case 'faults':
			return {scopes: pageScopes(mode), back: withMode(ui, mode.behind)};
		case 'call-rule':
			return {scopes: ['rule', 'overlay'], back: withMode(ui, mode.behind)};
		case 'help':
			return {
				scopes: ['help', 'editing'],
				back: withMode(ui, mode.field.value === '' ? mode.behind : {...mode, field: emptyField, scroll: 0}),
			};
		case 'prompt':
		case 'deny-message':
			return {scopes: ['text', 'editing'], back: withMode(ui, mode.kind === 'prompt' ? mode.behind : mode.review)};
		case 'filter':
			return {scopes: ['text', 'editing'], back: withoutFilter(list)};
		case 'palette':
			return {scopes: ['text', 'palette', 'editing'], back: withMode(ui, mode.behind)};
		case 'add-server':
			return {scopes: ['text', 'editing'], back: list};
	}
}

function listScopes(ui: UiState, context: UiContext): readonly Scope[] {
	const isEmpty = ui.view === 'overview' && isFirstRun(context.snapshot);
	return [...(isEmpty ? (['first-run'] as const) : rowScopes(ui, context)), ...columnScopes(ui, context, 'columns')];
}

/** The keys of a list with a page beside it, or of that page. */
function columnScopes(ui: UiState, {snapshot}: UiContext, scope: 'columns' | 'column'): readonly Scope[] {
	const page = besidePage({ui, snapshot, size: ui.size});
	return page && (scope === 'columns' || page === ui.mode) ? [scope] : [];
}

/** The key scopes for rows of the view of requests. */
const youScopes = {
	request: 'you',
	uncertain: 'you',
	delivery: 'parts',
	inbox: 'inbox',
	login: 'servers',
} as const satisfies Record<ReturnType<typeof youRowKind>, Scope>;

/** Lists whose rows have entries in config.yaml, besides the overview. */
const entryViews: ReadonlySet<UiState['view']> = new Set(['jobs', 'routes', 'parts', 'rules']);

/** The keys of a view; in the overview first those of the picked row, a server or a route. */
function rowScopes(ui: UiState, {snapshot}: UiContext): readonly Scope[] {
	if (ui.view === 'you') {
		const scope = youScopes[youRowKind(pickedId(ui, snapshot), snapshot)];
		return ui.mode.kind === 'browse' ? ['you-list', scope] : [scope];
	}

	if (ui.view !== 'overview') {
		return [...noteScopes(ui, snapshot), ui.view, ...(entryViews.has(ui.view) ? (['entry'] as const) : [])];
	}

	return [pickedRoute(ui, snapshot) ? 'routes' : 'servers', 'overview', 'entry'];
}

/** Until the request was read to its end, only its denial means something. */
function reviewScopes(ui: UiState, review: ReviewMode, {snapshot}: UiContext): readonly Scope[] {
	const card = snapshot.approvals.find(row => row.id === review.cardId);
	switch (review.page) {
		case 'always':
			return ['always'];
		case 'rule':
			return ['rule'];
		case 'full':
			return ['full', 'reading'];
		case 'card':
			return card
				? [
						...approvalKeys(decisionChoices(card, cardReading(review, card, reviewLayout(card, ui.size, review.form)))),
						'review',
					]
				: ['review'];
	}
}

/** The keys that allow a request for the scopes that are offered, and the one for a rule; at another gateway that says why there is none. */
function approvalKeys({scopes: offered, rule}: DecisionChoices): readonly Scope[] {
	return [
		...(offered.includes('once') ? (['approve'] as const) : []),
		...(offered.includes('run') ? (['approve-run'] as const) : []),
		...(offered.includes('always') ? (['approve-longer'] as const) : []),
		...(offered.includes('always') || rule.kind !== 'none' ? (['approve-by-rule'] as const) : []),
	];
}

/** The keys of what the dashboard shows of its own. While an editor has the terminal, no key means anything. */
function pageScopes(mode: Extract<Mode, {kind: 'copy' | 'edit' | 'command' | 'faults'}>): readonly Scope[] {
	if (mode.kind === 'copy') {
		return ['copy'];
	}

	if (mode.kind !== 'edit') {
		return [mode.kind === 'command' ? 'command' : 'detail', 'overlay', 'reading'];
	}

	switch (mode.edit.kind) {
		case 'busy':
			return [];
		case 'valid':
			return ['edit-valid', 'edit', 'overlay', 'reading'];
		case 'broken':
			return ['edit', 'overlay', 'reading'];
		case 'unwritten':
			return ['detail', 'overlay', 'reading'];
	}
}

/** A login is begun where none is under way and one is needed, and cancelled while it is under way. */
function loginScopes(mode: LoginMode, {snapshot}: UiContext): readonly Scope[] {
	switch (loginStage(mode, snapshot)) {
		case 'choice':
			return ['login-choice'];
		case 'under-way':
			return ['login-running'];
		case 'starting':
		case 'logged-in':
		case 'connected':
			return [];
	}
}

function formScope(form: Form): Scope {
	if (stopOf(form).kind === 'option') {
		return 'form-pick';
	}

	if (form.owner.kind === 'tool') {
		return 'call-end';
	}

	return form.owner.url ? 'form-url' : 'form-end';
}

/** Lists whose keys mean their row also where its trace is open. */
const tracedViews: ReadonlySet<UiState['view']> = new Set(['runs', 'jobs', 'calls']);

/** The keys for events mean something where one began the trace. */
function traceScopes(mode: TraceMode, ui: UiState, {snapshot}: UiContext): readonly Scope[] {
	const {trace} = traceEntries(mode, ui.view, snapshot);
	return [
		...(trace?.event ? (['traced-event'] as const) : []),
		'trace',
		...noteScopes(ui, snapshot),
		...tracedScopes(mode, ui.view),
	];
}

/** The keys for a run that a note can be written to. */
function noteScopes(ui: UiState, snapshot: UiContext['snapshot']): readonly Scope[] {
	return notedRun(ui, snapshot) ? ['noted-run'] : [];
}

function tracedScopes(mode: Mode, view: UiState['view']): readonly Scope[] {
	return mode.kind === 'trace' && tracedViews.has(view) ? [view] : [];
}

function leaveList(ui: UiState, {snapshot}: UiContext): UiState {
	const folded = withoutOpenFold(ui, snapshot);
	if (folded) {
		return folded;
	}

	if (ui.filters[ui.view]) {
		return withoutFilter(ui);
	}

	if (ui.view === 'you' && ui.marks.size > 0) {
		return {...ui, marks: new Map()};
	}

	// The rules are where it was opened.
	const home = ui.view === 'rehearsal' ? 'rules' : ui.home;
	return {...ui, toast: undefined, view: hasTab(ui.view) ? ui.view : home};
}

function withoutFilter(ui: UiState): UiState {
	return {...ui, filters: {...ui.filters, [ui.view]: ''}};
}
