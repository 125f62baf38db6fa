import {isJsonObject, type JsonValue} from './json-text.ts';

/** Replaces known secrets in texts. Values are learnt when configuration expands them. */
export type Redactor = {
	/** Remembers a secret value. Very short values are left out: masking them would only garble texts. */
	readonly learn: (secret: string) => void;
	/** The text with each known secret replaced. */
	readonly clean: (text: string) => string;
};

const shortestSecretCharacters = 6;

/** Opens an empty redactor. */
export function createRedactor(): Redactor {
	// The longest first: one secret may be the beginning of another.
	let secrets: readonly string[] = [];
	return {
		learn(secret) {
			if (secret.length >= shortestSecretCharacters && !secrets.includes(secret)) {
				secrets = [...secrets, secret].sort((first, second) => second.length - first.length);
			}
		},
		clean(text) {
			let cleaned = text;
			for (const secret of secrets) {
				cleaned = cleaned.replaceAll(secret, `‹redacted ${secret.length} chars›`);
			}

			return cleaned;
		},
	};
}

/** True for member names under which people keep secrets: their values are masked wherever arguments or headers are shown. */
export function isSecretName(name: string): boolean {
	return /pass(word|wd|phrase)?$|secret|token|api[_-]?key|authorization|credential|private[_-]?key|cookie|^pwd$/iu.test(
		name,
	);
}

/** The same for settings, flags and headers, where `X_KEY` and `auth` are secrets too. In the arguments of a tool `issue_key` is none. */
export function isSecretSetting(name: string): boolean {
	return isSecretName(name) || /(^|[_-])(key|auth)$/iu.test(name);
}

/** The value with everything under a secret name masked, at any depth. The lengths of masked texts are told. */
export function maskSecretMembers(value: JsonValue): JsonValue {
	if (Array.isArray(value)) {
		return value.map(maskSecretMembers);
	}

	if (!isJsonObject(value)) {
		return value;
	}

	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [
			name,
			isSecretName(name) ? maskValue(member) : maskSecretMembers(member),
		]),
	);
}

function maskValue(value: JsonValue): string {
	return typeof value === 'string' ? `‹redacted ${value.length} chars›` : '‹redacted›';
}
