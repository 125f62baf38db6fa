import {type RunRecord} from '../../source/journal/journal.ts';
import {type WorkEnd, type WorkOptions} from '../../source/runs/run-ending.ts';
import {createRunQueue} from '../../source/runs/run-queue.ts';
import {type SlotLimits} from '../../source/runs/slot-pool.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {sampleRun} from '../helpers/journal-records.ts';
import {recordEvents} from '../helpers/record-events.ts';

type Ended = WorkEnd | Error;

/** Work that a test ends by hand, or that ends when its signal aborts: over when its model was asked, else back in the queue. */
export function openWork(stage: 'taken' | 'asked' = 'asked') {
	const running = new Map<string, Pick<WorkOptions, 'signal' | 'slot'> & {readonly end: (end?: Ended) => void}>();
	const begun: string[] = [];
	const work = (run: RunRecord, {signal, slot, onAsked}: WorkOptions) =>
		new Promise<WorkEnd>((resolve, reject) => {
			const end = (ended: Ended = stage === 'asked' ? 'over' : 'requeued') => {
				running.delete(run.id);
				if (ended instanceof Error) {
					reject(ended);
				} else {
					resolve(ended);
				}
			};

			begun.push(run.id);
			running.set(run.id, {signal, slot, end});
			if (signal.aborted) {
				end('requeued');
				return;
			}

			signal.addEventListener('abort', () => end());
			if (stage === 'asked') {
				onAsked();
			}
		});
	return {work, begun, running};
}

/** No run is to be parked without a place. */
export const noParkable = {note: () => undefined, mayBeThere: () => false};

/** A queue over a list of waiting ids. */
export function openQueue(options: {
	readonly waiting: string[];
	readonly limits?: () => SlotLimits;
	readonly isHeld?: () => boolean;
	readonly stage?: 'taken' | 'asked';
}) {
	const {waiting, limits = () => ({maxRunning: 2, maxWaiting: 100}), isHeld = () => false, stage} = options;
	const clock = createFakeClock();
	const recorded = recordEvents();
	const {work, begun, running} = openWork(stage);
	const queue = createRunQueue({
		async take(places) {
			await Promise.resolve();
			return waiting.splice(0, places).map(id => ({kind: 'begun', run: sampleRun({id})}));
		},
		work,
		parkable: noParkable,
		park: () => undefined,
		limits,
		isHeld,
		clock,
		publish: recorded.publish,
	});
	return {clock, queue, begun, running, ofType: recorded.ofType};
}
