import {type SignatureScheme} from '../../config/webhooks/signature-scheme.ts';
import {isJsonObject, type JsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';

const longestChallenge = 1000;

/** The answer to the question with which a provider makes sure that somebody is there; undefined when the payload is an event. */
export function answerHandshake(kind: SignatureScheme['handshake'], payload: JsonValue): JsonObject | undefined {
	if (!isJsonObject(payload)) {
		return undefined;
	}

	const type = ownMember(payload, 'type');
	switch (kind) {
		case 'slack': {
			const challenge = ownMember(payload, 'challenge');
			const isAsked = type === 'url_verification' && typeof challenge === 'string';
			return isAsked && challenge.length <= longestChallenge ? {challenge} : undefined;
		}

		case 'discord':
			return type === 1 ? {type: 1} : undefined;
		case undefined:
			return undefined;
	}
}
