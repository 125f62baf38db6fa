import {isDeepStrictEqual} from 'node:util';
import {isJsonObject} from '../../util/json-text.ts';
import {isSecretName, maskTokens} from '../../util/redact.ts';
import {secretsOfAddress, withoutScheme} from '../secrets/configured-secrets.ts';
import {valueAt} from '../values/plain-value.ts';
import {type KeyPath} from '../values/problem-list.ts';
import {insecureSecret} from '../webhooks/refusals.ts';

/** Mappings whose members have names of their own: a server named `token` is no secret. */
const freeNames: ReadonlySet<string> = new Set(['mcp_servers', 'routes', 'jobs', 'clients', 'prices', 'url']);

/** Mappings of secrets: every member counts as one. */
const secretMappings: ReadonlySet<string> = new Set(['env', 'headers']);

/** Keys of secrets whose names do not say so. */
const otherSecrets: ReadonlySet<string> = new Set(['webhook_url', 'routing_key']);

/** Keys that only sound like a secret. */
const publicKeys: ReadonlySet<string> = new Set([
	'token_endpoint_auth_method',
	'token_parameter',
	'token_url',
	'max_tokens_cap',
	'tokens',
]);

/** True for a key of config.yaml whose value is a secret, at any depth below such a key. Rules have arguments of tools as their keys, and no secrets. */
export function isSecretPath(path: KeyPath): boolean {
	if (path[0] === 'approvals' && path[1] === 'rules') {
		return false;
	}

	return path.some((key, depth) => {
		const above = path[depth - 1];
		if (typeof key === 'number') {
			// [certificate, key, password]
			return above === 'client_cert' && key === 2;
		}

		const isFreeName = typeof above === 'string' && freeNames.has(above);
		const isMember = typeof above === 'string' && secretMappings.has(above);
		return !isFreeName && (isMember || isSecretKey(key));
	});
}

function isSecretKey(key: string): boolean {
	return otherSecrets.has(key) || (isSecretName(key) && !publicKeys.has(key));
}

/** True if a value holds a secret itself; a reference to a variable holds none. */
function isLiteral(value: unknown): boolean {
	if (typeof value === 'number') {
		return true;
	}

	const bare = typeof value === 'string' ? (withoutScheme(value).at(-1) ?? '') : '';
	return bare !== insecureSecret && bare.replaceAll(/\$\{[^}]+\}/gu, '').trim() !== '';
}

/** The credentials in an address: its password, the user of a web address, and parameters that look like a secret. */
function credentialsOf(text: string): readonly string[] {
	const address = URL.parse(text);
	const user = /^https?:$/u.test(address?.protocol ?? '') ? (address?.username ?? '') : '';
	return [user, ...secretsOfAddress(text)].map(decoded).filter(secret => secret !== '' && isLiteral(secret));
}

/** A reference in an address is percent-encoded there. */
function decoded(text: string): string {
	return text.replaceAll(/%24%7B(.*?)%7D/giu, (_, name: string) => `\${${name}}`);
}

/** The path of a secret that `value`, to be written at `path`, holds itself and `before` did not; undefined without one. */
export function literalSecretIn(value: unknown, path: KeyPath, before: unknown): KeyPath | undefined {
	if (isDeepStrictEqual(value, valueAt(before, path))) {
		return undefined;
	}

	for (const [key, member] of membersOf(value)) {
		const found = literalSecretIn(member, [...path, key], before);
		if (found) {
			return found;
		}
	}

	const isOne = isSecretPath(path) ? isLiteral(value) : typeof value === 'string' && credentialsOf(value).length > 0;
	return isOne ? path : undefined;
}

/** The secrets that a value at `path` holds itself. */
export function literalSecretsOf(value: unknown, path: KeyPath = []): readonly string[] {
	const members = membersOf(value);
	if (members.length > 0) {
		return members.flatMap(([key, member]) => literalSecretsOf(member, [...path, key]));
	}

	if (isSecretPath(path)) {
		return isLiteral(value) ? [String(value)].flatMap(withoutScheme) : [];
	}

	return typeof value === 'string' ? credentialsOf(value) : [];
}

/** A copy of the value at `path` to be shown: secrets are masked, references stay. `redact` masks secrets known from elsewhere. */
export function maskedValue(value: unknown, path: KeyPath, redact: (text: string) => string): unknown {
	if (Array.isArray(value)) {
		return value.map((item, index) => maskedValue(item, [...path, index], redact));
	}

	if (isJsonObject(value)) {
		return Object.fromEntries(
			membersOf(value).map(([key, member]) => [key, maskedValue(member, [...path, key], redact)]),
		);
	}

	if (isSecretPath(path) && isLiteral(value)) {
		return mask(String(value));
	}

	if (typeof value !== 'string') {
		return value;
	}

	const credentials = credentialsOf(value).flatMap(secret => [secret, encodeURIComponent(secret)]);
	return maskUnknownTokens(redact(credentials.reduce((text, secret) => text.replaceAll(secret, mask(secret)), value)));
}

/** Masks what looks like a token, but no references. */
export function maskUnknownTokens(text: string): string {
	return text
		.split(/(\$\{[^}]+\})/u)
		.map((part, index) => (index % 2 === 0 ? maskTokens(part) : part))
		.join('');
}

function membersOf(value: unknown): ReadonlyArray<readonly [string | number, unknown]> {
	return Array.isArray(value) ? [...value.entries()] : isJsonObject(value) ? Object.entries(value) : [];
}

function mask({length}: string): string {
	return `‹redacted ${length} chars›`;
}
