import {type Publish} from '../state/event.ts';
import {errorText, Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** Tells the log, and nobody else, what went wrong and at what (`run 12ab`); private details included. */
export function reportProblem(publish: Publish, caught: unknown, where = 'runs'): void {
	const detail = caught instanceof Problem ? caught.detail : undefined;
	const text = safeText([where, errorText(caught), ...(detail ? [detail] : [])].join(': '));
	publish({type: 'log', level: 'error', area: 'runs', text});
}

/** The refusal of an order about a run that is in no state for it: `There is no run under way 12ab`. */
export function unknownRun(what: string, runId?: string): Problem {
	const message = runId === undefined ? what : `${what} ${safeText(runId, {maximumCharacters: 100})}`;
	return new Problem('unknown_run', {message, level: 'warning'});
}

/** Why the signal of a run aborts when a person wants it to end. */
export const cancelledByPerson = new Problem('cancelled', {message: 'cancelled by a person'});

/** Why it aborts when the gateway stops: at once for a run that has not asked its model yet, for the others after the time they are given. */
export const gatewayStopped = new Problem('cancelled', {message: 'the gateway stopped'});
