import {type Writable} from 'node:stream';
import {type Clock} from '../util/clock.ts';

/** A place for lines whose reader may be slow or gone; neither holds up the program. */
export type LineWriter = {
	readonly write: (line: string) => void;
	/** Resolves when everything was handed over, the reader is gone, or it took too long. */
	readonly finish: () => Promise<void>;
};

/** What may wait for a slow reader, in bytes. Further lines are left out and counted. */
const maximumWaitingBytes = 4 * 1024 * 1024;
const finishDeadlineMilliseconds = 1000;

/** Writes lines to a stream. `leftOut` words the notice that stands where lines are missing; without it there is none. */
export function createLineWriter(
	stream: Writable,
	options: {readonly clock: Clock; readonly leftOut?: (lines: number) => string},
): LineWriter {
	let reader: 'there' | 'gone' = 'there';
	let missing = 0;
	const gone = Promise.withResolvers<void>();
	const onGone = () => {
		reader = 'gone';
		gone.resolve();
	};

	// A reader that ended (EPIPE) is no reason to end the gateway.
	stream.on('error', onGone);
	stream.once('close', onGone);

	const put = (line: string) => void stream.write(`${line}\n`);
	const putNotice = () => {
		if (missing > 0 && options.leftOut) {
			put(options.leftOut(missing));
		}

		missing = 0;
	};

	return {
		write(line) {
			if (reader === 'gone') {
				return;
			}

			if (stream.writableLength > maximumWaitingBytes) {
				missing++;
				return;
			}

			putNotice();
			put(line);
		},
		async finish() {
			if (reader === 'gone') {
				return;
			}

			putNotice();
			const flushed = new Promise<void>(resolve => void stream.write('', () => resolve()));
			const late = Promise.withResolvers<void>();
			const timer = options.clock.after(finishDeadlineMilliseconds, late.resolve);
			await Promise.race([flushed, gone.promise, late.promise]);
			timer.cancel();
		},
	};
}
