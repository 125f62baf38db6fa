import {type Publish} from '../../state/event.ts';
import {type Origin, safeOrigin} from '../../state/origin.ts';
import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {orderedId} from '../../util/random-id.ts';
import {safeText} from '../../util/safe-text.ts';
import {type AgentAnswer, type AgentTool, errorAnswer, type ToolUse} from '../agent-tool.ts';

/**
A built-in tool. It only reads, or asks the person at the terminal, so it needs no approval.
*/
export type BuiltIn = Omit<AgentTool, 'run'> & {
	/** How long a call may take; a person takes longer than a page. */
	readonly timeoutSeconds: number;
	/** Returns the result for the model. Throws a Problem whose message is for the model. */
	readonly work: (input: JsonObject, use: ToolUse) => Promise<string>;
};

const summaryCharacters = 200;

/** Wraps a built-in as a tool of a run, with a time limit and the same events as every other call. */
export function builtInTool(
	builtIn: BuiltIn,
	options: {readonly clock: Clock; readonly publish: Publish; readonly origin: Origin},
): AgentTool {
	const {clock, publish, origin} = options;
	const {name, timeoutSeconds, work, ...rest} = builtIn;

	const answer = async (input: JsonObject, use: ToolUse): Promise<AgentAnswer> => {
		const reason = () => new Problem('call_timeout', {message: `${name} took longer than ${timeoutSeconds} seconds`});
		const deadline = openDeadline(clock, timeoutSeconds * 1000, {signal: use.signal, reason});
		try {
			const text = await untilAborted(work(input, {...use, signal: deadline.signal}), deadline.signal);
			return {outcome: 'ok', text};
		} catch (caught) {
			use.signal.throwIfAborted();
			const {code, message} = toProblem(caught);
			return errorAnswer('failed', {code, message});
		} finally {
			deadline.cancel();
		}
	};

	return {
		...rest,
		name,
		async run(input, use) {
			const began = clock.elapsed();
			const {outcome, text} = await answer(input, use);
			publish({
				type: 'tool.finished',
				callId: orderedId(clock.now()),
				server: 'sluice',
				tool: name,
				origin: safeOrigin(origin),
				ms: Math.round(clock.elapsed() - began),
				outcome,
				summary: safeText(text, {maximumCharacters: summaryCharacters}),
			});
			return {outcome, text};
		},
	};
}
