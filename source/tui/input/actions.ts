import {isMet, type Need, type Readiness} from '../state/arming.ts';
import {changingActions, needsGateway} from '../state/key-names.ts';
import {withEarlyHint, withoutEarlyHint} from '../state/form-mode.ts';
import {type Action, type Move} from '../state/keymap.ts';
import {type Edit, edits, emptyField, fieldWith} from '../state/text-field.ts';
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
import {selectNextTrouble, toggleFollow} from '../state/selection.ts';
import {allViews, type ViewName} from '../lists/view-table.ts';
import {askCallAgain, cancelCall, showCallForm, repeatCall, resolveCall} from './call-actions.ts';
import {readAlone, readBeside} from './column-actions.ts';
import {askSuspend, confirm, quit, refuse, startDemo, stop} from './confirm-actions.ts';
import {
	dismissDeliveries,
	dryRun,
	enableWebhooks,
	findFailed,
	openHandshake,
	pauseRoute,
	replayPicked,
} from './event-actions.ts';
import {editAgain, editEntry, leaveEdit, writeEdit} from './entry-actions.ts';
import {copyPart, type CopyPart, showCopyMenu} from './copy-actions.ts';
import {noConnection} from './follow-console.ts';
import {declineForm, leaveForm, moveStop, openAddress, pickValue, submitForm} from './form-actions.ts';
import {cancelLogin, copyCode, logIn, pasteRedirect, showNeighbourLogin} from './login-actions.ts';
import {askHold} from './hold-actions.ts';
import {askDenyMarked, toggleMark, toggleShownMarks} from './mark-actions.ts';
import {goBack, scopesOf} from './modes.ts';
import {
	moveBy,
	showListView,
	showNeighbourView,
	showSection,
	showSelected,
	showView,
	withOpenedList,
} from './navigation.ts';
import {endCommand} from './own-key-actions.ts';
import {install, refuseInstall, renameProposal} from './proposal-actions.ts';
import {
	approve,
	approveAlways,
	askWhyDenied,
	deny,
	showAlways,
	showNeighbourRequest,
	showNextForm,
} from './review-actions.ts';
import {
	changeChoice,
	leaveRule,
	pickArgument,
	proposeFromAsked,
	showProposedRule,
	storeProposedRule,
} from './rule-page-actions.ts';
import {isForFoldedRow} from './row-actions.ts';
import {
	rehearseRules,
	rehearseWithout,
	revokeRule,
	showAskers,
	showRules,
	withoutLeftRehearsal,
} from './rule-actions.ts';
import {cancelRun, closeItem, showRunPrompt, pauseJob, runJob, writeNote, writeToRun} from './run-actions.ts';
import {copyPicked, nextTheme, reverseList, sortByNext} from './screen-actions.ts';
import {closeSearch, findNext, showSearch} from './search-actions.ts';
import {
	reconnectPicked,
	showPickedTools,
	showServerCalls,
	showServerForm,
	showServerLog,
	toggleServer,
} from './server-actions.ts';
import {completeText, editText} from './typed-text.ts';
import {showNextWaiting, showWaiting} from './waiting-items.ts';
import {leaveFull, showFull, toggleMasks} from './full-actions.ts';

/** An action and the key behind it: whether it may decide now, and whether it came as an event of its own. */
export type PressedAction = {readonly action: Action; readonly readiness: Readiness; readonly alone: boolean};

/** The function of an action, and the condition that its key must meet first. */
type ActionEntry = {
	readonly run: (ui: UiState, context: UiContext) => UiState | Step;
	/** Absent: any key will do, part of a chunk too. */
	readonly needs?: Need;
	/** The reply to a key that comes too early: a hint, or none. */
	readonly early?: 'hint' | 'ignored';
};

const move = (to: Move): ActionEntry => ({run: (ui, context) => moveBy(ui, to, context)});
const viewActions = Object.fromEntries(
	allViews.map((view): [string, ActionEntry] => [`view-${view}`, {run: ui => showView(ui, view)}]),
) as Record<`view-${ViewName}`, ActionEntry>;
const editActions = Object.fromEntries(
	edits.map((edit): [string, ActionEntry] => [edit, {run: ui => editText(ui, edit)}]),
) as Record<Edit, ActionEntry>;
const copyAction = (part: CopyPart): ActionEntry => ({run: (ui, context) => copyPart(ui, part, context)});

