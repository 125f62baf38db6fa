import {type GatewayCall} from '../../state/gateway-call.ts';
import {type ConsoleState, isOwnGateway} from '../../state/console-state.ts';
import {isFirstRun} from '../state/first-run.ts';
import {type Form} from '../state/form.ts';
import {type Question} from '../state/mode.ts';
import {
	refused,
	serverAwaited,
	stay,
	type Step,
	type UiContext,
	type UiState,
	withAwaited,
	withCall,
	withManualCall,
	withMode,
	withReview,
	withToast,
} from '../state/ui-state.ts';
import {withPending} from './call-ends.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {pendingWork} from '../components/question-line.ts';

/** Puts a question in front of what is on the screen. */
export function ask(ui: UiState, question: Question): UiState {
	return withMode(ui, {kind: 'confirm', question, behind: ui.mode});
}

/** Puts a question in front of what is on the screen whose yes makes a call. */
export function confirmCall(ui: UiState, question: Omit<Extract<Question, {kind: 'call'}>, 'kind'>): UiState {
	return ask(ui, {kind: 'call', ...question});
}

/** Asks whether the program is to be suspended, where a shell would resume it. */
export function askSuspend(ui: UiState, {jobControl, snapshot}: UiContext): UiState {
	if (ui.mode.kind === 'confirm') {
		return ui;
	}

	if (jobControl?.() === 'none') {
		return notSuspended(ui);
	}

	// Of a gateway in another process nothing stops with this window.
	return isOwnGateway(snapshot.console) ? ask(ui, {kind: 'suspend'}) : {...ui, suspends: ui.suspends + 1};
}

/** The dashboard where it cannot be suspended. */
export function notSuspended(ui: UiState): UiState {
	const hint = 'suspending is not possible here: no shell would resume Sluice';
	return withToast(withReview(ui, {hint}), hint, 'busy');
}

/** A yes to the question on the screen. */
export function confirm(ui: UiState, context: UiContext): Step {
	if (ui.mode.kind !== 'confirm') {
		return stay(ui);
	}

	const {question, behind} = ui.mode;
	const back = withMode(ui, behind);
	switch (question.kind) {
		case 'quit':
			return stop(ui, false, context);
		case 'suspend':
			return stay({...back, suspends: back.suspends + 1});
		case 'set-enabled': {
			const {server, profile, enabled} = question;
			const pending = `${enabled ? 'enabling' : 'disabling'} ${server}`;
			const call: GatewayCall = {method: 'mcp.enable', params: {server, enabled}, profile};
			return withPending(back, {pending, call, awaits: serverAwaited({server, profile}, context)}, context);
		}

		case 'discard-edit':
			return discardEdit(back);
		case 'start-demo':
			return requestDemo(back, context);
		case 'cancel-question':
			return cancelQuestion(ui, question.form, context);
		case 'call': {
			const after = question.next === 'list' ? withMode(ui, {kind: 'browse'}) : back;
			const {pending, awaits, call, tool} = question;
			return tool === undefined
				? withPending(after, {pending, call, awaits}, context)
				: withCall(withManualCall(after, tool), call, context);
		}
	}
}

/** Drops the edited text, and leaves its page. */
function discardEdit(ui: UiState): Step {
	const dropped = ui.mode.kind === 'edit' ? withMode(ui, ui.mode.behind) : ui;
	return {
		ui: withToast(dropped, 'nothing was written'),
		calls: [],
		act: {type: 'program', act: {do: 'discard'}},
	};
}

/** A no to the question on the screen. */
export function refuse(ui: UiState): UiState {
	if (ui.mode.kind !== 'confirm') {
		return ui;
	}

	const {question, behind} = ui.mode;
	return question.kind === 'cancel-question'
		? withToast(withMode(ui, {kind: 'browse'}), uiText`the question is still waiting · A opens it again`)
		: withMode(ui, behind);
}

/** Quits, after asking when something would be cut off: with a window of its own nothing is. A second time stops at once. */
export function quit(ui: UiState, context: UiContext): Step {
	if (ui.stopping) {
		return stop(ui, true, context);
	}

	const {mode} = ui;
	const isAsked = mode.kind === 'confirm' && mode.question.kind === 'quit';
	return isOwnGateway(context.snapshot.console) && pendingWork(context.snapshot).length > 0
		? stay(ask(isAsked ? withMode(ui, mode.behind) : ui, {kind: 'quit'}))
		: stop(ui, false, context);
}

function leavingText(console: ConsoleState): string {
	if (isOwnGateway(console)) {
		return uiText`stopping · ctrl+c stops at once`;
	}

	return console.state === 'lost' ? 'leaving' : 'leaving; the gateway goes on';
}

/** Ends the window, and with it a gateway of the same process; with force, at once. */
export function stop(ui: UiState, force: boolean, context: UiContext): Step {
	const stopping = withToast(
		{...ui, stopping: true, mode: {kind: 'browse'}},
		leavingText(context.snapshot.console),
		'busy',
	);
	return {ui: stopping, calls: [], act: {type: 'stop', force}};
}

/** Starts the demo. It replaces the gateway, so it asks first as soon as there is something to lose. */
export function startDemo(ui: UiState, context: UiContext): Step {
	if (!isOwnGateway(context.snapshot.console)) {
		return stay(withToast(ui, 'the demo needs a process of its own: leave with q and run sluice --demo', 'busy'));
	}

	if (!isFirstRun(context.snapshot)) {
		return stay(withToast(ui, 'the demo starts from an empty gateway: sluice --demo', 'busy'));
	}

	return context.snapshot.webhook.state === 'off' ? requestDemo(ui, context) : stay(ask(ui, {kind: 'start-demo'}));
}

function requestDemo(ui: UiState, context: UiContext): Step {
	const starting = withAwaited(ui, 'starting the demo', {
		kind: 'calls',
		calls: [],
		subject: 'demo',
		row: {kind: 'demo'},
	});
	return context.readOnly ? refused(ui) : {ui: starting, calls: [], act: {type: 'start-demo'}};
}

/** Cancels a question: neither accepted nor declined; its asker learns that nobody decided. */
function cancelQuestion(ui: UiState, {owner}: Form, context: UiContext): Step {
	const question = context.snapshot.questions.find(row => owner.kind === 'question' && row.id === owner.id);
	const back = withMode(ui, {kind: 'browse'});
	if (!question) {
		return stay(back);
	}

	const {id, profile} = question;
	const call: GatewayCall = {method: 'questions.answer', params: {id, answer: {kind: 'cancel'}}, profile};
	return withPending(back, {pending: 'cancelling the question', call}, context);
}
