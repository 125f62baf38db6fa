import {type RunStep} from '../state/run-event.ts';
import {showArguments} from '../tools/show-arguments.ts';
import {cutMiddle} from '../tools/cut-middle.ts';
import {untilAborted} from '../util/clock.ts';
import {hashJson} from '../util/json-hash.ts';
import {prepareSchema, type SchemaCheck} from '../util/json-schema.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../util/json-text.ts';
import {safeText} from '../util/safe-text.ts';
import {type AgentAnswer, type AgentTool, errorAnswer, type Waiting} from './agent-tool.ts';
import {type RepeatGuard} from './repeat-guard.ts';

/** A call as the model makes it. */
export type ModelCall = {readonly id: string; readonly input: JsonValue; readonly signal: AbortSignal};

export type UseToolOptions = {
	readonly guard: Pick<RepeatGuard, 'count'>;
	/** A longer answer keeps head and tail. */
	readonly mostCharacters: number;
	readonly onStep: (step: RunStep) => void;
	/** Told of each call when it begins and ends to wait for a person. */
	readonly onWaiting: (callId: string, waiting: Waiting) => void;
};

/** Makes a call of one tool. Rejects with the reason of the signal, else never: errors are answers. */
export type UseTool = (call: ModelCall) => Promise<AgentAnswer>;

const shownCharacters = 300;

/** What stands between a model and a tool: a call that makes sense, is not the same over and over, ends when it must and answers no more than fits. */
export function createUseTool(tool: AgentTool, options: UseToolOptions): UseTool {
	const {guard, mostCharacters, onStep, onWaiting} = options;
	let schema: Promise<SchemaCheck> | undefined;

	const refuse = async (input: JsonValue): Promise<AgentAnswer | undefined> => {
		const verdict = guard.count(`${tool.name} ${hashJson(input)}`);
		if (verdict !== 'run') {
			return errorAnswer('failed', {code: 'run_stuck', message: repeated(verdict)});
		}

		schema ??= prepareSchema(tool.inputSchema);
		const check = await schema;
		// A schema that cannot be used is the server's to check.
		const flaw = check.kind === 'ready' ? check.problemOf(input) : undefined;
		return flaw === undefined && isJsonObject(input)
			? undefined
			: errorAnswer('failed', {code: 'invalid_arguments', message: flaw ?? 'The arguments are not a JSON object'});
	};

	const call = async (input: JsonValue, signal: AbortSignal, onCall: (waiting: Waiting) => void) => {
		const refusal = await refuse(input);
		// A tool that does not listen to its signal is left behind.
		return refusal ?? untilAborted(tool.run(toObject(input), {signal, onWaiting: onCall}), signal);
	};

	return async ({id, input, signal}) => {
		const about = {id, tool: short(tool.name), arguments: short(JSON.stringify(showArguments(toObject(input))))};
		onStep({...about, state: 'running'});
		const onCall = (waiting: Waiting) => {
			onWaiting(id, waiting);
			onStep({...about, state: waiting === 'nothing' ? 'running' : 'waiting'});
		};

		try {
			const answer = await call(input, signal, onCall);
			onStep({...about, state: 'done', outcome: answer.outcome, summary: short(answer.text)});
			return {...answer, text: cutMiddle(answer.text, mostCharacters)};
		} catch (caught) {
			onStep({...about, state: 'done', outcome: 'cancelled'});
			throw caught;
		}
	};
}

function repeated(verdict: 'warn' | 'stop'): string {
	const advice = verdict === 'warn' ? 'Do something else, or answer with what you know.' : 'The run ends.';
	return `This very call was made several times in a row and was not made again. ${advice}`;
}

function toObject(input: JsonValue): JsonObject {
	return isJsonObject(input) ? input : {};
}

function short(text: string): string {
	return safeText(text, {maximumCharacters: shownCharacters});
}
