import {type SamplingPolicy} from '../../config/servers/server-entry.ts';

/** The input of the policy about a sampling request. */
export type SamplingAsk = {
	/** Models the server prefers, first choice first: names or parts of names. */
	readonly hints: readonly string[];
	readonly maximumTokens: number;
	readonly bringsTools: boolean;
	/** Rounds of tool results in the conversation. */
	readonly toolRounds: number;
	/** Requests of this server allowed within the last minute. */
	readonly recentRequests: number;
};

/** The model parameters allowed, or why the request is refused, in plain words. */
export type SamplingVerdict =
	| {readonly kind: 'allowed'; readonly model?: string; readonly maximumTokens: number}
	| {readonly kind: 'refused'; readonly reason: string};

/**
Decides about a sampling request (docs/tool-servers.md, Sampling). A server's hints only choose among `allowed_models`:
without that list the configured model answers, whatever the server prefers.
*/
export function checkSampling(ask: SamplingAsk, policy: SamplingPolicy): SamplingVerdict {
	const {allowedModels, model, requestsPerMinute, maximumToolRounds} = policy;
	if (ask.bringsTools) {
		return {kind: 'refused', reason: 'it asked for tools, and a request of a server gets no tools'};
	}

	if (ask.toolRounds > maximumToolRounds) {
		return {kind: 'refused', reason: `more than ${maximumToolRounds} rounds of tool results`};
	}

	if (ask.recentRequests >= requestsPerMinute) {
		return {kind: 'refused', reason: `more than ${requestsPerMinute} requests within a minute`};
	}

	if (model !== undefined && allowedModels.length > 0 && !allowedModels.includes(model)) {
		return {kind: 'refused', reason: `the model ${model} is not among allowed_models`};
	}

	const hinted = ask.hints.flatMap(hint => allowedModels.find(name => name.includes(hint)) ?? [])[0];
	const chosen = model ?? hinted ?? allowedModels[0];
	return {
		kind: 'allowed',
		...(chosen !== undefined && {model: chosen}),
		maximumTokens: Math.max(1, Math.min(ask.maximumTokens, policy.maximumTokens)),
	};
}
