import {type Publish} from '../state/event.ts';
import {errorText, Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** The abort reason of a run that a person cancelled. */
export const cancelledByPerson = new Problem('cancelled', {message: 'cancelled by a person'});

/** The abort reason when the gateway stops: at once for a run that has not asked its model yet, for the others after their grace period. */
export const gatewayStopped = new Problem('cancelled', {message: 'the gateway stopped'});

/** Writes an error and its place only to the log (`run 12ab`), with private details. */
export function reportProblem(publish: Publish, caught: unknown, where = 'runs'): void {
	const detail = caught instanceof Problem ? caught.detail : undefined;
	const text = safeText([where, errorText(caught), ...(detail ? [detail] : [])].join(': '));
	publish({type: 'log', level: 'error', area: 'runs', text});
}

/** The problem of cancelling a run that another gateway carries out: only that one can stop it. */
export function runElsewhere(runId: string, node: string): Problem {
	const name = safeText(node, {maximumCharacters: 100});
	return new Problem('run_elsewhere', {
		message: `The run is in progress on ${name}`,
		remedy: `On ${name}, run \`sluice runs cancel ${safeText(runId, {maximumCharacters: 100})}\``,
		level: 'warning',
	});
}

/** The problem of a command that the run's state does not allow: `There is no run under way 12ab`. */
export function unknownRun(what: string, runId?: string): Problem {
	const message = runId === undefined ? what : `${what} ${safeText(runId, {maximumCharacters: 100})}`;
	return new Problem('unknown_run', {message, level: 'warning'});
}
