import {type AskCaller} from '../../approvals/ask-caller.ts';
import {type Origin, safeOrigin} from '../../state/origin.ts';
import {type CallDeadline, openCallDeadline} from '../calls/call-deadline.ts';
import {type OnQuestion} from '../connection.ts';

/** The open requests to one server. A server may ask something only while there is one. */
export type OpenRequests = {
	/** Adds a request with its time limit; `cancel` removes it. While only requests without an origin are open, the server may ask nothing. */
	readonly enter: (
		request: Parameters<typeof openCallDeadline>[0] & {
			readonly origin: Origin | undefined;
			readonly onQuestion?: OnQuestion | undefined;
			readonly askCaller?: AskCaller | undefined;
		},
	) => Pick<CallDeadline, 'signal' | 'extend' | 'suspend' | 'cancel'> & {
		/** The request is on its way: from now on the server may ask something because of it. */
		readonly sent: () => void;
	};
	/** The origin of the oldest request, safe to show; undefined when there is none. */
	readonly origin: () => Origin | undefined;
	/** The caller of the only request that was sent; undefined where there are several, because a server does not say which one it asks for. */
	readonly caller: () => AskCaller | undefined;
	/**
	Runs `work` on behalf of the open requests. Their time limits pause, so that asking a person does not cost a call its time;
	the signal aborts when no request is left or the given signal aborts.
	*/
	readonly onBehalf: <Value>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Value>) => Promise<Value>;
	/** The open requests, and those that come meanwhile, wait for a person while `work` asks one. */
	readonly whileAsking: <Value>(work: () => Promise<Value>) => Promise<Value>;
};

type OpenRequest = {
	readonly origin: Origin;
	readonly deadline: CallDeadline;
	readonly onQuestion: OnQuestion | undefined;
	readonly askCaller: AskCaller | undefined;
	state: 'waiting' | 'sent';
};

/** Creates an empty list. */
export function createOpenRequests(): OpenRequests {
	const open = new Set<OpenRequest>();
	let questions = 0;
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
		enter({origin, onQuestion, askCaller, ...limit}) {
			const deadline = openCallDeadline(limit);
			if (!origin) {
				return {...deadline, sent: () => undefined};
			}

			const request: OpenRequest = {origin, deadline, onQuestion, askCaller, state: 'waiting'};
			open.add(request);
			// It may wait for its turn behind the one with the question.
			if (questions > 0) {
				onQuestion?.(true);
			}

			return {
				...deadline,
				sent: () => void (request.state = 'sent'),
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
		caller() {
			const sent = Array.from(open).filter(({state}) => state === 'sent');
			return sent.length === 1 ? sent[0]?.askCaller : undefined;
		},
		async onBehalf(signal, work) {
			allOver ??= new AbortController();
			const releases = Array.from(open, ({deadline}) => deadline.suspend());
			try {
				return await work(AbortSignal.any([signal, allOver.signal]));
			} finally {
				releases.forEach(release => release());
			}
		},
		async whileAsking(work) {
			questions++;
			open.forEach(({onQuestion}) => onQuestion?.(true));
			try {
				return await work();
			} finally {
				questions--;
				if (questions === 0) {
					open.forEach(({onQuestion}) => onQuestion?.(false));
				}
			}
		},
	};
}
