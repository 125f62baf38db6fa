import {type Settings} from '../config/platforms/platform-settings.ts';
import {type JsonObject, ownMember} from '../util/json-text.ts';

/** The way that a target identifies chats. */
export type ChatRule =
	/** A delivery names its chat, or goes to the home channel. `grammar` matches the whole identifier; `words` completes "allowed: …". */
	| {readonly kind: 'named'; readonly grammar: RegExp; readonly words: string}
	/** The same, but a message needs no chat. */
	| {readonly kind: 'optional'; readonly grammar: RegExp; readonly words: string}
	/** The settings determine one chat; a chat named by the delivery is ignored. */
	| {readonly kind: 'bound'};

/** The chat of a delivery, or why there is none. */
export type ChatChoice =
	| {readonly kind: 'chat'; readonly chat: string; readonly warning?: string}
	| {readonly kind: 'refused'; readonly detail: string};

/** No platform has longer identifiers. */
const longestChat = 512;

/**
The chat of a delivery: `chat_id` of `deliver_extra`, else the home channel, which never takes the place of a written one that became empty. A chat may come from a payload, so the whole of it must be a valid identifier of the
platform: it can choose a chat, but no host, path or header.
*/
export function chooseChat(
	rule: ChatRule,
	{extra, settings}: {readonly extra: JsonObject; readonly settings: Pick<Settings, 'homeChannel'>},
): ChatChoice {
	const written = ownMember(extra, 'chat_id') ?? null;
	const asked = extraText(extra, 'chat_id');
	if (rule.kind === 'bound') {
		const warning = asked === '' ? undefined : 'chat_id is ignored, because the webhook address belongs to one chat';
		return {kind: 'chat', chat: '', warning};
	}

	if (written !== null && asked === '') {
		return {kind: 'refused', detail: 'deliver_extra.chat_id is empty'};
	}

	const chat = asked || settings.homeChannel;
	if (chat === '') {
		const missing = 'no chat is set: set deliver_extra.chat_id or home_channel';
		return rule.kind === 'optional' ? {kind: 'chat', chat} : {kind: 'refused', detail: missing};
	}

	const key = asked === '' ? 'home_channel' : 'deliver_extra.chat_id';
	return chat.length <= longestChat && rule.grammar.test(chat)
		? {kind: 'chat', chat}
		: {kind: 'refused', detail: `${key} is not a chat of this platform. Allowed: ${rule.words}`};
}

/** The first of these members of `deliver_extra` that is a string or a number, as text; empty when none is. */
export function extraText(extra: JsonObject, ...names: readonly string[]): string {
	for (const name of names) {
		const value = ownMember(extra, name);
		if ((typeof value === 'string' && value !== '') || typeof value === 'number') {
			return String(value);
		}
	}

	return '';
}

/** The title of a message that was given none. A job, or a person, has no route. */
export function defaultTitle(route: string): string {
	return route === '' ? 'Sluice' : `Sluice: ${route}`;
}
