import {type CreateMessageRequestParams, type SamplingMessage} from '@modelcontextprotocol/client';
import {hashJson} from '../util/json-hash.ts';
import {type JsonObject, parseJson} from '../util/json-text.ts';
import {safeText} from '../util/safe-text.ts';
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

/** Names exactly this request; an approval is for no other. */
export function requestHash(request: CompletionRequest): string {
	return hashJson(parseJson(JSON.stringify(request)) ?? null);
}

const mostShownMessages = 20;
const mostShownCharacters = 2000;

/** The same for a person: bounded and safe to show. */
export function shownRequest(request: CompletionRequest): JsonObject {
	const {system, messages, maximumTokens, model} = request;
	const hidden = messages.length - mostShownMessages;
	const shown = messages.slice(-mostShownMessages).map(({role, parts}) => ({[role]: parts.map(shownPart).join('\n')}));
	return {
		...(model !== undefined && {model: short(model)}),
		...(system !== undefined && {system: short(system)}),
		...(hidden > 0 && {earlier: `${hidden} earlier messages are not shown`}),
		messages: shown,
		maximum_tokens: maximumTokens,
	};
}

function shownPart(part: CompletionPart): string {
	return part.kind === 'text' ? short(part.text) : `[${part.kind}, ${short(part.mediaType)}]`;
}

function short(text: string): string {
	return safeText(text, {maximumCharacters: mostShownCharacters, multiline: true});
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
