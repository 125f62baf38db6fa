import {type Writable} from 'node:stream';
import {makeNonBlocking} from '../../tui/terminal/non-blocking-stdout.ts';
import {type Clock} from '../../util/clock.ts';

/** A place for lines whose reader may be slow or gone; neither holds up the program. */
export type LineWriter = {
	readonly write: (line: string) => void;
	/** Resolves when everything was handed over, the reader is gone, or it took too long. */
	readonly finish: () => Promise<void>;
};

/** Bound on bytes that wait for a slow reader. Further lines are dropped and counted. */
const maximumWaitingBytes = 4 * 1024 * 1024;
const finishDeadlineMilliseconds = 1000;

/**
Writes lines to a stream. `leftOut` words the notice in place of missing lines; without it there is none.
`beside`: what else is written to and may be the same terminal.
*/
export function createLineWriter(
	stream: Writable,
	options: {readonly clock: Clock; readonly leftOut?: (lines: number) => string; readonly beside?: Writable},
): LineWriter {
	// A terminal whose reader stalls would otherwise stop the whole process in the middle of a write.
	makeNonBlocking(stream);
	if (options.beside) {
		makeNonBlocking(options.beside);
	}

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
			// Drops the lines that are not taken by then: nothing else waits for this reader.
			const timer = options.clock.after(finishDeadlineMilliseconds, () => void stream.destroy());
			await Promise.race([flushed, gone.promise]);
			timer.cancel();
		},
	};
}
