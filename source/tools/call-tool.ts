import {Problem, toProblem} from '../util/problem.ts';
import {admit, assertUnchanged, type CallOptions, type Lookup, type ToolCall} from './admit.ts';
import {type CallReportOptions, createCallReport} from './call-report.ts';
import {createGate, type GateOptions} from './gate.ts';
import {createPerform, type Performed, type PerformOptions} from './perform.ts';
import {refusal} from './refusal.ts';
import {type RunningCalls} from './running-calls.ts';
import {failure, type ToolError, type ToolOutcome} from './tool-outcome.ts';

export {type ToolCall, type ToolError, type ToolOutcome};

/** Calls a tool by its registered name, once it is allowed to run. Never rejects: errors are data (spec/decisions.md, D4). */
export type CallTool = (call: ToolCall, options: CallOptions) => Promise<ToolOutcome>;

export type CallToolOptions = Lookup &
	Omit<GateOptions, 'report'> &
	PerformOptions &
	CallReportOptions & {
		/** Where a person finds the call to call it off. */
		readonly running: Pick<RunningCalls, 'enter'>;
	};

/** Builds the only door to the tools: nothing else asks a connection for something. */
export function createCallTool(options: CallToolOptions): CallTool {
	const report = createCallReport(options);
	const gate = createGate({...options, report: report.broke});
	const perform = createPerform(options);

	/** The walk of a call. A lazy server sleeps until `perform`, so that a refused call wakes nobody. */
	const walk = async (id: string, call: ToolCall, callOptions: CallOptions): Promise<Performed> => {
		const {signal} = callOptions;
		const admitted = admit(call, options);
		const verdict = await gate(admitted, callOptions);
		report.decided(id, admitted, verdict);
		const refused = verdict.kind === 'asked' ? refusal(verdict.outcome) : undefined;
		if (refused) {
			throw refused;
		}

		signal.throwIfAborted();
		assertUnchanged(admitted, options);
		return perform(id, admitted, callOptions);
	};

	return async (call, caller) => {
		const {id, signal, leave} = options.running.enter(caller.signal);
		const known = options.findTool(call.name);
		const began = options.clock.elapsed();
		const performed = await walk(id, call, {...caller, signal}).catch((caught: unknown): Performed => {
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
