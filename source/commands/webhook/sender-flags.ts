import {presetNames, presets} from '../../config/webhooks/presets/preset-table.ts';
import {takesMapping} from '../../config/webhooks/sender-rules.ts';
import {unknownWord} from '../../config/values/did-you-mean.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandFlags} from '../cli/command.ts';

/** The keys of `--set`: a mapping of the route and its member. */
const setKeys = [
	'signature.url',
	'challenge.token',
	'secret.topic_arn',
	'secret.audience',
	'secret.email',
	'secret.issuer',
	'secret.jwks',
];

type Flags = Pick<CommandFlags, 'preset' | 'set' | 'secretEnv'>;

/** The signature that the flags ask for, over the former one; another preset replaces it whole. Undefined when no flag names it. */
export function signatureOf(previous: JsonValue | undefined, {preset, set}: Flags): JsonValue | undefined {
	const named = membersOf('signature', set);
	if (preset === undefined && named === undefined) {
		return undefined;
	}

	const before: JsonObject = typeof previous === 'string' ? {preset: previous} : isJsonObject(previous) ? previous : {};
	const base = preset === undefined || preset === before['preset'] ? before : {preset};
	const merged = withoutEmpty({...base, ...named});
	return Object.keys(merged).some(key => key !== 'preset') ? merged : (merged['preset'] ?? '');
}

/** The challenge with the token that the flags name. Undefined when none does. */
export function challengeOf(previous: JsonValue | undefined, {set}: Flags): JsonValue | undefined {
	const named = membersOf('challenge', set);
	const token = named?.['token'] ?? '';
	if (token !== '' && !/^\$\{[A-Za-z_]\w*\}$/u.test(token)) {
		throw new Problem('bad_usage', {
			message: '--set challenge.token must be a reference to a variable, never the token itself',
			remedy: "For example: --set challenge.token='${META_VERIFY_TOKEN}'",
		});
	}

	return named && withoutEmpty({...(isJsonObject(previous) && previous), ...named});
}

/** The secret of an entry: the mapping or the variable that the flags name, else the former one; `created` for a new entry. */
export function secretOf(
	{secret: previous, signature}: JsonObject,
	{preset, set, secretEnv}: Flags,
	created: string,
): JsonValue {
	const named = membersOf('secret', set);
	if (named && secretEnv !== undefined) {
		throw new Problem('bad_usage', {message: '--secret-env and --set secret.… cannot be combined. Keep one of them'});
	}

	if (secretEnv !== undefined) {
		return referenceTo(secretEnv);
	}

	if (named) {
		return withoutEmpty({...(isJsonObject(previous) && previous), ...named});
	}

	// A secret of another kind never fits the new provider.
	return preset === undefined || takesMappingOf(signature) === isMapping(previous)
		? (previous ?? created)
		: isMapping(previous)
			? created
			: {};
}

/** True for a preset whose provider signs with keys that serve all its customers. */
function takesMappingOf(signature: JsonValue | undefined): boolean {
	const written = isJsonObject(signature) ? signature['preset'] : signature;
	const name = presetNames.find(one => one === written);
	return name !== undefined && takesMapping({algorithm: presets[name].signature.algorithm ?? 'sha256'});
}

function isMapping(secret: JsonValue | undefined): boolean {
	return secret !== undefined && [secret].flat().some(isJsonObject);
}

/** The members of one mapping that `--set` names; undefined for none. */
function membersOf(mapping: string, set: readonly string[] = []): Readonly<Record<string, string>> | undefined {
	const members = set.map(readSet).filter(({key}) => key.startsWith(`${mapping}.`));
	return members.length === 0
		? undefined
		: Object.fromEntries(members.map(({key, value}) => [key.slice(mapping.length + 1), value]));
}

function readSet(text: string): {readonly key: string; readonly value: string} {
	const end = text.indexOf('=');
	if (end < 1) {
		throw new Problem('bad_usage', {message: '--set must be KEY=VALUE'});
	}

	const key = text.slice(0, end);
	if (!setKeys.includes(key)) {
		throw new Problem('bad_usage', {message: unknownWord(key, {noun: 'key of --set', words: setKeys})});
	}

	return {key, value: text.slice(end + 1)};
}

function referenceTo(variable: string): string {
	if (!/^[A-Za-z_]\w*$/u.test(variable)) {
		throw new Problem('bad_usage', {message: '--secret-env must be the NAME of a variable, never a secret'});
	}

	return `\${${variable}}`;
}

function withoutEmpty(mapping: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(mapping).filter(([, value]) => value !== ''));
}
