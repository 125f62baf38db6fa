import {resolutionWords} from '../../state/answered.ts';
import {errorOutcome} from '../../state/approval-event.ts';
import {type MethodName, type ParamsOf} from '../../state/api.ts';
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
import {type CallResult, type GatewayCall, subjectId} from '../../state/gateway-call.ts';
import {type CallJson} from '../../state/json/call.ts';
import {type HandshakeEndJson} from '../../state/json/event.ts';
import {type Snapshot, type UncertainRow} from '../../state/snapshot.ts';
import {toolText} from '../../util/safe-text.ts';
import {isOpenRun} from '../../state/work-event.ts';

type Subjects = {
	readonly [Name in MethodName]?: (params: ParamsOf<Name>, snapshot: Snapshot) => string | undefined;
};

/** The row that a call is about by its name, for calls that name it by an id. */
const subjects: Subjects = {
	'cron.run': ({reference}, snapshot) => jobName(reference, snapshot),
	'cron.change': ({reference}, snapshot) => jobName(reference, snapshot),
	'calls.cancel': ({id}, {calls}) => toolName(calls.find(({callId}) => callId === id)),
	'uncertain.resolve': ({id}, {uncertain}) => toolName(uncertain.find(({callId}) => callId === id)),
	'uncertain.repeat': ({id}, {uncertain}) => toolName(uncertain.find(({callId}) => callId === id)),
	'rules.revoke': ({id}, {ruleList}) => ruleList?.rules.find(rule => rule.id === id)?.words,
};

function jobName(reference: string, {jobs}: Snapshot): string | undefined {
	return jobs.find(({id}) => id === reference)?.name;
}

function toolName(row: Pick<UncertainRow, 'server' | 'tool'> | undefined): string | undefined {
	return row && toolText(row);
}

/** The name of the row that a call is about, as it is when the call is made: the row may be gone when the call ends. */
export function callSubject<Name extends MethodName>(call: GatewayCall<Name>, snapshot: Snapshot): string {
	const subject = subjects[call.method];
	return subject ? (subject(call.params, snapshot) ?? '') : subjectId(call);
}

type Outcome = {readonly text: string; readonly tone: Tone};

/** The name of the row that the call was about, and the snapshot at its end. */
type OutcomeContext = {readonly subject: string; readonly snapshot: Snapshot};

type Outcomes = {
	readonly [Name in MethodName]?: (end: CallResult<Name>, context: OutcomeContext) => Outcome | undefined;
};

/** The outcome of a call as its result has it; none where the call has only begun something that a row shows. */
const outcomes: Outcomes = {
	'webhook.pause': ({call: {params}}) => outcome(params.route, routeText[params.paused ? 'paused' : 'served']),
	'webhook.handshake': ({call: {params}, result}) => handshakeOutcome(params.route, result),
	'cron.change': ({result}, {subject}) => outcome(subject, jobText[result.state]),
	'cron.run': ({result}, {subject}) =>
		result.outcome === 'fired'
			? outcome(subject, jobText.running)
			: outcome(subject, {...jobText.disabled, word: 'was not run'}, result.reason ?? ''),
	'runs.start': ({result}, {snapshot}) => startedOutcome(result.run_id, snapshot),
	'runs.follow-up': ({result}, {snapshot}) => startedOutcome(result.run_id, snapshot),
	'runs.cancel': ({result}, {snapshot}) => endedOutcome(result.run_id, 'cancelled', snapshot),
	'runs.note': () => ({text: 'the note is kept for the next turn of the run', tone: 'good'}),
	'runs.answer': ({result: {reason, run_id: id}}, {snapshot}) =>
		reason === null ? endedOutcome(id, 'finished', snapshot) : outcome('run', runText.inbox, reason),
	'runs.close': ({result}, {snapshot}) => endedOutcome(result.run_id, 'finished', snapshot),
	'events.replay': ({result}) => replayOutcome(result),
	'events.replay-all': ({result}) => replaysOutcome(result),
	'deliveries.dismiss': () => ({text: 'the failed deliveries are dismissed', tone: 'good'}),
	hold: () => ({text: 'everything is held', tone: 'notice'}),
	unhold: () => ({text: 'released', tone: 'good'}),
	'questions.answer': () => ({text: 'the question is closed', tone: 'good'}),
	'mcp.login': loginOutcome,
	'mcp.login.switch': loginOutcome,
	'mcp.login.cancel': ({call: {params}}) => outcome(`login to ${params.server}`, loginText.cancelled),
	'mcp.reconnect': ({call: {params}, result}) =>
		result.answer === 'unknown' ? {text: `there is no server named ${params.server}`, tone: 'busy'} : undefined,
	'calls.cancel': ({call: {params}}, {subject, snapshot}) => cancelledOutcome(params.id, subject, snapshot),
	'uncertain.resolve': resolvedOutcome,
	'uncertain.repeat': ({result: {call}}, {subject}) => (call ? outcome(subject, callText[endOf(call)]) : undefined),
	'rules.revoke': ({result: {answer}}, {subject}) =>
		answer === 'revoked'
			? {text: `removed: ${subject}`, tone: 'good'}
			: {text: `not removed: ${revocationText[answer]}`, tone: 'busy'},
};

