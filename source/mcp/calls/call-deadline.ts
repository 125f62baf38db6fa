import {type Clock} from '../../util/clock.ts';
import {followSignal} from '../../util/abort-signal.ts';
import {Problem} from '../../util/problem.ts';

/** The time limit of one call. Progress extends it, up to ten times its length (docs/connections.md, States). */
export type CallDeadline = {
	/** Aborts with Problem `call_timeout`, or with the caller's reason if that comes first. */
	readonly signal: AbortSignal;
	/** The server reported progress: restarts the limit. */
	readonly extend: () => void;
	/** Pauses the limit while a person is asked; the returned function restarts it. */
	readonly suspend: () => () => void;
	readonly cancel: () => void;
};

const hardCapFactor = 10;

/** Starts the deadline of a call; the owner must call `cancel` when the call has ended. */
export function openCallDeadline(options: {
	readonly clock: Clock;
	readonly timeoutSeconds: number;
	readonly signal: AbortSignal;
}): CallDeadline {
	const {clock, timeoutSeconds} = options;
	const limit = timeoutSeconds * 1000;
	let hardEnd = clock.elapsed() + limit * hardCapFactor;
	const controller = new AbortController();
	const endFollowing = followSignal(controller, options.signal);
	const expireAfter = (milliseconds: number, message: string) =>
		clock.after(milliseconds, () => controller.abort(new Problem('call_timeout', {message})));

	let timer = expireAfter(limit, `The call took longer than ${timeoutSeconds} s`);
	let over = false;
	let suspensions = 0;
	let suspendedSince = 0;
	const restart = () => {
		timer.cancel();
		const left = hardEnd - clock.elapsed();
		timer =
			left > limit
				? expireAfter(limit, `The call reported no progress for ${timeoutSeconds} s`)
				: expireAfter(left, `The call took longer than ${hardCapFactor} × ${timeoutSeconds} s, despite progress`);
	};

	return {
		signal: controller.signal,
		extend() {
			if (!over && suspensions === 0) {
				restart();
			}
		},
		suspend() {
			if (suspensions++ === 0) {
				timer.cancel();
				suspendedSince = clock.elapsed();
			}

			return () => {
				if (--suspensions === 0 && !over) {
					hardEnd += clock.elapsed() - suspendedSince;
					restart();
				}
			};
		},
		cancel() {
			over = true;
			timer.cancel();
			endFollowing();
		},
	};
}
