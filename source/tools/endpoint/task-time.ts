import {type WaitingTime, type WaitingTimer} from '../../approvals/waiting-time.ts';
import {type Journal} from '../../journal/journal.ts';
import {createLatestWrite} from '../../journal/latest-write.ts';
import {type TimeLeft} from '../../journal/rows/request-rows.ts';
import {type Clock} from '../../util/clock.ts';

/** The time that is left to a task, outside of holds. */
export type TaskTime = {readonly leftMilliseconds: () => number; readonly cancel: () => void};

/** Starts what is left to a task that its row has, and keeps the row as it is when a hold begins or ends. */
export function startTaskTime(
	{
		clock,
		time,
		journal,
		id,
	}: {
		readonly clock: Pick<Clock, 'now'>;
		readonly time: WaitingTime;
		readonly journal: Pick<Journal, 'setTaskTime'>;
		readonly id: string;
	},
	left: TimeLeft,
	onOver: () => void,
): TaskTime {
	const timer = time.after({kind: 'for', milliseconds: left.milliseconds}, onOver);
	const leftMilliseconds = () => leftOf(timer, clock.now());
	const write = createLatestWrite((now: TimeLeft) => journal.setTaskTime(id, now));
	const note = () => write({milliseconds: leftMilliseconds(), time: time.state()});
	if (left.time !== time.state()) {
		note();
	}

	const endListening = time.onChange(note);
	return {
		leftMilliseconds,
		cancel() {
			endListening();
			timer.cancel();
		},
	};
}

function leftOf({deadline}: Pick<WaitingTimer, 'deadline'>, now: number): number {
	const {expiresAt, left = 0} = deadline();
	return expiresAt === null ? left : Math.max(0, expiresAt - now);
}