/** The functions of all actions of the keymap. */
const actions: Readonly<Record<Action, ActionEntry>> = {
	// A request under review. Enter may be the very key that opened it, so it waits like an approval.
	deny: {needs: 'drawn', early: 'ignored', run: deny},
	'deny-default': {needs: 'armed', run: deny},
	'deny-with-message': {run: askWhyDenied},
	'approve-once': {needs: 'armed', run: (ui, context) => approve(ui, 'once', context)},
	'approve-session': {needs: 'armed', run: (ui, context) => approve(ui, 'session', context)},
	'approve-run': {needs: 'armed', run: (ui, context) => approve(ui, 'run', context)},
	'open-always': {needs: 'armed', run: showAlways},
	'approve-always': {needs: 'armed', run: approveAlways},
	'open-rule': {needs: 'armed', run: showProposedRule},
	'store-rule': {needs: 'armed', run: storeProposedRule},
	'next-argument': {run: (ui, context) => pickArgument(ui, 1, context)},
	'previous-argument': {run: (ui, context) => pickArgument(ui, -1, context)},
	'next-choice': {run: (ui, context) => changeChoice(ui, 1, context)},
	'previous-choice': {run: (ui, context) => changeChoice(ui, -1, context)},
	'leave-rule': {run: leaveRule},
	'leave-always': {run: ui => withReview(ui, {page: 'card', hint: ''})},
	'next-request': {run: (ui, context) => showNeighbourRequest(ui, 1, context)},
	'previous-request': {run: (ui, context) => showNeighbourRequest(ui, -1, context)},
	'open-full': {run: showFull},
	'leave-full': {run: leaveFull},
	'next-form': {run: showNextForm},
	unmask: {run: toggleMasks},
	find: {run: showSearch},
	'find-next': {run: (ui, context) => findNext(ui, 1, context)},
	'find-previous': {run: (ui, context) => findNext(ui, -1, context)},
	'close-search': {run: closeSearch},

	// An entry of config.yaml that is edited, and a command.
	'edit-entry': {needs: 'alone', early: 'ignored', run: editEntry},
	'edit-again': {needs: 'alone', early: 'ignored', run: editAgain},
	'write-edit': {needs: 'armed', run: writeEdit},
	'leave-edit': {run: leaveEdit},
	'end-command': {needs: 'alone', early: 'ignored', run: endCommand},

	// A settled request. Its page may have come under somebody's typing.
	'next-waiting': {needs: 'quiet', early: 'ignored', run: showNextWaiting},

	// A question or its form, a server that wants to be installed, a yes or no. A chunk that happens to hold a y says yes to nothing.
	'form-next': {run: ui => moveStop(ui, 1)},
	'form-previous': {run: ui => moveStop(ui, -1)},
	'form-pick': {run: pickValue},
	'form-submit': {needs: 'armed', run: submitForm},
	'open-address': {needs: 'armed', run: openAddress},
	'form-decline': {needs: 'armed', run: declineForm},
	'form-leave': {run: leaveForm},
	install: {needs: 'armed', run: install},
	rename: {needs: 'drawn', run: renameProposal},
	'refuse-install': {needs: 'drawn', run: refuseInstall},
	confirm: {needs: 'alone', early: 'ignored', run: confirm},
	refuse: {run: refuse},

	// Logins.
	login: {run: (ui, context) => logIn(ui, undefined, context)},
	// Enter opens a row of the logins, too.
	'login-default': {needs: 'armed', run: (ui, context) => logIn(ui, undefined, context)},
	'login-device': {run: (ui, context) => logIn(ui, 'device', context)},
	'login-browser': {run: (ui, context) => logIn(ui, 'browser', context)},
	'paste-redirect': {run: pasteRedirect},
	'cancel-login': {run: cancelLogin},
	'copy-code': {run: copyCode},
	'next-login': {run: (ui, context) => showNeighbourLogin(ui, 1, context)},
	'previous-login': {run: (ui, context) => showNeighbourLogin(ui, -1, context)},

	// The picked row of a list.
	'server-log': {run: showServerLog},
	'server-tools': {run: showPickedTools},
	'server-calls': {run: showServerCalls},
	'call-again': {run: askCallAgain},
	reconnect: {run: reconnectPicked},
	'toggle-server': {run: toggleServer},
	'call-tool': {run: showCallForm},
	'cancel-call': {run: cancelCall},
	'call-happened': {run: (ui, context) => resolveCall(ui, 'done', context)},
	'call-did-not-happen': {run: (ui, context) => resolveCall(ui, 'not_done', context)},
	'repeat-call': {run: repeatCall},
	mark: {run: toggleMark},
	'mark-shown': {run: toggleShownMarks},
	'ask-to-deny': {needs: 'alone', early: 'ignored', run: askDenyMarked},
	'show-rules': {run: showRules},
	'show-askers': {run: showAskers},
	'asked-by-tool': {run: ui => showListView(ui, 'asked-tools')},
	'asked-by-asker': {run: ui => showListView(ui, 'askers')},
	'propose-rule': {run: proposeFromAsked},
	'revoke-rule': {run: revokeRule},
	'rehearse-rules': {run: rehearseRules},
	'rehearse-without': {run: rehearseWithout},
	'dry-run': {run: dryRun},
	replay: {run: replayPicked},
	'replay-failed': {run: findFailed},
	'new-run': {run: showRunPrompt},
	'write-to-run': {run: writeToRun},
	'write-note': {run: writeNote},
	'cancel-run': {run: cancelRun},
	'close-item': {run: closeItem},
	'run-job': {run: runJob},
	'pause-job': {run: pauseJob},
	'pause-route': {run: pauseRoute},
	'open-handshake': {run: openHandshake},
	'dismiss-deliveries': {run: dismissDeliveries},

	// The gateway.
	'add-server': {run: showServerForm},
	'enable-webhooks': {run: enableWebhooks},
	hold: {run: askHold},
	'start-demo': {run: startDemo},
	quit: {run: quit},
	'force-quit': {run: (ui, context) => stop(ui, true, context)},

	// Moving and reading.
	up: move('up'),
	down: move('down'),
	top: move('top'),
	bottom: move('bottom'),
	'page-up': move('page-up'),
	'page-down': move('page-down'),
	'next-section': {run: (ui, context) => showSection(ui, 1, context)},
	'previous-section': {run: (ui, context) => showSection(ui, -1, context)},
	...viewActions,
	'view-logins': {run: ui => showView(ui, 'logins')},
	'next-view': {run: ui => showNeighbourView(ui, 1)},
	'previous-view': {run: ui => showNeighbourView(ui, -1)},
	open: {run: showSelected},
	'read-beside': {run: readBeside},
	'read-alone': {run: readAlone},
	back: {run: goBack},
	review: {run: showWaiting},
	'show-faults': {run: ui => withMode(ui, {kind: 'faults', scroll: 0, behind: ui.mode})},
	help: {
		run: (ui, context) =>
			withMode(ui, {kind: 'help', scroll: 0, field: emptyField, scopes: scopesOf(ui, context), behind: ui.mode}),
	},
	palette: {run: ui => withMode(ui, {kind: 'palette', field: emptyField, behind: ui.mode})},
	filter: {run: ui => withMode(ui, {kind: 'filter', field: fieldWith(ui.filters[ui.view] ?? '')})},
	complete: {run: completeText},
	...editActions,
	follow: {run: (ui, {snapshot}) => toggleFollow(ui, snapshot)},
	sort: {run: sortByNext},
	reverse: {run: reverseList},
	'next-trouble': {run: (ui, {snapshot}) => selectNextTrouble(ui, snapshot)},
	copy: {run: copyPicked},
	'copy-menu': {run: showCopyMenu},
	'copy-id': copyAction('id'),
	'copy-row': copyAction('row'),
	'copy-arguments': copyAction('arguments'),
	'copy-body': copyAction('body'),
	'copy-result': copyAction('result'),
	'copy-command': copyAction('command'),
	'next-theme': {run: nextTheme},
	redraw: {run: ui => ({...ui, redraws: ui.redraws + 1})},
	suspend: {run: askSuspend},
};

/** The dashboard after an action. A key that comes too early is dropped, never remembered. */
export function dispatchAction(ui: UiState, pressed: PressedAction, context: UiContext): Step {
	const {run, needs, early = 'hint'} = actions[pressed.action];
	if (context.readOnly && changingActions.has(pressed.action)) {
		return refused(ui);
	}

	if (context.snapshot.console.state === 'lost' && needsGateway(pressed.action)) {
		return stay(withToast(ui, noConnection, 'busy'));
	}

	if (needs !== undefined && !(pressed.alone && isMet(needs, pressed.readiness))) {
		return stay(early === 'hint' ? withEarlyHint(ui) : ui);
	}

	if (isForFoldedRow(pressed.action, ui, context)) {
		return stay(withToast(ui, 'several equal rows: press enter to show them, then pick one', 'busy'));
	}

	const next = run(withoutEarlyHint(ui), context);
	const step = withOpenedList(ui, 'ui' in next ? next : stay(next), context);
	return withoutLeftRehearsal(ui, step, context);
}
