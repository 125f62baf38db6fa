import {type HoldCheck} from '../approvals/hold.ts';
import {isTakenOver} from '../journal/operations/request-batches.ts';
import {type Waiting} from '../journal/journal.ts';
import {type CallEvaluation} from '../journal/rows/records.ts';
import {type CallClaim} from '../journal/rows/request-rows.ts';
import {type CallContent} from '../mcp/connection.ts';
import {type Origin} from '../state/origin.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {type Authorization, decisionOutcome, isSameDecision} from './authorization.ts';
import {type AuthorizeCallOptions, createAuthorizeCall} from './authorize-call.ts';
import {claimCall, type CallClaims} from './claim-call.ts';
import {callEnd, callerOrigin, type CallJournal, callRecord, journalStart, recordUnsent} from './call-journal.ts';
import {type RunningCalls} from './running-calls.ts';
import {areRulesOf, evaluationOf, readableRules} from './call-rules.ts';
import {type CallReport, type CallReportOptions, createCallReport} from './call-report.ts';
import {failure, refusal, type ToolOutcome, withoutTokens} from './tool-outcome.ts';
import {type SaveMedia, toolResult} from './tool-result.ts';
import {readToolOf} from './utility-tools.ts';
import {assertUnchanged, type CallOptions, isSameTool, type Lookup, type ToolCall} from './validate-call.ts';
import {validateCall, type ValidatedCall} from './validate-call.ts';

export {type ToolCall, type ToolOutcome};

/** Calls a tool by its registered name, once it is authorized. Never rejects: errors are data (docs/connections.md, Results). */
export type CallTool = (call: ToolCall, options: CallOptions) => Promise<ToolOutcome>;

export type CallToolOptions = Omit<AuthorizeCallOptions, 'report'> &
	CallReportOptions &
	PerformOptions & {
		/** Counts a call of a client before anything is decided about it. Rejects with `limit_reached`. Absent: there are no limits. */
		readonly countCall?: ((origin: Origin) => Promise<void>) | undefined;
		/** The list from which a person cancels the call. */
		readonly running: Pick<RunningCalls, 'enter'>;
	};

type PerformOptions = Lookup &
	Pick<AuthorizeCallOptions, 'ruleState'> &
	CallJournal & {
		readonly profile: string;
		readonly saveMedia: SaveMedia;
		/** Calls wait while everything is held. */
		readonly hold: HoldCheck;
		/** Absent: nobody shares the journal. */
		readonly claims?: CallClaims | undefined;
	};

/** A call under way, and what was decided about it, once it was. */
type EnteredCall = {readonly id: string; evaluation?: CallEvaluation; approvalId?: string | undefined};

/** The outcome of a call and its duration in milliseconds: that of the server, if it was sent. */
type Performed = {readonly outcome: ToolOutcome; readonly ms: number; readonly journalled?: true};

