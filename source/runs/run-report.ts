import {type RunProgress} from '../agent/run-task.ts';
import {type Journal, type RunRecord, type RunResult} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {spentAfter} from '../state/work-event.ts';
import {type RunStage} from './run-ending.ts';
import {noteEvent, type RunFacts, runChanged} from './run-event.ts';

/** Publishes the progress of a run, and records what its end needs. */
export type RunReport = {
	readonly report: (progress: RunProgress) => void;
	/** The run is over: what still comes is dropped. */
	readonly close: () => void;
	/** The progress of the run. */
	readonly stage: () => RunStage;
	/** The model that was asked, and what that took. */
	readonly result: () => Pick<RunResult, 'model' | 'turns' | 'usage' | 'microUsd'>;
};

/**
Creates the report of one run. `onAsked` is called when its model is asked; progress after the signal aborted is dropped. The end of a turn is published once its
row is in the journal, from which a trace reads it.
*/
export function createRunReport(
	run: RunRecord,
	options: {
		readonly journal: Pick<Journal, 'putModelTurn' | 'markNotesRead'>;
		readonly publish: Publish;
		readonly signal: AbortSignal;
		readonly onAsked: () => void;
	},
): RunReport {
	const {journal, publish, signal, onAsked} = options;
	let facts: RunFacts = {};
	let stage: RunStage = 'taken';
	let phase: 'under-way' | 'over' = 'under-way';
	const isOver = () => signal.aborted || phase === 'over';
	const change = (more: RunFacts) => {
		facts = {...facts, ...more};
		publish(runChanged(run, 'running', facts));
	};

	/** A journal that is away reports that itself. */
	const afterWrite = (write: Promise<void>, publishChange: () => void) => {
		const unlessOver = () => void (isOver() || publishChange());
		write.then(unlessOver, unlessOver);
	};

	return {
		report(progress) {
			if (isOver()) {
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
				case 'turn': {
					const {turn} = progress;
					facts = turn.end ? {...facts, ...spentAfter(facts, turn)} : facts;
					// At its beginning the run or a call of it has just changed, so a trace is read again anyway.
					afterWrite(journal.putModelTurn(run.id, turn), () => {
						if (turn.end) {
							change({});
						}
					});
					break;
				}

				case 'notes': {
					const {notes, read} = progress;
					const ids = notes.map(({id}) => id);
					afterWrite(journal.markNotesRead(ids, read), () =>
						notes.forEach(note => publish(noteEvent(run.id, note, 'read'))),
					);
					break;
				}

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
		close() {
			phase = 'over';
		},
		stage: () => stage,
		result: () => resultOf(facts),
	};
}

function resultOf({model, turns, usage, microUsd}: RunFacts): ReturnType<RunReport['result']> {
	return {
		...(model !== undefined && {model}),
		...(turns !== undefined && {turns}),
		...(usage && {usage}),
		...(microUsd !== undefined && {microUsd}),
	};
}
