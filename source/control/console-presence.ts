import {type Clock, type Timer} from '../util/clock.ts';

/** Milliseconds between checks that a console still reads, and of silence after which it counts as absent. */
const checkMilliseconds = 10_000;
const absentMilliseconds = 30_000;

/** Asks a console again and again whether it still reads; a stopped process keeps its connection open (docs/approvals.md, Consoles). */
export function watchPresence(
	clock: Clock,
	{check, onChange}: {readonly check: () => void; readonly onChange: (presence: 'present' | 'absent') => void},
): {readonly heard: () => void; readonly close: () => void} {
	let heardAt = clock.elapsed();
	let answer: 'none' | 'awaited' = 'none';
	const next = () => {
		if (answer === 'none') {
			answer = 'awaited';
			check();
		} else if (clock.elapsed() - heardAt >= absentMilliseconds) {
			onChange('absent');
		}

		timer = clock.after(checkMilliseconds, next);
	};
	let timer: Timer = clock.after(checkMilliseconds, next);
	return {
		heard() {
			heardAt = clock.elapsed();
			answer = 'none';
			onChange('present');
		},
		close: () => timer.cancel(),
	};
}
