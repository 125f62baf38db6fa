import {type ApprovalOutcome, type Ask, type NewApproval} from '../../approvals/approval-queue.ts';
import {type DefinedTool, type RememberedRules} from '../../approvals/remembered-rules.ts';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type ApprovalRequest, type Masks, type FullRequest} from '../../state/approval-event.ts';
import {type Origin} from '../../state/origin.ts';
import {type FindSecrets} from '../../util/redact.ts';
import {safeText} from '../../util/safe-text.ts';
import {serverAddress} from '../transport/server-address.ts';
import {type OpenRequests} from './open-requests.ts';
import {type CompletionRequest, fullRequest, requestHash, shownSampling} from './sampling-request.ts';
import {plainValue} from '../../util/shown-json.ts';

export type SamplingApprovalOptions = {
	readonly ask: Ask;
	/** Finds known secrets in the text shown. */
	readonly partsOf: FindSecrets;
	readonly rules: Pick<RememberedRules, 'find' | 'remember'>;
	/** Records a person's decision. The arguments of the request are whole; known secrets in them are masked. */
	readonly recordDecision: (request: NewApproval & Partial<ApprovalRequest>, outcome: ApprovalOutcome) => void;
};

/** The name of model requests in rules and decisions, next to tool names. */
export const samplingName = 'sampling/createMessage';

/** A server's request to the model. */
export type SamplingCall = {
	readonly config: ServerConfig;
	readonly request: CompletionRequest;
	readonly origin: Origin;
	readonly whileAsking: OpenRequests['whileAsking'];
	/** The earlier end of this very request, before it had to wait: a person is not asked twice about it. */
	readonly earlier?: ApprovalOutcome | undefined;
};

const description = 'The server asks the configured model to answer this. The server wrote the text, not you.';

/** Decides whether the model is asked: trust, remembered approval, person (docs/approvals.md, How approvals end). */
export type SamplingApproval = (call: SamplingCall, signal: AbortSignal) => Promise<ApprovalOutcome>;

/** Builds the approval check. */
export function createSamplingApproval({
	ask,
	partsOf,
	rules,
	recordDecision,
}: SamplingApprovalOptions): SamplingApproval {
	const ofPersons = new WeakSet<ApprovalOutcome>();
	return async (call, signal) => {
		const {config, earlier} = call;
		if (config.trust === 'full') {
			return {kind: 'approved', scope: 'once', by: 'trust'};
		}

		const match = rules.find(definedAs(config.name), call.origin);
		if (match.kind === 'remembered') {
			return {kind: 'approved', scope: match.rule.scope, by: 'remembered rule'};
		}

		// A wider yes is remembered, or was revoked since.
		if (earlier?.kind === 'approved' && earlier.scope === 'once' && ofPersons.has(earlier)) {
			return earlier;
		}

		const request = samplingApprovalRequest(call, partsOf);
		let asked: ApprovalRequest | undefined;
		const outcome = await call.whileAsking(() =>
			ask(request, {
				signal,
				fullRequest: masks => fullSampling(call, masks, partsOf),
				onRequest: made => void (asked = made),
			}),
		);
		recordDecision({...request, ...asked, arguments: plainValue(fullSampling(call, 'on', partsOf).arguments)}, outcome);
		if (outcome.kind === 'approved' && outcome.scope !== 'once') {
			await rules.remember(definedAs(config.name), outcome.scope, call.origin);
		}

		ofPersons.add(outcome);
		return outcome;
	};
}

function definedAs(server: string): DefinedTool {
	return {server, tool: samplingName, fingerprint: samplingName, definition: {name: samplingName}};
}

/** The reason that the model is not asked, in plain words. */
export function refusalText(outcome: Exclude<ApprovalOutcome, {kind: 'approved'}>): string {
	switch (outcome.kind) {
		case 'denied':
			return 'a person denied it';
		case 'timed_out':
			return 'nobody approved it in time';
		case 'no_channel':
			return 'nobody can be asked';
		case 'cancelled':
			return 'it was withdrawn';
	}
}

/** The approval request for a model request: shown exactly, with no member masked by name. */
function samplingApprovalRequest({config, request, origin}: SamplingCall, partsOf: FindSecrets): NewApproval {
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

/** The same request in full length. */
function fullSampling({config, request}: SamplingCall, masks: Masks, partsOf: FindSecrets): FullRequest {
	const {value, ...hidden} = fullRequest(request, masks, partsOf);
	return {server: safeText(config.name), tool: samplingName, description, arguments: value, ...hidden};
}
