import {Problem, toProblem} from '../util/problem.ts';
import {validateCall, assertUnchanged, type CallOptions, type Lookup, type ToolCall} from './validate-call.ts';
import {type CallReportOptions, createCallReport} from './call-report.ts';
import {createAuthorizeCall, type AuthorizeCallOptions} from './authorize-call.ts';
import {createPerform, type Performed, type PerformOptions} from './perform.ts';
import {refusal} from './refusal.ts';
import {type RunningCalls} from './running-calls.ts';
import {failure, type ToolError, type ToolOutcome} from './tool-outcome.ts';

export {type ToolCall, type ToolError, type ToolOutcome};

/** Calls a tool by its registered name, once it is allowed to run. Never rejects: errors are data (docs/tool-servers.md, Results). */
export type CallTool = (call: ToolCall, options: CallOptions) => Promise<ToolOutcome>;

export type CallToolOptions = Lookup &
	Omit<AuthorizeCallOptions, 'report'> &
	PerformOptions &
	CallReportOptions & {
		/** Where a person finds the call to call it off. */
		readonly running: Pick<RunningCalls, 'enter'>;
	};

/** Builds the only way to the tools: nothing else asks a connection for something. */
export function createCallTool(options: CallToolOptions): CallTool {
	const report = createCallReport(options);
	const authorizeCall = createAuthorizeCall({...options, report: report.broke});
	const perform = createPerform(options);

	/** the request pipeline of a call. A lazy server sleeps until `perform`, so that a refused call wakes nobody. */
	const runCall = async (id: string, call: ToolCall, callOptions: CallOptions): Promise<Performed> => {
		const {signal} = callOptions;
		const validated = validateCall(call, options);
		const verdict = await authorizeCall(validated, callOptions);
		report.decided(id, validated, verdict);
		const refused = verdict.kind === 'asked' ? refusal(verdict.outcome) : undefined;
		if (refused) {
			throw refused;
		}

		signal.throwIfAborted();
		assertUnchanged(validated, options);
		return perform(id, validated, callOptions);
	};

	return async (call, caller) => {
		const {id, signal, leave} = options.running.enter(caller.signal);
		const known = options.findTool(call.name);
		const began = options.clock.elapsed();
		const performed = await runCall(id, call, {...caller, signal}).catch((caught: unknown): Performed => {
			if (!(caught instanceof Problem || signal.aborted)) {
				report.broke(caught);
			}

			const problem = toProblem(caught, signal.aborted ? 'cancelled' : 'internal');
			return {outcome: failure(problem, known?.server), ms: options.clock.elapsed() - began};
		});
		leave();
		report.finished({id, call, server: known?.server ?? '', tool: known?.tool ?? call.name, ...performed});
		return performed.outcome;
	};
}
