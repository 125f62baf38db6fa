import {type HoldCheck} from '../../approvals/hold.ts';
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

/** Wraps a built-in as a tool of a run: it waits while everything is held, and has a time limit and the same events as every other call. */
export function builtInTool(
	builtIn: BuiltIn,
	options: {
		readonly clock: Clock;
		readonly publish: Publish;
		readonly origin: Origin;
		readonly hold: Pick<HoldCheck, 'pass'>;
	},
): AgentTool {
	const {clock, publish, origin, hold} = options;
	const {name, timeoutSeconds, work, ...rest} = builtIn;

	const workInTime = async (input: JsonObject, use: ToolUse): Promise<string> => {
		const reason = () => new Problem('call_timeout', {message: `${name} took longer than ${timeoutSeconds} seconds`});
		const deadline = openDeadline(clock, timeoutSeconds * 1000, {signal: use.signal, reason});
		try {
			return await untilAborted(work(input, {...use, signal: deadline.signal}), deadline.signal);
		} finally {
			deadline.cancel();
		}
	};

	const answer = async (input: JsonObject, use: ToolUse): Promise<AgentAnswer> => {
		const {signal, onWaiting} = use;
		try {
			const onHeld = (held: boolean) => onWaiting(held ? 'release' : 'nothing');
			await hold.pass({kind: 'call', server: 'sluice', tool: name, origin}, {signal, onHeld});
			return {outcome: 'ok', text: await workInTime(input, use)};
		} catch (caught) {
			signal.throwIfAborted();
			const {code, message} = toProblem(caught);
			return errorAnswer('failed', {code, message});
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