/** Creates the only path to the tools: no other code sends a request to a connection. */
export function createCallTool(options: CallToolOptions): CallTool {
	const report = createCallReport(options);
	const authorizeCall = createAuthorizeCall({...options, report: report.broke});
	const perform = createPerform(options, report);

	/** Allows a call, or throws why not; after each hold that it waited for, it is evaluated again. */
	const evaluate = async (
		entered: EnteredCall,
		call: ToolCall,
		caller: CallOptions,
		before?: EvaluatedCall,
	): Promise<EvaluatedCall> => {
		const validated = validateCall(call, options);
		const rules = readableRules(options.ruleState());
		const known = options.claims?.knownDocuments();
		const earlier = before ? verdictOn(validated, before) : caller.task?.earlier(rules ?? []);
		const verdict = await authorizeCall(validated, {...caller, earlier});
		caller.task?.decided(verdict);
		entered.evaluation = evaluationOf(validated, verdict, caller.untrustedTexts);
		entered.approvalId = 'request' in verdict ? verdict.request?.id : undefined;
		if (!isSameDecision(verdict, earlier) && caller.task?.caller() !== 'left') {
			report.decided(entered.id, validated, verdict);
		}

		const refused = refusedBy(verdict);
		if (refused) {
			throw refused;
		}

		caller.signal.throwIfAborted();
		// From here on everything is looked at once more that may have changed meanwhile.
		await caller.resume?.(caller.signal);
		// The rules evaluated an allowed call once more after the answer of the person.
		const documents = verdict.kind === 'asked' ? options.claims?.knownDocuments() : known;
		const evaluated = {...validated, verdict, rules, documents};
		if ((await options.hold.pass(heldCall(validated), caller)) === 'released') {
			return evaluate(entered, call, caller, evaluated);
		}

		assertUnchanged(validated, options);
		return areRulesOf(rules, options.ruleState()) ? evaluated : evaluate(entered, call, caller, evaluated);
	};

	/** The steps of a call. A lazy server sleeps until `perform`, so that a refused call wakes none. */
	const runCall = async (entered: EnteredCall, call: ToolCall, caller: CallOptions): Promise<Performed> => {
		// That of a task was counted when its client made it.
		await (caller.task?.caller() !== 'handed-over' && options.countCall?.(call.origin));
		const evaluated = await evaluate(entered, call, caller);
		return perform(entered, evaluated, {
			...caller,
			callId: entered.id,
			evaluateAgain: before => evaluate(entered, call, caller, before),
		});
	};

	return async (call, caller) => {
		const {id, signal, leave} = options.running.enter(caller.signal);
		const known = options.findTool(call.name);
		const began = options.clock.elapsed();
		const entered: EnteredCall = {id};
		const performed = await runCall(entered, call, {...caller, signal}).catch((caught: unknown): Performed => {
			if (!(caught instanceof Problem || signal.aborted)) {
				report.broke(caught);
			}

			const problem = toProblem(caught, signal.aborted ? 'cancelled' : 'internal');
			return {outcome: failure(problem, known?.server), ms: options.clock.elapsed() - began};
		});
		leave();
		const {journalled, ...ended} = performed;
		if (!journalled && caller.task?.caller() === 'left') {
			// It waits on elsewhere.
			return ended.outcome;
		}

		const named = {server: known?.server ?? '', tool: known?.tool ?? call.name};
		const made = {...entered, call: {...call, origin: callerOrigin(call, caller.task)}, ...named, ...ended};
		if (!journalled) {
			recordUnsent(options, made);
		}

		report.finished({...made, rule: entered.evaluation?.rule});
		return ended.outcome;
	};
}

/** A call that may be sent, what allowed it, and the rules of that moment. */
type EvaluatedCall = ValidatedCall & {
	readonly verdict: Authorization;
	readonly rules: ReturnType<typeof readableRules>;
	/** The stored part of that, where other gateways may change it. */
	readonly documents: CallClaim['documents'] | undefined;
};

/** The verdict of an earlier evaluation, if it was about the same tool. */
function verdictOn(call: ValidatedCall, before: EvaluatedCall): Authorization | undefined {
	return isSameTool(before, call) ? before.verdict : undefined;
}

function refusedBy(verdict: Authorization): Problem | undefined {
	const outcome = decisionOutcome(verdict);
	return outcome && refusal(outcome);
}

function heldCall({tool: {server, tool}, origin, arguments: args}: ValidatedCall) {
	return {kind: 'call', server, tool, origin, arguments: args} as const;
}

/**
Sends an authorized call. It is journalled before it is sent, so that no call is lost without a trace; that of a read-only tool is written behind.
Rejects with `storage_unavailable` when the journal cannot be written and the call is not read-only: nothing was sent then.
*/
function createPerform(
	options: PerformOptions,
	report: CallReport,
): (entered: EnteredCall, call: EvaluatedCall, callOptions: SendOptions) => Promise<Performed> {
	const {clock, profile} = options;
	return async (entered, call, callOptions) => {
		const {id, evaluation} = entered;
		const described = callRecord(id, call, {time: clock.now(), profile}, callOptions.task);
		const record = {...described, ...(evaluation && {judged: evaluation})};
		const start = await journalStart(record, options, callOptions);
		report.started(id, {...call, origin: record.origin}, entered.approvalId);
		const progress = report.openProgress(id);
		const began = clock.elapsed();
		const outcome = await sendCall(call, options, {
			...callOptions,
			onProgress(step) {
				progress.note(step);
				callOptions.onProgress?.(step);
			},
		});
		progress.close();
		const ms = Math.round(clock.elapsed() - began);
		const end = callEnd(outcome, ms);
		start.finish(end, entered.evaluation);
		if (end.outcome === 'outcome_uncertain') {
			report.uncertain({...record, end});
		}

		return {outcome, ms, journalled: true};
	};
}

