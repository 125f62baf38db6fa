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
const lookMilliseconds = 500;

/**
Ends the wait for a stop whose journal answers nothing any more: once runs have had their time, and it was silent for ten seconds. Rejects with
`storage_unavailable`, which is logged too and says what was not written.
*/
export function createSilenceGuard(
	stored: Pick<GatewayJournal, 'silentMilliseconds' | 'unwritten' | 'place'>,
	{clock, publish, path}: {readonly clock: Clock; readonly publish: Publish; readonly path: string},
): (closed: Promise<void>) => Promise<void> {
	return closed => {
		const silent = Promise.withResolvers<never>();
		let timer: Timer;
		const look = () => {
			if (stored.silentMilliseconds() >= patienceSeconds * 1000) {
				const problem = silenceProblem(stored, path);
				publish({
					type: 'log',
					level: 'error',
					area: 'journal',
					text: safeText(`${problem.message}. ${problem.remedy}`),
				});
				silent.reject(problem);
			} else {
				timer = clock.after(lookMilliseconds, look);
			}
		};

		timer = clock.after(graceMilliseconds, look);
		return Promise.race([closed, silent.promise]).finally(() => timer.cancel());
	};
}

function silenceProblem({unwritten, place}: Pick<GatewayJournal, 'unwritten' | 'place'>, path: string): Problem {
	const count = unwritten();
	const message = `The journal did not answer for ${patienceSeconds} seconds while the gateway stopped; ${lostText(count)}`;
	const remedy = place() === 'database' ? databaseRemedy : journalRemedy(path, 'silent');
	return new Problem('storage_unavailable', {message, remedy});
}

function lostText(count: number): string {
	switch (count) {
		case 0:
			return 'no end of a run, call or delivery, and no answer, was waiting for it';
		case 1:
			return '1 end of a run, call or delivery, or answer, was not written';
		default:
			return `${count} ends of runs, calls or deliveries, or answers, were not written`;
	}
}
