/** Masks known secrets in texts. The configuration adds values when it expands them. */
export type Redactor = {
	/** Adds a secret. Very short values are ignored: masking them would only garble texts. */
	readonly learn: (secret: string) => void;
	/** Adds a short-lived secret, such as an access token; the newest 500 are stored. */
	readonly learnPassing: (secret: string) => void;
	/** The text with each known secret masked. */
	readonly redact: (text: string) => string;
	/** The text in parts, known secrets separate from the rest. */
	readonly partsOf: (text: string) => readonly TextPart[];
};

/** Finds known secrets in a text. */
export type FindSecrets = Redactor['partsOf'];

/** A part of a text: a known secret, or not. */
export type TextPart = {readonly kind: 'plain' | 'secret'; readonly text: string};

const shortestSecretCharacters = 6;
const mostPassing = 500;

/** Creates an empty redactor. */
export function createRedactor(): Redactor {
	const lasting = new Set<string>();
	/** The newest last. */
	const passing = new Set<string>();
	// The longest first: one secret may be a prefix of another.
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

			// A repeated secret counts as new.
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
		redact(text) {
			let cleaned = text;
			for (const secret of secrets) {
				// Most texts contain no secret, and many are shorter than any: avoid allocations for those.
				if (cleaned.length >= secret.length && cleaned.includes(secret)) {
					cleaned = cleaned.replaceAll(secret, `‹redacted ${secret.length} chars›`);
				}
			}

			return cleaned;
		},
		partsOf: text => secrets.reduce(splitAtSecret, text === '' ? [] : [{kind: 'plain', text}]),
	};
}

function splitAtSecret(parts: readonly TextPart[], secret: string): readonly TextPart[] {
	return parts.some(({kind, text}) => kind === 'plain' && text.includes(secret))
		? parts.flatMap(part => (part.kind === 'plain' ? splitPlain(part.text, secret) : part))
		: parts;
}

function splitPlain(text: string, secret: string): readonly TextPart[] {
	return text
		.split(secret)
		.flatMap((piece, index): readonly TextPart[] => [
			...(index === 0 ? [] : [{kind: 'secret', text: secret} as const]),
			...(piece === '' ? [] : [{kind: 'plain', text: piece} as const]),
		]);
}

/** True for member names of secrets: their values are masked wherever arguments or headers are shown. */
export function isSecretName(name: string): boolean {
	return /pass(word|wd|phrase)?$|secret|token|api[_-]?key|authorization|credential|private[_-]?key|cookie|^pwd$/iu.test(
		name,
	);
}

/** The same for settings, flags and headers, where `X_KEY` and `auth` are secrets too. In tool arguments, `issue_key` is not. */
export function isSecretSetting(name: string): boolean {
	return isSecretName(name) || /(^|[_-])(key|auth)$/iu.test(name);
}
