import {type Origin} from '../state/origin.ts';
import {type CallDeadline} from './call-deadline.ts';

/** The requests to one server that are not over yet. A server may ask something only while there is one. */
export type OpenRequests = {
	/** Enters a request; the returned function takes it away. */
	readonly enter: (request: OpenRequest) => () => void;
	/** Where the oldest one comes from; undefined when there is none. */
	readonly origin: () => Origin | undefined;
	/**
	Runs `work` on behalf of the open requests: no time limit of theirs counts meanwhile, for a person who is asked must not cost a call its time,
	and the signal aborts when none of them is left or the given one does.
	*/
	readonly onBehalf: <Value>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Value>) => Promise<Value>;
};

type OpenRequest = {readonly origin: Origin; readonly deadline: Pick<CallDeadline, 'hold'>};

/** Opens an empty list. */
export function createOpenRequests(): OpenRequests {
	const open = new Set<OpenRequest>();
	let allOver = new AbortController();
	return {
		enter(request) {
			open.add(request);
			return () => {
				open.delete(request);
				if (open.size === 0) {
					allOver.abort();
					allOver = new AbortController();
				}
			};
		},
		origin: () => open.values().next().value?.origin,
		async onBehalf(signal, work) {
			const releases = Array.from(open, ({deadline}) => deadline.hold());
			try {
				return await work(AbortSignal.any([signal, allOver.signal]));
			} finally {
				releases.forEach(release => release());
			}
		},
	};
}
