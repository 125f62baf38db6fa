import {type CallProgress} from '../mcp/connection.ts';
import {type Publish} from '../state/event.ts';
import {type Clock, type Timer} from '../util/clock.ts';

/** Tells how far one call has come. */
export type ProgressReport = {readonly note: (progress: CallProgress) => void; readonly close: () => void};

export type ProgressOptions = {readonly clock: Clock; readonly publish: Publish};

const intervalMilliseconds = 250;

/** Opens the report of a call: at most four events a second, however often its server tells, and the last word is never lost. */
export function createProgressReport(callId: string, {clock, publish}: ProgressOptions): ProgressReport {
	let timer: Timer | undefined;
	let latest: CallProgress | undefined;
	let over = false;

	const report = () => {
		timer = undefined;
		if (latest && !over) {
			publish({type: 'tool.progress', callId, ...latest});
			latest = undefined;
			timer = clock.after(intervalMilliseconds, report);
		}
	};

	return {
		note(progress) {
			latest = progress;
			if (!timer) {
				report();
			}
		},
		close() {
			over = true;
			timer?.cancel();
		},
	};
}
