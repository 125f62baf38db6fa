import {type CallRow} from '../../journal/journal.ts';
import {type TaskEnd} from '../../journal/rows/task-rows.ts';
import {Problem} from '../../util/problem.ts';
import {failure} from '../tool-outcome.ts';
import {type EndedCall} from './task-run.ts';

/** The answer to a call, as its client would have got it. Rejects with the JSON-RPC error where it would have got one. */
export type ResultOf = (ended: EndedCall) => Promise<Readonly<Record<string, unknown>>>;

/** A result of more bytes is kept in its text form, which is cut (docs/connections.md, Results). */
const maxResultCharacters = 16 * 1024 * 1024;

/** JSON-RPC 2.0, 5.1: the call of a tool that does not exist is answered with this error. */
const invalidParams = -32_602;

/**
The end of a task whose call has ended. `failed` is for errors of the protocol alone; an error of the tool, or a denial, is a result (SEP-2663, Task
Execution Errors).
*/
export async function endOfTask(ended: EndedCall, cancelled: string | undefined, resultOf: ResultOf): Promise<TaskEnd> {
	const {outcome} = ended;
	if (outcome.kind === 'error' && cancelled !== undefined) {
		return {state: 'cancelled', message: outcome.error.outcomeUncertain ? outcome.error.message : cancelled};
	}

	if (outcome.kind === 'error' && outcome.error.code === 'unknown_tool') {
		const {message} = outcome.error;
		return {state: 'failed', outcome: {code: invalidParams, message}, message};
	}

	try {
		const result = await resultOf(ended);
		const isLarge = ended.answer !== undefined && JSON.stringify(result).length > maxResultCharacters;
		return {state: 'completed', outcome: isLarge ? await resultOf({...ended, answer: undefined}) : result};
	} catch (caught) {
		if (!isProtocolError(caught)) {
			throw caught;
		}

		const {code, message, data} = caught;
		return {state: 'failed', outcome: {code, message, ...(data !== undefined && {data})}, message};
	}
}

/** True for a JSON-RPC error, whose code is a number. */
function isProtocolError(caught: unknown): caught is Error & {readonly code: number; readonly data?: unknown} {
	return caught instanceof Error && 'code' in caught && typeof caught.code === 'number';
}

/** The end of a call that an earlier gateway has sent, as far as the journal knows it. */
export function endByJournal({server, end}: CallRow): EndedCall {
	const {result, outcome, code} = end ?? {};
	if (outcome === 'ok') {
		const {text = '', structuredContent} = result ?? {};
		const kept = {kind: 'result', result: text, ...(structuredContent && {structuredContent})} as const;
		return {outcome: kept, answer: undefined, server};
	}

	if (outcome === undefined || outcome === 'outcome_uncertain') {
		return {outcome: failure(new Problem('outcome_uncertain'), server), answer: undefined, server};
	}

	const message = result?.text;
	const problem = new Problem(code ?? 'call_failed', message === undefined ? {} : {message});
	return {outcome: failure(problem, server), answer: undefined, server};
}
