import {type RunProgress} from '../agent/run-progress.ts';
import {type RunRecord, type RunResult} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {runChanged, type RunFacts} from './run-event.ts';

/** Tells of a begun run while it goes on, and remembers what its end needs. */
export type RunReport = {
	readonly tell: (progress: RunProgress) => void;
	/** Which model was asked, and what it cost. */
	readonly result: () => Pick<RunResult, 'model' | 'usage'>;
};

/** Opens the report of one run. */
export function createRunReport(run: RunRecord, publish: Publish): RunReport {
	let facts: RunFacts = {};
	const change = (more: RunFacts) => {
		facts = {...facts, ...more};
		publish(runChanged(run, 'running', facts));
	};

	return {
		tell(progress) {
			switch (progress.kind) {
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
		result: () => ({
			...(facts.model !== undefined && {model: facts.model}),
			...(facts.usage && {usage: facts.usage}),
		}),
	};
}
