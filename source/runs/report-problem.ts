import {type Publish} from '../state/event.ts';
import {Problem, errorText} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** Tells the log, and nobody else, what went wrong and at what (`run 12ab`); private details included. */
export function reportProblem(publish: Publish, caught: unknown, where = 'runs'): void {
	const detail = caught instanceof Problem ? caught.detail : undefined;
	const text = safeText([where, errorText(caught), ...(detail ? [detail] : [])].join(': '));
	publish({type: 'log', level: 'error', area: 'runs', text});
}
