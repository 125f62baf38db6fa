import {type ApprovalRequest} from '../approvals/desk.ts';
import {type ServerConfig} from '../config/server-entry.ts';
import {type Origin} from '../state/origin.ts';
import {safeText} from '../util/safe-text.ts';
import {type CompletionRequest} from './completion.ts';
import {requestHash, shownRequest} from './sampling-request.ts';
import {serverAddress} from './server-address.ts';

/** Under this name rules and decisions about model requests are kept beside those of tools. */
export const samplingName = 'sampling/createMessage';

/** A model request that waits to be let through. */
export type SamplingCall = {
	readonly config: ServerConfig;
	readonly request: CompletionRequest;
	readonly origin: Origin;
};

/** What a person sees of it before the model is asked. */
export function samplingCard({config, request, origin}: SamplingCall): ApprovalRequest {
	return {
		kind: 'sampling',
		server: safeText(config.name),
		tool: samplingName,
		registeredName: samplingName,
		trust: config.trust,
		transport: config.transport.kind,
		address: safeText(serverAddress(config.transport)),
		hints: {},
		description: 'The server wants the configured model to answer this. Its words are not yours.',
		arguments: shownRequest(request),
		argumentsHash: requestHash(request),
		origin,
	};
}
