import {type Origin, safeOrigin} from '../../state/origin.ts';
import {type CallDeadline, openCallDeadline} from '../calls/call-deadline.ts';

/** The requests to one server that are not over yet. A server may ask something only while there is one. */
export type OpenRequests = {
	/** Enters a request with its time limit; `cancel` takes it away. One without an origin lets its server ask nothing. */
	readonly enter: (
		request: Parameters<typeof openCallDeadline>[0] & {readonly origin: Origin | undefined},
	) => Pick<CallDeadline, 'signal' | 'extend' | 'cancel'>;
	/** Where the oldest one comes from, fit to be shown; undefined when there is none. */
	readonly origin: () => Origin | undefined;
	/**
	Runs `work` on behalf of the open requests: no time limit of theirs counts meanwhile, for a person who is asked must not cost a call its time,
	and the signal aborts when none of them is left or the given one does.
	*/
	readonly onBehalf: <Value>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Value>) => Promise<Value>;
};

type OpenRequest = {readonly origin: Origin; readonly deadline: CallDeadline};

/** Opens an empty list. */
export function createOpenRequests(): OpenRequests {
	const open = new Set<OpenRequest>();
	/** Only there while somebody wants to know: most calls are asked nothing. */
	let allOver: AbortController | undefined;

	const leave = (request: OpenRequest) => {
		open.delete(request);
		if (open.size === 0) {
			allOver?.abort();
			allOver = undefined;
		}
	};

	return {
		enter({origin, ...limit}) {
			const deadline = openCallDeadline(limit);
			if (!origin) {
				return deadline;
			}

			const request = {origin, deadline};
			open.add(request);
			return {
				...deadline,
				cancel() {
					deadline.cancel();
					leave(request);
				},
			};
		},
		origin() {
			const [oldest] = open;
			return oldest && safeOrigin(oldest.origin);
		},
		async onBehalf(signal, work) {
			allOver ??= new AbortController();
			const releases = Array.from(open, ({deadline}) => deadline.hold());
			try {
				return await work(AbortSignal.any([signal, allOver.signal]));
			} finally {
				releases.forEach(release => release());
			}
		},
	};
}