type SendOptions = CallOptions & {
	readonly callId: string;
	readonly evaluateAgain: (call: EvaluatedCall) => Promise<EvaluatedCall>;
};

/** More changes than people make while a call waits for its turn. */
const maxAttempts = 100;

/** Thrown in the moment of sending. */
const rulesChanged = new Problem('cancelled', {message: 'The rules changed before the call was sent'});

/**
Asks the server. A call that still waited there for its turn when a hold began, the rules changed or the journal went away was not sent: it waits for
the release, or for the journal, and is evaluated again.
*/
async function askServer(
	first: EvaluatedCall,
	options: PerformOptions,
	{callId, signal, task, evaluateAgain, ...caller}: SendOptions,
): Promise<CallContent> {
	for (let call = first, attempt = 1; ; call = await evaluateAgain(call), attempt++) {
		let unclaimed: unknown;
		try {
			return await call.connection.request(call.request, {
				...caller,
				signal,
				origin: call.origin,
				...(call.documents && {
					async claim() {
						await task?.begin(callId, signal);
						await claimOrEvaluateAgain(callId, call, options).catch((caught: unknown) => {
							unclaimed = caught;
							throw caught;
						});
					},
				}),
				beforeSend() {
					options.hold.assertFree();
					if (!areRulesOf(call.rules, options.ruleState())) {
						throw rulesChanged;
					}

					assertUnchanged(call, options);
				},
			});
		} catch (caught) {
			const isHeld = caught instanceof Problem && caught.code === 'held';
			const isAway = caught === unclaimed && isStorageAway(caught);
			if (!(isHeld || isAway || caught === rulesChanged) || attempt === maxAttempts) {
				throw caught;
			}

			if (isAway) {
				// Others of the same server go on meanwhile.
				await claimOrEvaluateAgain(callId, call, options, {signal}).catch(exceptChanged);
			}
		}
	}
}

function isStorageAway(caught: unknown): boolean {
	return caught instanceof Problem && caught.code === 'storage_unavailable' && !isTakenOver(caught);
}

function exceptChanged(caught: unknown): void {
	if (caught !== rulesChanged) {
		throw caught;
	}
}

/** A call that changes nothing and that nobody was asked about needs no claim. With `waiting` it waits for a journal that is away. */
async function claimOrEvaluateAgain(
	callId: string,
	call: EvaluatedCall,
	{claims}: PerformOptions,
	waiting?: Waiting,
): Promise<void> {
	const {tool, verdict, documents} = call;
	const asked = 'request' in verdict ? verdict.request : undefined;
	const request = asked && {id: asked.id, argumentsHash: call.argumentsHash()};
	if ((!tool.readOnly || asked) && (await claimCall(claims, {callId, documents, request}, waiting)) === 'changed') {
		throw rulesChanged;
	}
}

/** Asks the server and converts its response to an outcome. Never rejects: errors are data. */
async function sendCall(call: EvaluatedCall, options: PerformOptions, callOptions: SendOptions): Promise<ToolOutcome> {
	const {signal, onAnswer} = callOptions;
	const {server} = call.tool;
	const readTool = readToolOf(server, options.findTool);
	try {
		signal.throwIfAborted();
		const answer = await askServer(call, options, callOptions);
		onAnswer?.(answer);
		return withoutTokens(await toolResult(answer, {server, readTool, saveMedia: options.saveMedia}));
	} catch (caught) {
		return failure(toProblem(caught, signal.aborted ? 'cancelled' : 'call_failed'), server);
	}
}
