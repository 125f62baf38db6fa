import {type Deliver} from '../delivery/deliver.ts';
import {type Journal, type RunRecord} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock, untilAborted} from '../util/clock.ts';
import {toProblem} from '../util/problem.ts';
import {reportProblem} from './report-problem.ts';
import {runAppeared, runChanged} from './run-event.ts';
import {type RunStep, nextRunState} from './run-state.ts';

/** Asks a model to do the run and answers its text. Rejects when that fails or the signal aborts. */
export type Complete = (run: RunRecord, options: {readonly signal: AbortSignal}) => Promise<string>;

/** How a begun run ends. */
type End = {readonly step: RunStep; readonly reason?: string};

const interrupted: End = {step: 'interrupt', reason: 'the gateway stopped'};

/** Makes the function that carries a begun run to its end: model, delivery, state. It rejects with `storage_unavailable` only. */
export function createExecuteRun(options: {
	readonly journal: Pick<Journal, 'setRunState'>;
	readonly clock: Clock;
	readonly publish: Publish;
	readonly deliver: Deliver;
	readonly complete: Complete;
}): (run: RunRecord, options: {readonly signal: AbortSignal}) => Promise<void> {
	const {journal, clock, publish, deliver, complete} = options;

	const answerAndDeliver = async (run: RunRecord, signal: AbortSignal): Promise<End> => {
		signal.throwIfAborted();
		const text = await untilAborted(complete(run, {signal}), signal);
		const {id: runId, eventId, profile, deliver: target, deliverExtra: extra, deliveryId, route} = run;
		const answer = {target, text, extra, deliveryId, route, profile, eventId, runId};
		const result = await deliver(answer, {signal});
		if (result.kind === 'delivered') {
			return {step: 'finish'};
		}

		return signal.aborted
			? {step: 'interrupt', reason: 'the gateway stopped while the answer was delivered'}
			: {step: 'fail', reason: result.problem.message};
	};

	const failed = (run: RunRecord, caught: unknown): End => {
		reportProblem(publish, caught, `run ${run.id}`);
		return {step: 'fail', reason: toProblem(caught).message};
	};

	return async (run, {signal}) => {
		publish(runAppeared(run, 'running', {startedAt: clock.now()}));
		const {step, reason} = await answerAndDeliver(run, signal).catch((caught: unknown) =>
			signal.aborted ? interrupted : failed(run, caught),
		);
		const state = nextRunState('running', step);
		await journal.setRunState(run.id, state, reason);
		publish(runChanged(run, state, reason));
	};
}
