import {type Writable} from 'node:stream';
import {systemErrorCode} from '../../util/problem.ts';
import {type Clock} from '../../util/clock.ts';
import {signalExitCode, type StopSignal} from './stop-signals.ts';

type OutputStream = Writable & {readonly isTTY?: boolean};

/** The output of the program; it is flushed before the program ends. */
export type ProgramOutput = {
	readonly stdout: (text: string) => void;
	readonly stderr: (text: string) => void;
	/** The program was asked to stop: a reader that takes nothing more does not hold it up for long, and at the second time not at all. */
	readonly stop: (signal: StopSignal) => void;
	/**
	Resolves with the exit code once everything printed was taken. A reader may take its time, as a pager does; a signal ends that.
	One that went away wants no more. Where the output was not taken for another reason, 0 becomes the code
	that says so: 1, or that of the signal.
	*/
	readonly drain: (code: number) => Promise<number>;
};

const stopMilliseconds = 1000;

/** Nobody reads any more; that is no failure of the program. */
const readerGone: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ECONNRESET']);

/** Opens the output of this process. Terminals take what is written at once: what a dashboard has left over there is to be dropped. */
export function openProgramOutput(
	streams: {readonly stdout: OutputStream; readonly stderr: OutputStream},
	clock: Clock,
): ProgramOutput {
	const stdout = watchStream(streams.stdout);
	const stderr = watchStream(streams.stderr);
	const stopped = Promise.withResolvers<StopSignal>();
	let stoppedBy: StopSignal | undefined;
	let phase: 'printing' | 'draining' = 'printing';
	return {
		stdout: stdout.write,
		stderr: stderr.write,
		stop(signal) {
			stoppedBy = signal;
			if (phase === 'draining') {
				stopped.resolve(signal);
			}
		},
		async drain(code) {
			// A signal that came with the last output, and errors of it, arrive a moment later.
			await new Promise<void>(resolve => clock.soon(resolve));
			phase = 'draining';
			const signal = stoppedBy;
			const lazy = signal && clock.after(stopMilliseconds, () => stopped.resolve(signal));
			const drained = Promise.all([stdout.drained(), stderr.drained()]).then(() => 'drained' as const);
			const end = await Promise.race([drained, stopped.promise]);
			lazy?.cancel();
			if (end !== 'drained') {
				return code === 0 ? signalExitCode(end) : code;
			}

			const failure = stdout.failure();
			if (failure === undefined) {
				return code;
			}

			stderr.write(`sluice: The output could not be written (${failure})\n`);
			return code === 0 ? 1 : code;
		},
	};
}

/** A signal for a command that prints until it is ended: aborts as the given one does, and when nobody reads stdout any more, as behind `head`. */
export function untilUnread(signal: AbortSignal): AbortSignal {
	const end = new AbortController();
	process.stdout.once('close', () => end.abort());
	return AbortSignal.any([signal, end.signal]);
}

function watchStream(stream: OutputStream) {
	const over = Promise.withResolvers<void>();
	let state: 'open' | 'over' = stream.isTTY ? 'over' : 'open';
	let failure: string | undefined;
	const end = () => {
		state = 'over';
		over.resolve();
	};

	if (!stream.isTTY) {
		stream.on('error', (error: Error) => {
			const code = systemErrorCode(error);
			if (state === 'open' && !readerGone.has(code)) {
				failure = code ?? error.name;
			}

			end();
		});
		stream.once('close', end);
	}

	return {
		write: (text: string) => {
			if (stream.isTTY || state === 'open') {
				stream.write(text);
			}
		},
		failure: () => failure,
		async drained() {
			if (state === 'open' && stream.writableLength > 0) {
				const flushed = new Promise<void>(resolve => void stream.write('', () => resolve()));
				await Promise.race([flushed, over.promise]);
			}
		},
	};
}
