import {type RunAnswer} from '../agent/run-task.ts';
import {type Publish} from '../state/event.ts';
import {toProblem} from '../util/problem.ts';
import {reportProblem} from './report-problem.ts';
import {cancelledByPerson} from './run-queue.ts';
import {type RunStep} from './run-state.ts';

/** How a begun run ends, and the answer it came to. */
export type RunEnding = {readonly step: RunStep; readonly reason?: string; readonly answer?: RunAnswer};

/** The end of a run whose signal aborted: a person wanted it, or the gateway stops, which `stopped` words. */
export function aborted(signal: AbortSignal, stopped: string): RunEnding {
	return signal.reason === cancelledByPerson
		? {step: 'cancel', reason: cancelledByPerson.message}
		: {step: 'interrupt', reason: stopped};
}

/** The end of a run that went wrong; details are told in the log only. */
export function failed(runId: string, caught: unknown, publish: Publish): RunEnding {
	reportProblem(publish, caught, `run ${runId}`);
	return {step: 'fail', reason: toProblem(caught).message};
}
