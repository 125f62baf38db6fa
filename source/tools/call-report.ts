import {type CallRow, type DecisionRecord, type Journal} from '../journal/journal.ts';
import {type CallProgress} from '../mcp/connection.ts';
import {type RuleMark} from '../state/approval-event.ts';
import {type GatewayEventBody, type Publish} from '../state/event.ts';
import {safeOrigin} from '../state/origin.ts';
import {type Clock, type Timer} from '../util/clock.ts';
import {problemCodes} from '../util/problem-codes.ts';
import {errorText} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type Authorization, decisionOutcome} from './authorization.ts';
import {maskArguments} from './show-arguments.ts';
import {registeredName} from './registered-tool.ts';
import {callOutcome, type ToolOutcome} from './tool-outcome.ts';
import {type ToolCall, type ValidatedCall} from './validate-call.ts';

/** Reports calls to the event bus and the journal, in order. */
export type CallReport = {
	/** Records the approval decision, unless none was needed. What no person decided is published, too. */
	readonly decided: (id: string, call: ValidatedCall, verdict: Authorization) => void;
	/** The call is about to be sent. `approvalId`: what a person was asked about it. */
	readonly started: (id: string, call: ValidatedCall, approvalId?: string) => void;
	/** Starts the progress of a call. */
	readonly openProgress: (id: string) => ProgressReport;
	/** The outcome of the call is unknown. */
	readonly uncertain: (call: CallRow) => void;
	/** Publishes the end of every call, refused ones included. */
	readonly finished: (call: FinishedCall) => void;
	/** Logs an unexpected error. */
	readonly broke: (caught: unknown) => void;
};

export type CallReportOptions = {
	readonly clock: Clock;
	readonly publish: Publish;
	readonly profile: string;
	readonly journal: Pick<Journal, 'recordDecision'>;
};

/** The progress of one call; the owner must call `close` when the call has ended. */
type ProgressReport = {readonly note: (progress: CallProgress) => void; readonly close: () => void};

/** A finished call; `server` is empty when the tool is unknown. */
type FinishedCall = {
	readonly id: string;
	readonly call: ToolCall;
	readonly server: string;
	readonly tool: string;
	readonly outcome: ToolOutcome;
	readonly ms: number;
	/** The request by which a person was asked about it. */
	readonly approvalId?: string | undefined;
	/** The rule that decided about it. */
	readonly rule?: RuleMark | undefined;
};

/** A decision about a call, made by a person or a rule. */
type Decision = Pick<DecisionRecord, 'outcome' | 'scope' | 'by' | 'message' | 'requestedAt'> & {readonly id?: string};

/** Creates the report of one profile. */
export function createCallReport(options: CallReportOptions): CallReport {
	const {clock, publish, profile, journal} = options;

	const record = (callId: string, {tool, argumentsHash, origin}: ValidatedCall, decision: Decision) =>
		journal.recordDecision({
			id: callId,
			callId,
			time: clock.now(),
			profile,
			server: tool.server,
			tool: tool.tool,
			argumentsHash: argumentsHash(),
			origin,
			...decision,
		});

	return {
		decided(id, call, verdict) {
			const decided = decisionOutcome(verdict);
			if (!decided) {
				return;
			}

			const {kind: outcome, ...rest} = decided;
			const request = 'request' in verdict ? verdict.request : undefined;
			if (verdict.kind === 'asked' || request) {
				record(id, call, {outcome, ...rest, ...(request && {id: request.id, requestedAt: request.requestedAt})});
				return;
			}

			const {server, tool} = call.tool;
			const message = 'message' in rest && rest.message !== undefined ? {message: safeText(rest.message)} : {};
			record(id, call, {outcome, ...rest});
			const origin = safeOrigin(call.origin);
			publish({type: 'approval.settled', id, server, tool: short(tool), outcome, ...rest, ...message, origin});
		},
		started(callId, {tool: {server, tool, name: registeredName}, origin: calledFrom}, approvalId) {
			const origin = safeOrigin(calledFrom);
			const asked = approvalId !== undefined && {approvalId};
			publish({type: 'tool.started', callId, server, tool: short(tool), registeredName, origin, ...asked});
		},
		openProgress: id => openProgressReport(id, options),
		uncertain: call => publish(uncertainEvent(call)),
		finished: call => publish(finishedEvent(call)),
		broke(caught) {
			const text = `A tool call failed inside the gateway: ${safeText(errorText(caught))}`;
			publish({type: 'log', level: 'error', area: 'tools', text});
		},
	};
}