/** The outcome of a call; undefined where its result says nothing about it. */
export function callOutcome<Name extends MethodName>(
	end: CallResult<Name>,
	context: OutcomeContext,
): Outcome | undefined {
	return outcomes[end.method]?.(end, context);
}

function handshakeOutcome(route: string, {outcome: end, reason}: HandshakeEndJson): Outcome | undefined {
	switch (end) {
		case 'confirmed':
			return {text: `${route}: the subscription is confirmed`, tone: 'good'};
		case 'failed':
			return {text: `${route}: not confirmed: ${reason ?? ''}`, tone: 'bad'};
		case 'closed':
			return {text: `${route}: no confirmation came`, tone: 'busy'};
		case 'declined':
		case 'unknown':
			return {text: `${route}: not confirmed`, tone: 'busy'};
		case 'proposed':
			return undefined;
	}
}

const revocationText = {
	unknown: 'the rule no longer exists',
	failed: 'the removal was not stored, so the rule applies again after a restart',
	configured: 'it is in config.yaml',
} as const;

function startedOutcome(startedId: string, {runs}: Snapshot): Outcome {
	const row = runs.find(({runId}) => runId === startedId);
	return outcome('run', runText[row?.state ?? 'queued'], row?.reason);
}

/** A run that a call has ended. It may have ended otherwise before, here or at another gateway; its row may come later than the result. */
function endedOutcome(endedId: string, state: 'finished' | 'cancelled', {runs}: Snapshot): Outcome {
	const row = runs.find(({runId}) => runId === endedId);
	return !row || row.state === state || isOpenRun(row)
		? outcome('run', runText[state])
		: outcome('run', runText[row.state], row.reason);
}

function replayOutcome({outcome: name, reason}: CallResult<'events.replay'>['result']): Outcome {
	const label = Object.entries(webhookText).find(([outcomeName]) => outcomeName === name)?.[1];
	return outcome('replay', label ?? {glyph: '', word: name, tone: 'normal'}, reason ?? '');
}

function loginOutcome({call: {params}, result}: CallResult<'mcp.login' | 'mcp.login.switch'>): Outcome {
	const reason = result.outcome === 'succeeded' ? '' : result.reason;
	return outcome(`login to ${params.server}`, loginText[result.outcome], reason);
}

function replaysOutcome(replays: CallResult<'events.replay-all'>['result']): Outcome {
	const refused = replays.filter(({status}) => status >= 300).length;
	const words = `${replays.length} ${replays.length === 1 ? 'event' : 'events'} replayed`;
	return refused === 0
		? {text: words, tone: 'good'}
		: {text: `${words}; ${refused} of them ${refused === 1 ? 'was' : 'were'} not accepted`, tone: 'busy'};
}

/** A call may have ended by itself before it was cancelled. */
function cancelledOutcome(callId: string, subject: string, {events}: Snapshot): Outcome {
	const row = events.findLast(event => event.type === 'tool.finished' && event.callId === callId);
	return outcome(subject, callText[row?.type === 'tool.finished' ? row.outcome : 'cancelled']);
}

function resolvedOutcome(
	{call, result: {end}}: CallResult<'uncertain.resolve'>,
	{subject, snapshot}: OutcomeContext,
): Outcome {
	return end && end.by !== ownConsoleName(snapshot.console)
		? {text: `too late: the call was already ${resolutionWords(end)}`, tone: 'notice'}
		: {text: `${subject} marked as ${call.params.resolution === 'done' ? 'done' : 'not done'}`, tone: 'good'};
}

function endOf(call: CallJson) {
	return 'error' in call ? errorOutcome(call.error.code, call.error.outcome_uncertain === true) : 'ok';
}

function outcome(name: string, {word, tone}: StatusLabel, reason = ''): Outcome {
	return {text: `${name} ${word}${reason === '' ? '' : `: ${reason}`}`, tone};
}
