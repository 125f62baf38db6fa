import {createBoundedMap} from './limits/bounded-map.ts';

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

/** Values of secrets that say in public that there is none; their refusal names them (docs/webhooks.md, When the receiver does not start). */
const publicWords: ReadonlySet<string> = new Set(['INSECURE_NO_AUTH']);
const maxPassing = 500;

/** Creates an empty redactor. */
export function createRedactor(): Redactor {
	const lasting = new Set<string>();
	const passing = createBoundedMap<string, 'short-lived'>({max: maxPassing});
	// The longest first: one secret may be a prefix of another.
	let secrets: readonly string[] = [];
	const sortAgain = () => {
		secrets = [...new Set([...lasting, ...passing.keys()])].sort((first, second) => second.length - first.length);
	};

	return {
		learn(secret) {
			if (isSecret(secret) && !lasting.has(secret)) {
				lasting.add(secret);
				sortAgain();
			}
		},
		learnPassing(secret) {
			if (!isSecret(secret)) {
				return;
			}

			// A repeated secret counts as new.
			const isKnown = passing.has(secret);
			passing.set(secret, 'short-lived');
			if (!isKnown) {
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

function isSecret(text: string): boolean {
	return text.length >= shortestSecretCharacters && !publicWords.has(text.trim());
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

/** Stands in place of a secret that is not looked for in a text, but left out by its name. */
export const maskedText = '‹masked›';

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

/** Tokens by their own form, as providers issue them; the text before one stays. */
const tokenForms: readonly RegExp[] = [
	/(\b(?:Bearer|Basic) +)[\w.~+/=-]{8,}/giu,
	/()(?<![\w-])(?:sk-|[sprk]k_(?:live|test)_)[\w-]{8,}/gu,
	/()\b(?:gh[a-z]_|github_pat_|glpat-|npm_|xox[a-z]-|whsec_|hf_)[\w+/=-]{8,}/gu,
	/()\b(?:AKIA|ASIA)[A-Z\d]{16}\b/gu,
	/()\bAIza[\w-]{20,}/gu,
	/()\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/gu,
	// `token=abc`, `"api_key": "abc"`; `token: expired` and `max_token=4096` are no secrets.
	/((?:token|secret|password|passwd|api[_-]?key|access[_-]?key|private[_-]?key)["']?=["']?)(?!\d+\b)[^\s"'&;,‹<>$]{4,}/giu,
	/((?:token|secret|password|passwd|api[_-]?key|access[_-]?key|private[_-]?key)["']? *: *["'])[^\s"'‹<>$]{6,}/giu,
	/((?:token|secret|password|passwd|api[_-]?key|access[_-]?key|private[_-]?key) *: *)(?=[^\s"'‹<>$]*\d)[^\s"'&;,‹<>$]{12,}/giu,
	// The credentials of `https://user:password@host`.
	/(\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s/@:]*:)[^\s/@]+(?=@)/giu,
];

/**
Masks the words of a server's error that look like tokens, known or not (docs/connections.md, Results). Not for arguments and results:
those are shown and passed on exactly.
*/
export function maskTokens(text: string): string {
	return tokenForms.reduce(
		(masked, form) =>
			masked.replaceAll(
				form,
				(found: string, before: string) => `${before}‹redacted ${found.length - before.length} chars›`,
			),
		text,
	);
}
