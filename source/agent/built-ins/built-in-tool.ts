import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {type Origin} from '../../state/origin.ts';
import {type CallBuiltIn} from '../../tools/call-built-in.ts';
import {callOutcome} from '../../tools/tool-outcome.ts';
import {type UntrustedTexts} from '../../tools/untrusted-texts.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {type AgentTool, errorResult, type ToolUse} from '../agent-tool.ts';

/**
A built-in tool. It only reads, or asks the person at the terminal, so it needs no approval unless a rule asks.
*/
export type BuiltIn = Omit<AgentTool, 'run'> & {
	/** The time limit of a call; absent: it waits for a person, whose time may stand still (docs/approvals.md, Hold). */
	readonly timeoutSeconds?: number;
	/** Returns the result for the model. Throws a Problem whose message is for the model. */
	readonly work: (input: JsonObject, use: ToolUse) => Promise<string>;
};

/** Wraps a built-in as a tool of a run, with a time limit. Each call goes through `callBuiltIn`, as those of servers go through `callTool`. */
export function builtInTool(
	builtIn: BuiltIn,
	options: {
		readonly clock: Clock;
		readonly origin: Origin;
		readonly callBuiltIn: CallBuiltIn;
		readonly untrustedTexts: Pick<UntrustedTexts, 'holds'>;
	},
): AgentTool {
	const {clock, origin, callBuiltIn, untrustedTexts} = options;
	const {timeoutSeconds, work, ...tool} = builtIn;
	const {name, description, inputSchema} = tool;
	const definition = {name, description, inputSchema};

	const workInTime = async (input: JsonObject, use: ToolUse): Promise<string> => {
		if (timeoutSeconds === undefined) {
			return work(input, use);
		}

		const reason = () => new Problem('call_timeout', {message: `${name} took longer than ${timeoutSeconds} seconds`});
		const deadline = openDeadline(clock, timeoutSeconds * 1000, {signal: use.signal, reason});
		try {
			return await untilAborted(work(input, {...use, signal: deadline.signal}), deadline.signal);
		} finally {
			deadline.cancel();
		}
	};

	return {
		...tool,
		async run(input, use) {
			const {signal, onWaiting, resume} = use;
			const call = {
				definition,
				arguments: input,
				origin,
				work: (ofCall: AbortSignal) => workInTime(input, {...use, signal: ofCall}),
			};
			const outcome = await callBuiltIn(call, {
				signal,
				untrustedTexts,
				resume,
				onAsking: asking => onWaiting(asking ? 'approval' : 'nothing'),
				onHeld: held => onWaiting(held ? 'release' : 'nothing'),
			});
			signal.throwIfAborted();
			if (outcome.kind === 'result') {
				return {outcome: 'ok', text: outcome.result};
			}

			const {code, message} = outcome.error;
			return errorResult(callOutcome(outcome), {code, message});
		},
	};
}
