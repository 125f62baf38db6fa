import {type GatewayEventBody} from '../state/event.ts';
import {safeOrigin} from '../state/origin.ts';
import {safeText} from '../util/safe-text.ts';
import {type ValidatedCall} from './validate-call.ts';

/** The event that tells of a call that is about to be sent. */
export function startedEvent(callId: string, {tool, origin}: ValidatedCall): GatewayEventBody {
	return {
		type: 'tool.started',
		callId,
		server: tool.server,
		tool: safeText(tool.tool, {maximumCharacters: 200}),
		registeredName: tool.name,
		origin: safeOrigin(origin),
	};
}
