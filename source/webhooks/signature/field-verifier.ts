import {isJsonObject, isList, type JsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';
import {parseExactJson} from '../payload/exact-json.ts';
import {type Verifier} from './signature.ts';
import {type SchemeKey} from './signing-key.ts';
import {isPlainJson, parseUnproven} from './unproven-body.ts';

/** The most secrets of a message that are compared. */
const maxTokens = 1000;

const masked = '‹masked›';

/** The verifier of a route whose senders put the secret itself into fields of the body, as `clientState` of Microsoft Graph. Every one must match. */
export function createFieldVerifier(field: string, keys: readonly SchemeKey[]): Verifier {
	const path = field.split('.');
	const isSecret = (token: JsonValue | undefined) =>
		typeof token === 'string' &&
		keys.some(key => key(new Uint8Array(), [Buffer.from(token, 'utf8').toString('latin1')]));
	return ({headers}) =>
		isPlainJson(headers)
			? {
					scheme: 'current',
					name: `field ${field}`,
					isSigned(body) {
						const json = parseUnproven(body);
						const tokens = json ? valuesAt(json, path) : [];
						return tokens.length > 0 && tokens.length <= maxTokens && tokens.every(isSecret);
					},
					withoutSecret(body) {
						const json = parseExactJson(Buffer.from(body).toString('utf8'));
						return json === undefined ? body : Buffer.from(JSON.stringify(maskedAt(json, path)));
					},
				}
			: undefined;
}

/** The value at a path, of every item where the path has `*`; undefined for each one that is missing. */
function valuesAt(
	value: JsonValue | undefined,
	[step, ...rest]: readonly string[],
): ReadonlyArray<JsonValue | undefined> {
	if (step === undefined) {
		return [value];
	}

	if (step === '*') {
		return value !== undefined && isList(value)
			? value.slice(0, maxTokens + 1).flatMap(item => valuesAt(item, rest))
			: [undefined];
	}

	return valuesAt(value !== undefined && isJsonObject(value) ? ownMember(value, step) : undefined, rest);
}

/** The JSON with another text at that path. */
function maskedAt(value: JsonValue, [step, ...rest]: readonly string[]): JsonValue {
	if (step === undefined) {
		return masked;
	}

	if (step === '*') {
		return isList(value) ? value.map(item => maskedAt(item, rest)) : value;
	}

	const member = isJsonObject(value) ? ownMember(value, step) : undefined;
	return isJsonObject(value) && member !== undefined
		? ({...value, [step]: maskedAt(member, rest)} satisfies JsonObject)
		: value;
}
