import {toBoolean} from '../values/bool-like.ts';
import {toNumber} from '../values/number-like.ts';
import {askDefaults} from './server-asks-schema.ts';
import {type ServerEntry} from './server-schema.ts';
import {toTexts} from '../values/text-like.ts';

/** How a server may ask a person. */
export type ElicitationPolicy = {readonly timeoutSeconds: number};

/** How a server may ask the configured model (docs/tool-servers.md, Elicitation). */
export type SamplingPolicy = {
	/** Absent: the configured model. */
	readonly model?: string;
	readonly maximumTokens: number;
	readonly timeoutSeconds: number;
	readonly requestsPerMinute: number;
	/** Most rounds of tool results in one conversation. */
	readonly maximumToolRounds: number;
	/** Models that may answer; empty: any. */
	readonly allowedModels: readonly string[];
};

/** What a server may ask of us; absent: nothing of the kind. */
export type ServerAsks = {
	readonly elicitation?: ElicitationPolicy;
	readonly sampling?: SamplingPolicy;
};

/** Reads what a server may ask for. Both are on unless they are switched off. */
export function parseAsks({elicitation, sampling}: Pick<ServerEntry, 'elicitation' | 'sampling'>): ServerAsks {
	return {
		...(toBoolean(elicitation?.enabled) !== false && {
			elicitation: {timeoutSeconds: toNumber(elicitation?.timeout, askDefaults.elicitationSeconds)},
		}),
		...(toBoolean(sampling?.enabled) !== false && {sampling: parseSampling(sampling)}),
	};
}

function parseSampling(written: ServerEntry['sampling']): SamplingPolicy {
	return {
		...(written?.model && {model: written.model}),
		maximumTokens: toNumber(written?.max_tokens_cap, askDefaults.maxTokensCap),
		timeoutSeconds: toNumber(written?.timeout, askDefaults.samplingSeconds),
		requestsPerMinute: toNumber(written?.max_rpm, askDefaults.requestsPerMinute),
		maximumToolRounds: toNumber(written?.max_tool_rounds, askDefaults.toolRounds),
		allowedModels: toTexts(written?.allowed_models) ?? [],
	};
}
