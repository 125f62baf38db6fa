import {resolutionWords} from '../../state/answered.ts';
import {ownConsoleName} from '../../state/console-state.ts';
import {
	callText,
	jobText,
	loginText,
	routeText,
	runText,
	type StatusLabel,
	type Tone,
	webhookText,
} from '../../state/entities/status-text.ts';
import {type CallEnd, type CallResult, type GatewayCall, subjectId} from '../../state/gateway-call.ts';
import {type CallJson} from '../../state/json/call.ts';
import {type LoginEndJson} from '../../state/json/login.ts';
import {errorOutcome} from '../../state/approval-event.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {toolText} from '../../util/safe-text.ts';
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

/**
Makes a call and says what is under way, until the call ends. `row`: the call only begins it, and the next state of this row is the outcome.
*/
export function withDoing(ui: UiState, doing: string, call: GatewayCall, context: UiContext, row?: AwaitedRow): Step {
	const step = withCall(ui, call, context);
	return step.calls.length === 0
		? step
		: {
				...step,
				ui: withAwaited(step.ui, doing, {
					kind: 'calls',
					calls: step.calls,
					subject: subjectText(call, context.snapshot),
					...(row && {row}),
				}),
			};
}

/** The name of the row that a call is about, as it is when the call is made: the row may be gone when the call ends. */
function subjectText(call: GatewayCall, {jobs, calls, uncertain, ruleList}: Snapshot): string {
	switch (call.method) {
		case 'cron.run':
		case 'cron.change':
			return jobs.find(({id}) => id === call.params.reference)?.name ?? '';
		case 'calls.cancel': {
			const row = calls.find(({callId}) => callId === call.params.id);
			return row ? toolText(row) : '';
		}

		case 'uncertain.resolve':
		case 'uncertain.repeat': {
			const row = uncertain.find(({callId}) => callId === call.params.id);
			return row ? toolText(row) : '';
		}

		case 'rules.revoke':
			return ruleList?.rules.find(({id}) => id === call.params.id)?.words ?? '';
		default:
			return subjectId(call);
	}
}

/** The dashboard after a call has ended: the line about it says how, and a list that the call has changed is read again. */
export function callEnded(ui: UiState, end: CallEnd, context: UiContext): Step {
	const next = withoutSentHint(withEnd(ui, end, context.snapshot), end);
	return end.kind === 'result' && end.method === 'rules.revoke'
		? withCall(next, {method: 'rules.view', params: {}, profile: end.call.profile}, context)
		: stay(next);
}

function withEnd(ui: UiState, end: CallEnd, snapshot: Snapshot): UiState {
	const awaited = ui.toast?.awaited;
	if (!awaited?.calls.includes(end.call)) {
		// Another pending line stays; the log has the problem.
		return end.kind === 'problem' && !awaited && snapshot.console.state !== 'lost' ? withProblem(ui, end) : ui;
	}

	if (awaited.kind === 'denials') {
		return withDenial(ui, awaited, end);
	}

	if (end.kind === 'problem') {
		return withProblem(ui, end);
	}

	const outcome = resultOutcome(end, awaited.subject, snapshot);
	return outcome ? withToast(ui, outcome.text, outcome.tone) : ui;
}

type CallProblem = Extract<CallEnd, {kind: 'problem'}>;

