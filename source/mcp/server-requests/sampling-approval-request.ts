import {type Masks, type WholeRequest} from '../../state/approval-event.ts';
import {type NewApproval} from '../../approvals/approval-queue.ts';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type Origin} from '../../state/origin.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CompletionRequest} from './completion.ts';
import {shownSampling, type FindSecrets, requestHash, wholeRequest} from './sampling-request.ts';
import {serverAddress} from '../transport/server-address.ts';

/** Under this name rules and decisions about model requests are kept beside those of tools. */
export const samplingName = 'sampling/createMessage';

/** A model request that waits to be let through. */
export type SamplingCall = {
	readonly config: ServerConfig;
	readonly request: CompletionRequest;
	readonly origin: Origin;
};

const description = 'The server wants the configured model to answer this. Its words are not yours.';

/** What a person sees of it before the model is asked: the request as it is, no member of which is masked for its name. */
export function samplingApprovalRequest({config, request, origin}: SamplingCall, partsOf: FindSecrets): NewApproval {
	const {value, ...hidden} = shownSampling(request, partsOf);
	return {
		kind: 'sampling',
		server: safeText(config.name),
		tool: samplingName,
		registeredName: samplingName,
		trust: config.trust,
		transport: config.transport.kind,
		address: safeText(serverAddress(config.transport)),
		hints: {},
		description,
		arguments: value,
		...hidden,
		argumentsHash: requestHash(request),
		origin,
	};
}

/** The same request with nothing left out. */
export function wholeSampling({config, request}: SamplingCall, masks: Masks, partsOf: FindSecrets): WholeRequest {
	const {value, ...hidden} = wholeRequest(request, masks, partsOf);
	return {server: safeText(config.name), tool: samplingName, description, arguments: value, ...hidden};
}
