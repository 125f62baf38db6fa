import {type RunStep} from '../state/work-event.ts';
import {showArguments} from '../tools/show-arguments.ts';
import {cutMiddle} from '../tools/cut-middle.ts';
import {untilAborted} from '../util/clock.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../util/json-text.ts';
import {safeText} from '../util/safe-text.ts';
import {type AgentAnswer, type AgentTool, type Waiting} from './agent-tool.ts';
import {createCallCheck, type CallCheckOptions} from './call-check.ts';

/** A call as the model makes it. */
export type ModelCall = {readonly id: string; readonly input: JsonValue; readonly signal: AbortSignal};

export type UseToolOptions = CallCheckOptions & {
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
	const {mostCharacters, onStep, onWaiting} = options;
	const check = createCallCheck(tool, options);

	const call = async (input: JsonValue, signal: AbortSignal, onCall: (waiting: Waiting) => void) => {
		const refusal = await check(input);
		// A tool that does not listen to its signal is left behind.
		return refusal ?? untilAborted(tool.run(toObject(input), {signal, onWaiting: onCall}), signal);
	};

	return async ({id, input, signal}) => {
		const about = {id, tool: short(tool.name), arguments: short(JSON.stringify(showArguments(toObject(input)).value))};
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

function toObject(input: JsonValue): JsonObject {
	return isJsonObject(input) ? input : {};
}

function short(text: string): string {
	return safeText(text, {maximumCharacters: shownCharacters});
}
