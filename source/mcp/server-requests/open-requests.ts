import {type Origin, safeOrigin} from '../../state/origin.ts';
import {type CallDeadline, openCallDeadline} from '../calls/call-deadline.ts';

/** The open requests to one server. A server may ask something only while there is one. */
export type OpenRequests = {
	/** Adds a request with its time limit; `cancel` removes it. While only requests without an origin are open, the server may ask nothing. */
	readonly enter: (
		request: Parameters<typeof openCallDeadline>[0] & {readonly origin: Origin | undefined},
	) => Pick<CallDeadline, 'signal' | 'extend' | 'hold' | 'cancel'>;
	/** The origin of the oldest request, safe to show; undefined when there is none. */
	readonly origin: () => Origin | undefined;
	/**
	Runs `work` on behalf of the open requests. Their time limits pause, so that asking a person does not cost a call its time;
	the signal aborts when no request is left or the given signal aborts.
	*/
	readonly onBehalf: <Value>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Value>) => Promise<Value>;
};

type OpenRequest = {readonly origin: Origin; readonly deadline: CallDeadline};

/** Creates an empty list. */
export function createOpenRequests(): OpenRequests {
	const open = new Set<OpenRequest>();
	/** Created only when needed: most calls are asked nothing. */
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
