import {type CreateMessageRequestParams, type SamplingMessage} from '@modelcontextprotocol/client';
import {type Masks} from '../../state/approval-event.ts';
import {type Origin} from '../../state/origin.ts';
import {hashJson} from '../../util/json-hash.ts';
import {isJsonObject, type JsonObject, parseJson} from '../../util/json-text.ts';
import {type FindSecrets} from '../../util/redact.ts';
import {type MaskedJson, maskedJson, partLimits, fullLimits} from '../../util/shown-json.ts';
import {type SamplingAsk} from './sampling-policy.ts';

/** A part of a message. `data` is base64. */
type CompletionPart =
	| {readonly kind: 'text'; readonly text: string}
	| {readonly kind: 'image' | 'audio'; readonly data: string; readonly mediaType: string};

/** A server's request to a model. All texts are untrusted. */
export type CompletionRequest = {
	/** Absent: the configured model. */
	readonly model?: string;
	readonly system?: string;
	readonly messages: ReadonlyArray<{readonly role: 'user' | 'assistant'; readonly parts: readonly CompletionPart[]}>;
	readonly maximumTokens: number;
	readonly temperature?: number;
	readonly stopSequences?: readonly string[];
};

type Completion = {
	/** The model that answered. */
	readonly model: string;
	readonly text: string;
	readonly stopReason: 'endTurn' | 'stopSequence' | 'maxTokens';
};

/** Asks a model once, without tools; `origin` is that of the call which the server carries out. Rejects with a Problem whose message the server may see. */
export type Complete = (
	request: CompletionRequest,
	options: {readonly signal: AbortSignal; readonly origin: Origin},
) => Promise<Completion>;

/** The properties of a request that the policy needs. */
export function samplingAsk(params: CreateMessageRequestParams, recentRequests: number): SamplingAsk {
	return {
		recentRequests,
		hints: params.modelPreferences?.hints?.flatMap(hint => hint.name?.trim() || []) ?? [],
		maximumTokens: params.maxTokens,
		bringsTools: (params.tools?.length ?? 0) > 0,
		toolRounds: params.messages.filter(message => blocksOf(message).some(({type}) => type === 'tool_result')).length,
	};
}

/** The request in the form sent to the model. Tool results become text. */
export function completionRequest(
	params: CreateMessageRequestParams,
	allowed: {readonly model?: string; readonly maximumTokens: number},
): CompletionRequest {
	const {systemPrompt, temperature, stopSequences, messages} = params;
	return {
		...allowed,
		...(systemPrompt !== undefined && {system: systemPrompt}),
		...(temperature !== undefined && {temperature}),
		...(stopSequences !== undefined && {stopSequences}),
		messages: messages.map(message => ({role: message.role, parts: blocksOf(message).map(toPart)})),
	};
}

/** The request as JSON: shown to the person, unmasked, and hashed. */
export function requestJson(request: CompletionRequest): JsonObject {
	const json = parseJson(JSON.stringify(request));
	return isJsonObject(json) ? json : {};
}

/** The request as it travels to a person, bounded in size; no member is masked by name. */
export function shownSampling(request: CompletionRequest, partsOf: FindSecrets): MaskedJson {
	return maskedJson(requestJson(request), {room: partLimits, masks: {names: 'none', partsOf}});
}

/** The same in full length. */
export function fullRequest(request: CompletionRequest, masks: Masks, partsOf: FindSecrets): MaskedJson {
	return maskedJson(requestJson(request), {
		room: fullLimits,
		masks: masks === 'on' ? {names: 'none', partsOf} : undefined,
	});
}

/** Identifies exactly this request; an approval applies to no other. */
export function requestHash(request: CompletionRequest): string {
	return hashJson(requestJson(request));
}

type Block = Exclude<SamplingMessage['content'], readonly unknown[]>;

function blocksOf({content}: SamplingMessage): readonly Block[] {
	return Array.isArray(content) ? content : [content];
}

function toPart(block: Block): CompletionPart {
	switch (block.type) {
		case 'text':
			return {kind: 'text', text: block.text};
		case 'image':
		case 'audio':
			return {kind: block.type, data: block.data, mediaType: block.mimeType};
		case 'tool_use':
		case 'tool_result':
			return {kind: 'text', text: JSON.stringify(block)};
	}
}