const intervalMilliseconds = 250;

/** Creates the progress of a call: at most four events a second, however often its server reports; the last report is always published. */
export function openProgressReport(
	callId: string,
	{clock, publish}: {readonly clock: Clock; readonly publish: Publish},
): ProgressReport {
	let timer: Timer | undefined;
	let latest: CallProgress | undefined;
	let over = false;

	const report = () => {
		timer = undefined;
		if (latest && !over) {
			publish({type: 'tool.progress', callId, ...latest});
			latest = undefined;
			timer = clock.after(intervalMilliseconds, report);
		}
	};

	return {
		note(progress) {
			latest = progress;
			if (!timer) {
				report();
			}
		},
		close() {
			over = true;
			timer?.cancel();
		},
	};
}

function finishedEvent({id, call, server, tool, outcome, ms, approvalId, rule}: FinishedCall): GatewayEventBody {
	const text = outcome.kind === 'result' ? outcome.result : outcome.error.message;
	return {
		type: 'tool.finished',
		callId: id,
		server,
		tool: short(tool),
		origin: safeOrigin(call.origin),
		ms: Math.round(ms),
		outcome: callOutcome(outcome),
		...(outcome.kind === 'error' ? {code: outcome.error.code} : {}),
		...(approvalId !== undefined && {approvalId}),
		...(rule && {rule: {...rule, id: short(rule.id)}}),
		summary: short(text),
	};
}

/** The event of a call that another gateway of the journal has begun. */
export function storedCallStarted({id: callId, server, tool, origin, node}: CallRow): GatewayEventBody {
	return {
		type: 'tool.started',
		callId,
		server: short(server),
		tool: short(tool),
		registeredName: registeredName(server, tool),
		origin: safeOrigin(origin),
		...(node !== undefined && {node}),
	};
}

/** The same of one that has ended there. Nobody knows how one ended whose gateway is gone. */
export function storedCallFinished(call: CallRow, now: number): GatewayEventBody {
	const {id: callId, server, tool, origin, node, time, judged} = call;
	const {outcome, ms, code} = call.end ?? {
		outcome: 'outcome_uncertain',
		ms: Math.max(0, now - time),
		code: 'outcome_uncertain',
	};
	return {
		type: 'tool.finished',
		callId,
		server: short(server),
		tool: short(tool),
		origin: safeOrigin(origin),
		ms: Math.round(ms),
		outcome,
		...(code && {code}),
		...(judged?.rule && {rule: {...judged.rule, id: short(judged.rule.id)}}),
		...(node !== undefined && {node}),
	};
}

/** The event of a call with an unknown outcome, with what a person needs to check it. */
export function uncertainEvent(call: CallRow): GatewayEventBody {
	const {id: callId, server, tool, origin, time, end} = call;
	return {
		type: 'call.uncertain',
		callId,
		server: safeText(server),
		tool: short(tool),
		registeredName: registeredName(server, tool),
		arguments: maskArguments(call.arguments).value,
		origin: safeOrigin(origin),
		at: time + (end?.ms ?? 0),
		reason: end ? problemCodes.outcome_uncertain.meaning : 'The gateway stopped during the call',
	};
}

function short(text: string): string {
	return safeText(text, {maximumCharacters: 200});
}
