import {type RunProgress} from '../agent/run-progress.ts';
import {type RunRecord, type RunResult} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type RunStage} from './run-result.ts';
import {runChanged, type RunFacts} from './run-event.ts';

/** Tells of a begun run while it goes on, and remembers what its end needs. */
export type RunReport = {
	readonly report: (progress: RunProgress) => void;
	/** How far it got. */
	readonly stage: () => RunStage;
	/** Which model was asked, and what it cost. */
	readonly result: () => Pick<RunResult, 'model' | 'usage'>;
};

/** Opens the report of one run. `onAsked` is told when its model is asked; what comes after the signal aborted is told to nobody. */
export function createRunReport(
	run: RunRecord,
	options: {readonly publish: Publish; readonly signal: AbortSignal; readonly onAsked: () => void},
): RunReport {
	const {publish, signal, onAsked} = options;
	let facts: RunFacts = {};
	let stage: RunStage = 'taken';
	const change = (more: RunFacts) => {
		facts = {...facts, ...more};
		publish(runChanged(run, 'running', facts));
	};

	return {
		report(progress) {
			if (signal.aborted) {
				return;
			}

			switch (progress.kind) {
				case 'asked':
					stage = 'asked';
					onAsked();
					break;
				case 'model':
					change({model: progress.model});
					break;
				case 'usage':
					change({usage: progress.usage});
					break;
				case 'waiting':
					change({waitingFor: progress.waiting === 'nothing' ? undefined : progress.waiting});
					break;
				case 'text':
					publish({type: 'run.text', runId: run.id, text: progress.text});
					break;
				case 'step':
					publish({type: 'run.step', runId: run.id, step: progress.step});
			}
		},
		stage: () => stage,
		result: () => ({
			...(facts.model !== undefined && {model: facts.model}),
			...(facts.usage && {usage: facts.usage}),
		}),
	};
}
