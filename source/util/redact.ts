import {isJsonObject, type JsonValue} from './json-text.ts';

/** Replaces known secrets in texts. Values are learnt when configuration expands them. */
export type Redactor = {
	/** Remembers a secret value. Very short values are left out: masking them would only garble texts. */
	readonly learn: (secret: string) => void;
	/** Remembers one of many that come and go, like access tokens: the newest 500. */
	readonly learnPassing: (secret: string) => void;
	/** The text with each known secret replaced. */
	readonly clean: (text: string) => string;
};

const shortestSecretCharacters = 6;
const mostPassing = 500;

/** Opens an empty redactor. */
export function createRedactor(): Redactor {
	const lasting = new Set<string>();
	/** The newest last. */
	const passing = new Set<string>();
	// The longest first: one secret may be the beginning of another.
	let secrets: readonly string[] = [];
	const sortAgain = () => {
		secrets = [...new Set([...lasting, ...passing])].sort((first, second) => second.length - first.length);
	};

	return {
		learn(secret) {
			if (secret.length >= shortestSecretCharacters && !lasting.has(secret)) {
				lasting.add(secret);
				sortAgain();
			}
		},
		learnPassing(secret) {
			if (secret.length < shortestSecretCharacters) {
				return;
			}

			// What is seen again is new again.
			const isKnown = passing.delete(secret);
			passing.add(secret);
			if (!isKnown) {
				const [oldest] = passing;
				if (oldest !== undefined && passing.size > mostPassing) {
					passing.delete(oldest);
				}

				sortAgain();
			}
		},
		clean(text) {
			let cleaned = text;
			for (const secret of secrets) {
				// Most texts are shorter than any secret, and hold none: nothing is made for those.
				if (cleaned.length >= secret.length && cleaned.includes(secret)) {
					cleaned = cleaned.replaceAll(secret, `‹redacted ${secret.length} chars›`);
				}
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
