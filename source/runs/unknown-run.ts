import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** The refusal of an order about a run that is in no state for it: `There is no run under way 12ab`. */
export function unknownRun(what: string, runId?: string): Problem {
	const message = runId === undefined ? what : `${what} ${safeText(runId, {maximumCharacters: 100})}`;
	return new Problem('unknown_run', {message, level: 'warning'});
}
