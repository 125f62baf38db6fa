import {hashJson} from '../util/json-hash.ts';
import {prepareSchema, type SchemaCheck} from '../util/json-schema.ts';
import {isJsonObject, type JsonValue} from '../util/json-text.ts';
import {type AgentAnswer, type AgentTool, errorAnswer} from './agent-tool.ts';
import {type RepeatGuard} from './repeat-guard.ts';

export type CallCheckOptions = {readonly guard: Pick<RepeatGuard, 'count'>};

/** Says why a call must not be made, in an answer for the model; undefined when it may. */
export type CallCheck = (input: JsonValue) => Promise<AgentAnswer | undefined>;

/** Opens the check of one tool's calls: not the same one over and over, and arguments that fit its schema. */
export function createCallCheck(
	{name, inputSchema}: Pick<AgentTool, 'name' | 'inputSchema'>,
	{guard}: CallCheckOptions,
): CallCheck {
	let schema: Promise<SchemaCheck> | undefined;
	return async input => {
		const verdict = guard.count(`${name} ${hashJson(input)}`);
		if (verdict !== 'run') {
			return errorAnswer('failed', {code: 'run_stuck', message: repeated(verdict)});
		}

		schema ??= prepareSchema(inputSchema);
		const check = await schema;
		// A schema that cannot be used is the server's to check.
		const flaw = check.kind === 'ready' ? check.problemOf(input) : undefined;
		return flaw === undefined && isJsonObject(input)
			? undefined
			: errorAnswer('failed', {code: 'invalid_arguments', message: flaw ?? 'The arguments are not a JSON object'});
	};
}

function repeated(verdict: 'warn' | 'stop'): string {
	const advice = verdict === 'warn' ? 'Do something else, or answer with what you know.' : 'The run ends.';
	return `This very call was made several times in a row and was not made again. ${advice}`;
}
