import {type ServerContext} from '@modelcontextprotocol/server';
import {type CallProgress} from '../../mcp/connection.ts';

/** More of them tell a client nothing, and one that reads slowly must not fill the memory. */
const mostMessages = 1000;

/** Passes the progress of a call on to the client that asked for it; undefined when it did not. What does not go forward is not told. */
export function progressRelay({
	_meta,
	notify,
}: Pick<ServerContext['mcpReq'], '_meta' | 'notify'>): ((progress: CallProgress) => void) | undefined {
	const progressToken = _meta?.progressToken;
	if (progressToken === undefined) {
		return undefined;
	}

	let messages = 0;
	let last = Number.NEGATIVE_INFINITY;
	return progress => {
		if (progress.progress <= last || messages >= mostMessages) {
			return;
		}

		messages++;
		last = progress.progress;
		// A client that is gone has its call cancelled elsewhere.
		notify({method: 'notifications/progress', params: {progressToken, ...progress}}).catch(() => undefined);
	};
}
