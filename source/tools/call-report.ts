import {type CallRow, type DecisionRecord, type Journal} from '../journal/journal.ts';
import {type CallProgress} from '../mcp/connection.ts';
import {type GatewayEventBody, type Publish} from '../state/event.ts';
import {safeOrigin} from '../state/origin.ts';
import {type Clock, type Timer} from '../util/clock.ts';
import {problemCodes} from '../util/problem-codes.ts';
import {errorText} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type Authorization} from './authorize-call.ts';
import {showArguments} from './show-arguments.ts';
import {registeredName} from './registered-tool.ts';
import {callOutcome, type ToolOutcome} from './tool-outcome.ts';
import {type ToolCall, type ValidatedCall} from './validate-call.ts';

/** What the event bus and the journal learn of calls, in the order it happens. */
export type CallReport = {
	/** Records what the approval check said, unless nobody needed to be asked. */
	readonly decided: (id: string, call: ValidatedCall, verdict: Authorization) => void;
	/** The call is about to be sent. */
	readonly started: (id: string, call: ValidatedCall) => void;
	/** Opens the progress of a call that was started. */
	readonly openProgress: (id: string) => ProgressReport;
	/** Nobody knows whether the call took effect. */
	readonly uncertain: (call: CallRow) => void;
	/** Every call ends here, refused ones too. */
	readonly finished: (call: FinishedCall) => void;
	/** Logs an error that nobody foresaw. */
	readonly broke: (caught: unknown) => void;
};

export type CallReportOptions = {
	readonly clock: Clock;
	readonly publish: Publish;
	readonly profile: string;
	readonly journal: Pick<Journal, 'recordDecision'>;
};

/** How far one call has come; the owner must call `close` when it has ended. */
export type ProgressReport = {readonly note: (progress: CallProgress) => void; readonly close: () => void};

/** A call that has ended; `server` is empty when no such tool is known. */
export type FinishedCall = {
	readonly id: string;
	readonly call: ToolCall;
	readonly server: string;
	readonly tool: string;
	readonly outcome: ToolOutcome;
	readonly ms: number;
};

/** What a decision says, whoever made it. */
type Decision = Pick<DecisionRecord, 'outcome' | 'scope' | 'by' | 'message'>;

/** Builds the report of one profile. */
export function createCallReport(options: CallReportOptions): CallReport {
	const {clock, publish, profile, journal} = options;

	const record = (id: string, {tool, argumentsHash}: ValidatedCall, decision: Decision) =>
		journal.recordDecision({
			id,
			time: clock.now(),
			profile,
			server: tool.server,
			tool: tool.tool,
			argumentsHash: argumentsHash(),
			...decision,
		});

	return {
		decided(id, call, verdict) {
			switch (verdict.kind) {
				case 'free':
					break;
				case 'remembered': {
					const decision = {outcome: 'approved', scope: verdict.scope, by: 'remembered rule'} as const;
					const {server, tool} = call.tool;
					record(id, call, decision);
					publish({type: 'approval.settled', id, server, tool: short(tool), ...decision});
					break;
				}

				case 'asked': {
					const {kind: outcome, ...rest} = verdict.outcome;
					record(id, call, {outcome, ...rest});
				}
			}
		},
		started(callId, {tool: {server, tool, name}, origin}) {
			const registeredName = name;
			publish({type: 'tool.started', callId, server, tool: short(tool), registeredName, origin: safeOrigin(origin)});
		},
		openProgress: id => openProgressReport(id, options),
		uncertain: call => publish(uncertainEvent(call)),
		finished: call => publish(finishedEvent(call)),
		broke(caught) {
			const text = `A tool call broke: ${safeText(errorText(caught))}`;
			publish({type: 'log', level: 'error', area: 'tools', text});
		},
	};
}

const intervalMilliseconds = 250;

/** Opens the progress of a call: at most four events a second, however often its server reports, and the last report always comes through. */
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

function finishedEvent({id, call, server, tool, outcome, ms}: FinishedCall): GatewayEventBody {
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
		summary: short(text),
	};
}

/** The event of a call whose outcome nobody knows, with what a person needs to look into it. */
export function uncertainEvent(call: CallRow): GatewayEventBody {
	const {id: callId, server, tool, origin, time, end} = call;
	return {
		type: 'call.uncertain',
		callId,
		server: safeText(server),
		tool: short(tool),
		registeredName: registeredName(server, tool),
		arguments: showArguments(call.arguments).value,
		origin: safeOrigin(origin),
		at: time + (end?.ms ?? 0),
		reason: end ? problemCodes.outcome_uncertain.meaning : 'The gateway ended while the call was under way',
	};
}

function short(text: string): string {
	return safeText(text, {maximumCharacters: 200});
}
