import {type RunRecord} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {cancelledByPerson, gatewayStopped, reportProblem} from './run-problems.ts';
import {type RunStage, type WorkEnd, type WorkOptions} from './run-ending.ts';
import {type RunSlots} from './run-slots.ts';

/** Works on a run. It must end soon after its signal aborts. */
export type Work = (run: RunRecord, options: WorkOptions) => Promise<WorkEnd>;

/** Called at the end of each work. */
export type OnEnd = (end: WorkEnd) => void;

/** The running runs. */
export type ActiveRuns = {
	/** Starts the work on a run, which has this slot until its end; after a stop its signal is aborted from the start. */
	readonly begin: (run: RunRecord, slot: ReturnType<RunSlots['begin']>) => void;
	/**
	Aborts the signal of a run with `cancelledByPerson` and resolves when its work has ended: true, unless it was not running or was requeued
	meanwhile.
	*/
	readonly cancel: (runId: string) => Promise<boolean>;
	/** Aborts the signals of all with `gatewayStopped`; others may begin. */
	readonly interrupt: () => void;
	/**
	Aborts the signals of runs that have not asked their model with `gatewayStopped`, those of the others after ten seconds. Resolves when `last`, which
	may still start some, is over and no run is active.
	*/
	readonly stop: (last: Promise<void> | undefined) => Promise<void>;
};

const graceMilliseconds = 10_000;

type ActiveRun = {
	readonly runId: string;
	stage: RunStage;
	readonly own: AbortController;
	readonly work: Promise<WorkEnd>;
};

/** Creates the active runs, none at first. Work that rejects becomes a line in the log. */
export function createActiveRuns(options: {
	readonly work: Work;
	readonly onEnd: OnEnd;
	readonly clock: Clock;
	readonly publish: Publish;
}): ActiveRuns {
	const {work, onEnd, clock, publish} = options;
	const active = new Set<ActiveRun>();
	let phase: 'open' | 'stopped' = 'open';
	const abort = (runs: Iterable<ActiveRun>) => [...runs].forEach(({own}) => own.abort(gatewayStopped));

	const workOn = async (run: RunRecord, one: WorkOptions): Promise<WorkEnd> => {
		try {
			return await work(run, one);
		} catch (caught) {
			reportProblem(publish, caught);
			return 'over';
		}
	};

	return {
		begin(run, slot) {
			const {promise, resolve} = Promise.withResolvers<WorkEnd>();
			const one: ActiveRun = {runId: run.id, stage: 'taken', own: new AbortController(), work: promise};
			// Taken during the stop: it is requeued.
			if (phase === 'stopped') {
				abort([one]);
			}

			const onAsked = () => {
				one.stage = 'asked';
			};

			active.add(one);
			const end = async () => {
				const ended = await workOn(run, {signal: one.own.signal, slot, onAsked});
				active.delete(one);
				slot.end();
				onEnd(ended);
				resolve(ended);
			};

			void end();
		},
		async cancel(runId) {
			const found = [...active].find(one => one.runId === runId);
			found?.own.abort(cancelledByPerson);
			return found !== undefined && (await found.work) === 'over';
		},
		interrupt: () => abort(active),
		async stop(last) {
			phase = 'stopped';
			abort([...active].filter(({stage}) => stage === 'taken'));
			const deadline = clock.after(graceMilliseconds, () => abort(active));
			await last;
			await Promise.all([...active].map(one => one.work));
			deadline.cancel();
		},
	};
}