function withProblem(ui: UiState, {code, reason, level}: CallProblem): UiState {
	return code === 'control_failed' && ui.toast?.awaited
		? withToast(ui, lossText(ui.toast), 'busy')
		: withToast(ui, `commands: ${reason}`, level === 'error' ? 'bad' : 'busy');
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

type Outcome = {readonly text: string; readonly tone: Tone};

/** The outcome that a result tells; undefined where the call has only begun what a row shows. */
function resultOutcome(end: CallResult, subject: string, snapshot: Snapshot): Outcome | undefined {
	switch (end.method) {
		case 'webhook.pause': {
			const {route, paused} = end.call.params;
			return outcome(route, routeText[paused ? 'paused' : 'served']);
		}

		case 'cron.change':
			return outcome(subject, jobText[end.result.state]);
		case 'cron.run': {
			const reason = end.result.reason ?? '';
			return end.result.outcome === 'fired'
				? outcome(subject, jobText.running)
				: outcome(subject, {...jobText.disabled, word: 'was not run'}, reason);
		}

		case 'runs.start':
		case 'runs.follow-up': {
			const row = snapshot.runs.find(({runId}) => runId === end.result.run_id);
			return outcome('run', runText[row?.state ?? 'queued'], row?.reason);
		}

		case 'runs.cancel':
			return outcome('run', runText.cancelled);
		case 'runs.answer': {
			const {reason} = end.result;
			return reason === null ? outcome('run', runText.finished) : outcome('run', runText.inbox, reason);
		}

		case 'runs.close':
			return outcome('run', runText.finished);
		case 'events.replay':
			return replayOutcome(end.result);
		case 'deliveries.dismiss':
			return {text: 'the failed deliveries are dismissed', tone: 'good'};
		default:
			return personOutcome(end, subject, snapshot);
	}
}

/** The same for the acts that are about calls, rules, logins, questions and the hold. */
function personOutcome(end: CallResult, subject: string, snapshot: Snapshot): Outcome | undefined {
	switch (end.method) {
		case 'hold':
			return {text: 'everything is held', tone: 'notice'};
		case 'unhold':
			return {text: 'released', tone: 'good'};
		case 'questions.answer':
			return {text: 'the question is closed', tone: 'good'};
		case 'mcp.login':
		case 'mcp.login.switch':
			return loginOutcome(end.call.params.server, end.result);
		case 'mcp.login.cancel':
			return outcome(`login to ${end.call.params.server}`, loginText.cancelled);
		case 'mcp.reconnect':
			return end.result.answer === 'unknown'
				? {text: `there is no server named ${end.call.params.server}`, tone: 'busy'}
				: undefined;
		case 'calls.cancel': {
			// It may have ended by itself before.
			const row = snapshot.events.findLast(
				event => event.type === 'tool.finished' && event.callId === end.call.params.id,
			);
			return outcome(subject, callText[row?.type === 'tool.finished' ? row.outcome : 'cancelled']);
		}

		case 'uncertain.resolve':
			return resolvedOutcome(end, subject, snapshot);
		case 'uncertain.repeat':
			return end.result.call ? outcome(subject, callText[callOutcome(end.result.call)]) : undefined;
		case 'rules.revoke':
			return end.result.answer === 'revoked'
				? {text: `removed: ${subject}`, tone: 'good'}
				: {text: `not removed: ${revocationText[end.result.answer]}`, tone: 'busy'};
		default:
			return undefined;
	}
}

const revocationText = {
	unknown: 'there is no such rule any more',
	failed: 'it holds again after a restart',
	configured: 'it stands in config.yaml',
} as const;

function replayOutcome({outcome: name, reason}: {readonly outcome: string; readonly reason: string | null}): Outcome {
	const label = Object.entries(webhookText).find(([outcomeName]) => outcomeName === name)?.[1];
	return outcome('replay', label ?? {glyph: '', word: name, tone: 'normal'}, reason ?? '');
}

function loginOutcome(server: string, end: LoginEndJson): Outcome {
	return outcome(`login to ${server}`, loginText[end.outcome], end.outcome === 'succeeded' ? '' : end.reason);
}

function resolvedOutcome(
	{call, result}: Extract<CallResult, {method: 'uncertain.resolve'}>,
	subject: string,
	{console}: Snapshot,
): Outcome {
	const {end} = result;
	return end && end.by !== ownConsoleName(console)
		? {text: `too late: the call was already ${resolutionWords(end)}`, tone: 'notice'}
		: {text: `${subject} marked as ${call.params.resolution === 'done' ? 'done' : 'not done'}`, tone: 'good'};
}

function callOutcome(call: CallJson) {
	return 'error' in call ? errorOutcome(call.error.code, call.error.outcome_uncertain === true) : 'ok';
}

function outcome(name: string, {word, tone}: StatusLabel, reason = ''): Outcome {
	return {text: `${name} ${word}${reason === '' ? '' : `: ${reason}`}`, tone};
}

/** The line about something whose end nobody reports. */
export function lossText({text}: Toast): string {
	return `the connection was lost; it is not known how this ended: ${text}`;
}
