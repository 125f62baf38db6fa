import {type ApprovalOutcome, type ApprovalRequest, type Ask} from '../approvals/desk.ts';
import {type DefinedTool, type RememberedRules} from '../approvals/remembered-rules.ts';
import {type ServerConfig} from '../config/server-entry.ts';
import {type Origin} from '../state/origin.ts';
import {hashJson} from '../util/json-hash.ts';
import {parseJson} from '../util/json-text.ts';
import {safeText} from '../util/safe-text.ts';
import {type CompletionRequest} from './completion.ts';
import {shownRequest} from './sampling-request.ts';
import {serverAddress} from './server-address.ts';

/** A model request that waits to be let through. */
export type SamplingCall = {
	readonly config: ServerConfig;
	readonly request: CompletionRequest;
	readonly origin: Origin;
};

export type SamplingGateOptions = {
	readonly ask: Ask;
	readonly rules: Pick<RememberedRules, 'find' | 'remember'>;
	/** Keeps what a person decided. */
	readonly recordDecision: (card: ApprovalRequest, outcome: ApprovalOutcome) => void;
};

/** Lets a model request of a server through, or answers why not (spec/decisions.md, D7: one of an untrusted server asks first). */
export type SamplingGate = (call: SamplingCall, signal: AbortSignal) => Promise<ApprovalOutcome>;

/** Under this name rules and decisions about model requests are kept beside those of tools. */
const samplingName = 'sampling/createMessage';

/** Builds the gate. */
export function createSamplingGate({ask, rules, recordDecision}: SamplingGateOptions): SamplingGate {
	return async (call, signal) => {
		const {config} = call;
		if (config.trust === 'full') {
			return {kind: 'approved', scope: 'once', by: 'trust'};
		}

		const match = rules.find(definedAs(config.name));
		if (match.kind === 'remembered') {
			return {kind: 'approved', scope: match.rule.scope, by: 'remembered rule'};
		}

		const card = samplingCard(call);
		const outcome = await ask(card, {signal});
		recordDecision(card, outcome);
		if (outcome.kind === 'approved' && outcome.scope !== 'once') {
			rules.remember(definedAs(config.name), outcome.scope);
		}

		return outcome;
	};
}

function definedAs(server: string): DefinedTool {
	return {server, tool: samplingName, fingerprint: samplingName, definition: {name: samplingName}};
}

function samplingCard({config, request, origin}: SamplingCall): ApprovalRequest {
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
		argumentsHash: hashJson(parseJson(JSON.stringify(request)) ?? null),
		origin,
	};
}
