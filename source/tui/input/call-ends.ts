import {type CallEnd, type GatewayCall, subjectId} from '../../state/gateway-call.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {type Awaited, type AwaitedRow} from '../state/awaited.ts';
import {formOf, withForm} from '../state/form-mode.ts';
import {sentHint, takenHint} from '../state/mode.ts';
import {
	type Step,
	stay,
	type UiContext,
	type Toast,
	type UiState,
	withAwaited,
	withCall,
	withMode,
	withReview,
	withToast,
} from '../state/ui-state.ts';
import {callOutcome, callSubject} from './call-outcomes.ts';

/** A call, and the line that says what is under way until it ends. */
type CallUnderWay = {
	readonly pending: string;
	readonly call: GatewayCall;
	/** The row whose next state is the outcome, where the call only begins it. */
	readonly awaits?: AwaitedRow | undefined;
};

/** Makes a call and says what is under way. */
export function withPending(ui: UiState, {pending, call, awaits}: CallUnderWay, context: UiContext): Step {
	const step = withCall(ui, call, context);
	if (step.calls.length === 0) {
		return step;
	}

	const awaited: Awaited = {
		kind: 'calls',
		calls: step.calls,
		subject: callSubject(call, context.snapshot),
		...(awaits && {row: awaits}),
	};
	return {...step, ui: withAwaited(step.ui, pending, awaited)};
}

/** The dashboard after a call has ended: the line about it says how, and a list that the call has changed is read again. */
export function callEnded(ui: UiState, end: CallEnd, context: UiContext): Step {
	const asked = end.call.method === 'events.older' ? {...ui, olderAsked: undefined} : ui;
	const next = withStored(withoutSentHint(withEnd(noteProblem(asked, end), end, context.snapshot), end), end);
	return end.kind === 'result' && end.method === 'rules.revoke'
		? withCall(next, {method: 'rules.view', params: {}, profile: end.call.profile}, context)
		: stay(next);
}

/** The line that names a rule that was stored; the page of a recorded call is left then. */
function withStored(ui: UiState, end: CallEnd): UiState {
	if (end.kind === 'problem' || !(end.method === 'rules.store' || end.method === 'rules.store-proposed')) {
		return ui;
	}

	const {mode} = ui;
	const {rule, words} = end.result;
	const left = mode.kind === 'call-rule' && mode.id === end.call.params.id ? withMode(ui, mode.behind) : ui;
	const named = withToast(left, `stored ${rule}: ${words}`, 'good');
	return named.toast ? {...named, toast: {...named.toast, about: 'stored-rule'}} : named;
}

/** A page, trace or list shows the reason that it was refused. One that is asked for again once the connection is back does not. */
function noteProblem(ui: UiState, end: CallEnd): UiState {
	return end.kind === 'problem' && end.code !== 'control_failed'
		? {...ui, problems: {...ui.problems, [end.call.method]: {call: end.call, reason: end.reason}}}
		: ui;
}

function withEnd(ui: UiState, end: CallEnd, snapshot: Snapshot): UiState {
	const awaited = ui.toast?.awaited;
	if (!awaited?.calls.includes(end.call)) {
		// Another pending line stays; the log has the problem. Nobody pressed a key for the page beside a list, which says it itself.
		const isShown = !awaited && snapshot.console.state !== 'lost' && ui.column?.call !== end.call;
		return end.kind === 'problem' && isShown ? withProblem(ui, end) : ui;
	}

	if (awaited.kind === 'denials') {
		return withDenial(ui, awaited, end);
	}

	if (end.kind === 'problem') {
		return withProblem(ui, end);
	}

	const outcome = callOutcome(end, {subject: awaited.subject, snapshot});
	return outcome ? withToast(ui, outcome.text, outcome.tone) : ui;
}

type CallProblem = Extract<CallEnd, {kind: 'problem'}>;

function withProblem(ui: UiState, {code, reason, level}: CallProblem): UiState {
	return code === 'control_failed' && ui.toast?.awaited
		? withToast(ui, lossText(ui.toast), 'busy')
		: withToast(ui, reason, level === 'error' ? 'bad' : 'busy');
}

/** Counts one of the requests that are denied together. Those that were refused had changed or ended before. */
function withDenial(ui: UiState, awaited: Extract<Awaited, {kind: 'denials'}>, end: CallEnd): UiState {
	const calls = awaited.calls.filter(call => call !== end.call);
	const denied = awaited.denied + (end.kind === 'result' ? 1 : 0);
	const others = awaited.others + (end.kind === 'result' ? 0 : 1);
	if (calls.length > 0) {
		const counted: Awaited = {kind: 'denials', calls, denied, others};
		return ui.toast ? {...ui, toast: {...ui.toast, awaited: counted}} : ui;
	}

	const words = `${denied} ${denied === 1 ? 'request' : 'requests'} denied`;
	return others === 0
		? withToast(ui, words, 'good')
		: withToast(ui, `${words}; ${others} had changed or ended before`, 'notice');
}

/** The line under a decision says that the gateway has it, or why it was refused. The screen moves on the core's event alone. */
function withoutSentHint(ui: UiState, end: CallEnd): UiState {
	const {mode} = ui;
	const id = subjectId(end.call);
	const hint = end.kind === 'problem' ? `refused: ${end.reason}` : takenHint;
	if (mode.kind === 'review' && mode.cardId === id && mode.hint === sentHint) {
		return isDecision(end.call) ? withReview(ui, {hint}) : ui;
	}

	if (mode.kind === 'proposal' && mode.id === id && mode.hint === sentHint) {
		return withMode(ui, {...mode, hint});
	}

	if (mode.kind === 'call-rule' && mode.id === id && mode.hint === sentHint) {
		return withMode(ui, {...mode, hint});
	}

	if (mode.kind === 'login' && mode.server === id && end.kind === 'problem') {
		const {sent: _, ...page} = mode;
		return withMode(ui, {...page, refused: end.reason});
	}

	const form = formOf(ui);
	const isForm = form?.owner.kind === 'question' && form.owner.id === id && form.hint === sentHint;
	return isForm ? withForm(ui, {hint}) : ui;
}

/** A rule may still be made for a request that was decided about. */
function isDecision({method}: GatewayCall): boolean {
	return method === 'approvals.allow' || method === 'approvals.deny' || method === 'rules.store';
}

/** The line about something under way when the connection was lost. */
export function lossText({text}: Toast): string {
	return `the connection was lost; the outcome is not known: ${text}`;
}
