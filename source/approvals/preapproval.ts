import {type Publish} from '../state/event.ts';
import {randomId} from '../util/random-id.ts';
import {type Ask} from './approval-queue.ts';

/** Asks nobody: the caller is the person who answers, and said yes to this one call (`mcp call --approve`). It is published like every other approval. */
export function createPreapproval({publish, by}: {readonly publish: Publish; readonly by: string}): Ask {
	return async ({server, tool}, {signal}) => {
		const end = signal?.aborted ? ({kind: 'cancelled'} as const) : ({kind: 'approved', scope: 'once', by} as const);
		const {kind: outcome, ...rest} = end;
		publish({type: 'approval.settled', id: randomId(), server, tool, outcome, ...rest});
		return end;
	};
}
