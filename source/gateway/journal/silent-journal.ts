import {type Publish} from '../../state/event.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {journalRemedy} from '../../util/file-remedies.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type GatewayJournal} from './gateway-journal.ts';
import {databaseRemedy} from './journal-fault.ts';

/** Runs get ten seconds at a stop, and how they ended is to be written after that. */
const graceMilliseconds = 12_000;
/** Longer than a disk takes that works, however busy. */
const patienceSeconds = 10;
/** Service managers kill after ninety. */
const longestSeconds = 80;
const pollMilliseconds = 500;

/**
Ends the wait for a stop whose journal answers nothing any more: once runs have had their time, and it was silent for ten seconds. Any other stop that
hangs, on another file for example, is given up after eighty. Rejects with `storage_unavailable`, which is logged too and says what was not written,
also at the end of a stop that gave up ends because its journal was away.
*/
export function createSilenceGuard(
	stored: Pick<GatewayJournal, 'silentMilliseconds' | 'unwritten' | 'givenUp' | 'place'>,
	{clock, publish, path}: {readonly clock: Clock; readonly publish: Publish; readonly path: string},
): (closed: Promise<void>) => Promise<void> {
	return closed => {
		const silent = Promise.withResolvers<never>();
		const begun = clock.elapsed();
		let timer: Timer;
		const poll = () => {
			const problem = problemOf(stored, {path, stopMilliseconds: clock.elapsed() - begun});
			if (problem) {
				publish({
					type: 'log',
					level: 'error',
					area: 'journal',
					text: safeText(`${problem.message}. ${problem.remedy}`),
				});
				silent.reject(problem);
			} else {
				timer = clock.after(pollMilliseconds, poll);
			}
		};

		timer = clock.after(graceMilliseconds, poll);
		const whole = closed.then(() => throwIfGivenUp(stored, path));
		return Promise.race([whole, silent.promise]).finally(() => timer.cancel());
	};
}

function problemOf(
	{silentMilliseconds, unwritten, givenUp, place}: Parameters<typeof createSilenceGuard>[0],
	{path, stopMilliseconds}: {readonly path: string; readonly stopMilliseconds: number},
): Problem | undefined {
	const silence = silentMilliseconds();
	if (silence >= patienceSeconds * 1000) {
		const message = `The journal did not answer for ${patienceSeconds} seconds while the gateway stopped; ${lostText(unwritten() + givenUp())}`;
		const remedy = place() === 'database' ? databaseRemedy : journalRemedy(path, 'silent');
		return new Problem('storage_unavailable', {message, remedy});
	}

	// Not while a question to the journal is unanswered: it may be the last one.
	if (stopMilliseconds >= longestSeconds * 1000 && silence === 0) {
		const message = `The gateway has not stopped within ${longestSeconds} seconds, and not because of its journal; ${lostText(unwritten() + givenUp())}`;
		return new Problem('storage_unavailable', {message, remedy: journalRemedy(path, 'silent')});
	}

	return undefined;
}

/** The log has it already: it was given up before the log was closed. */
function throwIfGivenUp({givenUp, place}: Parameters<typeof createSilenceGuard>[0], path: string): void {
	if (givenUp() > 0) {
		const message = `The journal could not be written while the gateway stopped; ${lostText(givenUp())}`;
		const remedy = place() === 'database' ? databaseRemedy : journalRemedy(path, 'unusable');
		throw new Problem('storage_unavailable', {message, remedy});
	}
}

function lostText(count: number): string {
	switch (count) {
		case 0:
			return 'no finished run, call, delivery or answer was waiting to be stored';
		case 1:
			return '1 finished run, call, delivery or answer was not stored';
		default:
			return `${count} finished runs, calls, deliveries or answers were not stored`;
	}
}
