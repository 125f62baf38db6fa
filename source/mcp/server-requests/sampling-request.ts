import {type CreateMessageRequestParams, type SamplingMessage} from '@modelcontextprotocol/client';
import {hashJson} from '../../util/json-hash.ts';
import {isJsonObject, type JsonObject, parseJson} from '../../util/json-text.ts';
import {type Masks} from '../../state/approval-event.ts';
import {type Redactor} from '../../util/redact.ts';
import {partLimits, type ShownJson, shownJson, wholeLimits} from '../../util/shown-json.ts';
import {type CompletionPart, type CompletionRequest} from './completion.ts';
import {type SamplingAsk} from './sampling-policy.ts';

/** What the policy looks at. */
export function samplingAsk(params: CreateMessageRequestParams, recentRequests: number): SamplingAsk {
	return {
		recentRequests,
		hints: params.modelPreferences?.hints?.flatMap(hint => hint.name?.trim() || []) ?? [],
		maximumTokens: params.maxTokens,
		bringsTools: (params.tools?.length ?? 0) > 0,
		toolRounds: params.messages.filter(message => blocksOf(message).some(({type}) => type === 'tool_result')).length,
	};
}

/** The conversation as a model is asked it. Results of tools are handed on as text. */
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

/** The request as JSON: what a person is shown and what its hash names. */
function requestJson(request: CompletionRequest): JsonObject {
	const json = parseJson(JSON.stringify(request));
	return isJsonObject(json) ? json : {};
}

/** Finds known secrets in a text. */
export type FindSecrets = Redactor['partsOf'];

/** The request as a person sees it on a card; no member is masked for its name. */
export function shownSampling(request: CompletionRequest, partsOf: FindSecrets): ShownJson {
	return shownJson(requestJson(request), {room: partLimits, masks: {names: 'none', partsOf}});
}

/** The same with nothing left out. */
export function wholeRequest(request: CompletionRequest, masks: Masks, partsOf: FindSecrets): ShownJson {
	return shownJson(requestJson(request), {
		room: wholeLimits,
		masks: masks === 'on' ? {names: 'none', partsOf} : undefined,
	});
}

/** Names exactly this request; an approval is for no other. */
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
