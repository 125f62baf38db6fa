import {isJsonObject, type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {isSecretSetting} from '../../util/redact.ts';

/** An entry whose secrets were replaced by references, and the referenced variables. */
export type SeparatedEntry = {readonly entry: JsonObject; readonly variables: Readonly<Record<string, string>>};

/**
Moves secrets out of the headers and environment of an entry: config.yaml gets references, `.env` the values (docs/configuration.md, How values are read).
`current` returns the present value of a variable; a name with another value is prefixed with the server name.
*/
export function separateSecrets(
	server: string,
	entry: JsonObject,
	current: (variable: string) => string | undefined,
): SeparatedEntry {
	const variables: Record<string, string> = {};
	const store = (name: string, value: string): string => {
		const free = (candidate: string) => (variables[candidate] ?? current(candidate) ?? value) === value;
		const prefixed = `${variableName(server)}_${name}`;
		const candidates = [name, prefixed, ...Array.from({length: 20}, (_, index) => `${prefixed}_${index + 2}`)];
		const chosen = candidates.find(free) ?? prefixed;
		variables[chosen] = value;
		return `\${${chosen}}`;
	};

	const separated = {
		...entry,
		...separateMember(entry, 'env', (name, value) => store(variableName(name), value)),
		...separateMember(entry, 'headers', (name, value) =>
			separateHeader(value, secret => store(headerVariable(server, name), secret)),
		),
	};
	return {entry: separated, variables};
}

function separateMember(entry: JsonObject, key: string, separate: (name: string, value: string) => string): JsonObject {
	const members = entry[key];
	if (!isJsonObject(members)) {
		return {};
	}

	const separated = Object.entries(members).map(([name, value]): [string, JsonValue] => [
		name,
		typeof value === 'string' && isSecretSetting(name) && value !== '' && !value.includes('${')
			? separate(name, value)
			: value,
	]);
	return {[key]: Object.fromEntries(separated)};
}

/** Leaves the scheme of `Bearer abc` readable. */
function separateHeader(value: string, store: (secret: string) => string): string {
	const [, scheme = '', secret = value] = /^((?:Bearer|Basic|Token) +)(\S.*)$/iu.exec(value) ?? [];
	return `${scheme}${store(secret)}`;
}

function headerVariable(server: string, header: string): string {
	const name = variableName(header);
	return `${variableName(server)}_${name === 'AUTHORIZATION' ? 'TOKEN' : name}`;
}

/** A variable name valid in shells and `.env`. */
export function variableName(text: string): string {
	const name = text
		.toUpperCase()
		.replaceAll(/[^A-Z0-9]+/gu, '_')
		.replaceAll(/^_+|_+$/gu, '');
	return /^[A-Z]/u.test(name) ? name : `SLUICE_${name}`;
}
