import {type Clock} from '../../util/clock.ts';

/** Signals that ask the program to end: Ctrl-C, a service manager, a terminal that was closed. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export type StopSignal = (typeof stopSignals)[number];

/** Calls the listener for every stop signal until the returned function is called. */
export type OnSignal = (listener: (signal: StopSignal) => void) => () => void;

/** One request to stop can arrive twice: npm hands on the Ctrl-C that the terminal sent to both, and libraries send a signal again to end the process. */
const echoMilliseconds = 500;

/** Opens the signals of this process for all who listen; an echo of the last signal is left out. */
export function openStopSignals(clock: Clock): OnSignal {
	const listeners = new Set<(signal: StopSignal) => void>();
	let taken: {readonly signal: StopSignal; readonly at: number} | undefined;
	const take = (signal: StopSignal) => {
		if (signal === 'SIGINT' && borrowers > 0) {
			return;
		}

		const now = clock.elapsed();
		if (taken?.signal === signal && now - taken.at < echoMilliseconds) {
			return;
		}

		taken = {signal, at: now};
		for (const listener of listeners) {
			listener(signal);
		}
	};

	return listener => {
		if (listeners.size === 0) {
			stopSignals.forEach(signal => process.on(signal, take));
		}

		listeners.add(listener);
		return () => {
			listeners.delete(listener);
			if (listeners.size === 0) {
				stopSignals.forEach(signal => process.off(signal, take));
			}
		};
	};
}

/** Programs that have the terminal of this process now. */
let borrowers = 0;

/** Ctrl-C and Ctrl-\ at the terminal are for the program that has it (POSIX, `system`: SIGINT and SIGQUIT are ignored), until the returned function is called. */
export function ignoreKeySignals(): () => void {
	const ignore = () => undefined;
	const signals = ['SIGINT', 'SIGQUIT'] as const;
	signals.forEach(signal => process.on(signal, ignore));
	borrowers++;
	return () => {
		borrowers--;
		signals.forEach(signal => process.off(signal, ignore));
	};
}

/**
Waits for an error that nobody caught. Node would print it with a write that waits for the terminal, and a terminal that stopped
reading would then keep a broken program alive. After `close` Node does what it always does.
*/
export function watchCrash(): {readonly crash: Promise<unknown>; readonly close: () => void} {
	const {promise: crash, resolve} = Promise.withResolvers<unknown>();
	process.once('uncaughtException', resolve);
	return {crash, close: () => void process.off('uncaughtException', resolve)};
}

/** The exit code of a program that a signal ended, as shells count it. */
export function signalExitCode(signal: StopSignal): 129 | 130 | 143 {
	switch (signal) {
		case 'SIGHUP':
			return 129;
		case 'SIGINT':
			return 130;
		case 'SIGTERM':
			return 143;
	}
}
