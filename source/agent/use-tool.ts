import {type RunStep} from '../state/work-event.ts';
import {cutMiddle} from '../tools/cut-middle.ts';
import {maskArguments} from '../tools/show-arguments.ts';
import {untilAborted} from '../util/clock.ts';
import {hashJson} from '../util/json-hash.ts';
import {prepareSchema, type SchemaCheck} from '../util/json-schema.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../util/json-text.ts';
import {type Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {shownValue} from '../util/shown-json.ts';
import {type AgentTool, type AgentToolResult, errorResult, type ToolUse, type Waiting} from './agent-tool.ts';
import {type RunLimits} from './run-limits.ts';
import {type RunWaits} from './run-waits.ts';

/** A model's call. */
export type ModelCall = CheckedCall & {readonly id: string; readonly signal: AbortSignal};

/** `flaw`: why the input is not what the model wrote; then the call is refused. */
type CheckedCall = {readonly input: JsonValue; readonly flaw: string | undefined};

export type UseToolOptions = CallCheckOptions & {
	/** A longer result is cut in the middle. */
	readonly maxCharacters: number;
	readonly onStep: (step: RunStep) => void;
	/** Called with what the model gets to read, before it does. */
	readonly onAnswer?: (answer: AgentToolResult) => void;
	readonly waits: RunWaits;
	readonly limits: Pick<RunLimits, 'countCall'>;
};

/** Makes a call of one tool. Rejects with the reason of the signal, else never: errors are results. */
export type UseTool = (call: ModelCall) => Promise<AgentToolResult>;

const shownCharacters = 300;

/** Creates the function that checks and makes the calls of one tool: arguments must be valid, identical calls are limited, the signal ends a call, and a long result is cut. */
export function createUseTool(tool: AgentTool, options: UseToolOptions): UseTool {
	const {maxCharacters, onStep, onAnswer, waits} = options;
	const check = createCallCheck(tool, options);

	/** Ends the run where no more calls are allowed. */
	const countCall = async (use: ToolUse): Promise<AgentToolResult | undefined> => {
		const refused = await options.limits.countCall(use);
		if (refused) {
			options.guard.stop(refused);
		}

		return refused && errorResult('failed', {code: refused.code, message: refused.message});
	};

	const call = async (checked: CheckedCall, use: ToolUse) => {
		const refusal = (await check(checked)) ?? (await countCall(use));
		// Does not wait for a tool that ignores its signal.
		return refusal ?? untilAborted(tool.run(toObject(checked.input), use), use.signal);
	};

	return async ({id, input, flaw, signal}) => {
		const about = {
			id,
			tool: short(tool.name),
			arguments: short(JSON.stringify(shownValue(maskArguments(toObject(input)).value))),
		};
		onStep({...about, state: 'running'});
		const onWaiting = (waiting: Waiting) => {
			waits.note(id, waiting);
			onStep({...about, state: waiting === 'nothing' ? 'running' : 'waiting'});
		};

		try {
			await waits.enter(id, signal);
			const whole = await call({input, flaw}, {signal, onWaiting, resume: waits.resume});
			// The model goes on after every end of the wait.
			waits.note(id, 'nothing');
			await waits.resume(signal);
			const answer = {...whole, text: cutMiddle(whole.text, maxCharacters)};
			if (answer.unwritten) {
				options.guard.stop(answer.unwritten);
			}

			onAnswer?.(answer);
			onStep({...about, state: 'done', outcome: answer.outcome, summary: short(answer.text)});
			return answer;
		} catch (caught) {
			onStep({...about, state: 'done', outcome: 'cancelled'});
			throw caught;
		} finally {
			waits.leave(id);
		}
	};
}

function toObject(input: JsonValue): JsonObject {
	return isJsonObject(input) ? input : {};
}

function short(text: string): string {
	return safeText(text, {maximumCharacters: shownCharacters});
}

type CallCheckOptions = {readonly guard: Pick<RepeatGuard, 'count' | 'stop'>};

/** Returns the result for the model that says why a call must not be made; undefined when it may. */
type CallCheck = (call: CheckedCall) => Promise<AgentToolResult | undefined>;

/** Creates the check of the calls of one tool. */
function createCallCheck(
	{name, inputSchema}: Pick<AgentTool, 'name' | 'inputSchema'>,
	{guard}: CallCheckOptions,
): CallCheck {
	let schema: Promise<SchemaCheck> | undefined;
	return async ({input, flaw: loss}) => {
		const decision = guard.count(`${name} ${hashJson(input)}`);
		if (decision !== 'run') {
			return errorResult('failed', {code: 'run_stuck', message: repeated(decision)});
		}

		schema ??= prepareSchema(inputSchema);
		const check = await schema;
		// With an unusable schema the server itself checks the arguments.
		const flaw = loss ?? (check.kind === 'ready' ? check.problemOf(input) : undefined);
		return flaw === undefined && isJsonObject(input)
			? undefined
			: errorResult('failed', {code: 'invalid_arguments', message: flaw ?? 'The arguments are not a JSON object'});
	};
}

function repeated(decision: 'warn' | 'stop'): string {
	const advice = decision === 'warn' ? 'Do something else, or answer with the information you have.' : 'The run ends.';
	return `The same call was made several times in a row, so it was not made again. ${advice}`;
}

/** The decision about a call: run it, warn the model instead, or end the run. */
type RepeatDecision = 'run' | 'warn' | 'stop';

/** Detects a model that repeats the same call. */
export type RepeatGuard = {
	/** Counts a call. `call` is the same text for the same tool with the same arguments. */
	readonly count: (call: string) => RepeatDecision;
	/** The tool on which the model got stuck. */
	readonly stuckOn: () => string | undefined;
	/** The run cannot go on: what it did next would have no row. */
	readonly stop: (problem: Problem) => void;
	readonly stoppedBy: () => Problem | undefined;
};

/** Polling by repeated calls is fine for a while. */
const maxEqualCalls = 5;

/** Creates the guard of one run. A different call restarts the count. */
export function createRepeatGuard(): RepeatGuard {
	let last = '';
	let times = 0;
	let stuck: string | undefined;
	let stopped: Problem | undefined;
	return {
		stop: problem => void (stopped ??= problem),
		stoppedBy: () => stopped,
		count(call) {
			times = call === last ? times + 1 : 1;
			last = call;
			if (times <= maxEqualCalls) {
				return 'run';
			}

			if (times === maxEqualCalls + 1) {
				return 'warn';
			}

			stuck = call.split(' ', 1)[0];
			return 'stop';
		},
		stuckOn: () => stuck,
	};
}
