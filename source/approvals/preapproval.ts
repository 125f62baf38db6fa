import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {orderedId} from '../util/random-id.ts';
import {type Ask} from './approval-queue.ts';

/** Asks nobody: the caller is the person who answers, and said yes to this one call (`mcp call --approve`). It is published like every other approval. */
export function createPreapproval(options: {
	readonly publish: Publish;
	readonly clock: Pick<Clock, 'now'>;
	readonly by: string;
}): Ask {
	const {publish, clock, by} = options;
	return async ({server, tool, origin}, {signal}) => {
		const end = signal?.aborted ? ({kind: 'cancelled'} as const) : ({kind: 'approved', scope: 'once', by} as const);
		const {kind: outcome, ...rest} = end;
		publish({type: 'approval.settled', id: orderedId(clock.now()), server, tool, outcome, ...rest, origin});
		return end;
	};
}
