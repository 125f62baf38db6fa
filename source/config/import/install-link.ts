import {isJsonObject, type JsonObject, isDeeperThan, parseJson} from '../../util/json-text.ts';
import {Problem, problemLine} from '../../util/problem.ts';
import {serverSchema} from '../servers/server-schema.ts';
import {sectionWithoutFile} from '../values/section.ts';
import {parseServerEntry} from '../servers/server-entry.ts';

/** A server proposed by a link. Parsing installs nothing (docs/tool-servers.md, Install links). */
export type InstallLink = {
	readonly name: string;
	/** Contains only keys of a server entry; without `trust` it is untrusted. */
	readonly entry: JsonObject;
	/** Warnings about the entry, for the person who decides. */
	readonly warnings: readonly string[];
};

/** Rule 1; renaming follows it too. */
export const installNamePattern = /^[A-Za-z0-9._-]{1,64}$/u;

/** Rule 4: the decoded JSON (docs/configuration.md, How values are read). */
const maxPayloadBytes = 32 * 1024;
/** Base64 and percent-encoding lengthen it; a longer link is refused. */
const maxLinkCharacters = 4 * maxPayloadBytes;
const deepestEntry = 20;

/** Parses `sluice://mcp/install?name=…&config=…`. Throws a Problem `link_refused` that names the violated rule. */
export function parseInstallLink(link: string): InstallLink {
	const parameters = parametersOf(link);
	const name = parameters('name');
	if (!installNamePattern.test(name)) {
		throw refused('its name must have 1 to 64 letters, digits, dots, underscores or hyphens');
	}

	return {name, ...readEntry(name, decodePayload(parameters('config')))};
}

function parametersOf(link: string): (name: string) => string {
	const start = /^sluice:\/\/mcp\/install\/?\?/iu.exec(link)?.[0];
	if (start === undefined || link.length > maxLinkCharacters) {
		throw refused(start === undefined ? 'it must begin with sluice://mcp/install?' : 'it is too long');
	}

	const pairs = link
		.slice(start.length)
		.replace(/#.*$/su, '')
		.split('&')
		.map(pair => {
			const [key = '', ...value] = pair.split('=');
			return {key, value: value.join('=')};
		});
	return name => {
		const found = pairs.filter(pair => pair.key === name);
		const [first] = found;
		if (!first || found.length > 1) {
			throw refused(first ? `it says \`${name}\` more than once` : `it has no \`${name}\``);
		}

		return decodePercent(first.value);
	};
}

/** A plus is not a space here: it is a digit of standard base64. */
function decodePercent(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		throw refused('a percent sign in it is not followed by two hexadecimal digits of UTF-8');
	}
}

/** Rule 2. Characters outside both alphabets are refused: decoders skip them, and two parsers could see two entries. */
function decodePayload(text: string): JsonObject {
	if (!/^(?:[A-Za-z0-9_-]+|[A-Za-z0-9+/]+)={0,2}$/u.test(text)) {
		throw refused('its config must be base64url or base64');
	}

	const bytes = Buffer.from(text, 'base64url');
	if (bytes.length > maxPayloadBytes) {
		throw refused('its config is larger than 32 KB');
	}

	const value = parseJson(decodeUtf8(bytes));
	if (!isJsonObject(value) || isDeeperThan(value, deepestEntry)) {
		throw refused('its config must be a JSON object');
	}

	return value;
}

function decodeUtf8(bytes: Uint8Array): string {
	try {
		return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
	} catch {
		throw refused('its config is not UTF-8');
	}
}

/** Keys by which a link would choose among the folders, files and variables of this machine. */
const localKeys = ['cwd', 'env_file', 'pass_env'];

/** Rule 3. */
function readEntry(name: string, written: JsonObject): Pick<InstallLink, 'entry' | 'warnings'> {
	const local = localKeys.find(key => Object.hasOwn(written, key));
	if (local !== undefined) {
		throw refused(`a link must not set \`${local}\``);
	}

	const known = Object.entries(written).filter(([key]) => Object.hasOwn(serverSchema().shape, key));
	const entry: JsonObject = {...Object.fromEntries(known), ...('trust' in written ? {} : {trust: 'untrusted'})};
	const {url, command} = entry;
	const isAddress = typeof url === 'string' && /^https?:\/\//iu.test(url) && URL.canParse(url);
	if (url !== undefined && !isAddress) {
		throw refused('its url must be an http:// or https:// address');
	}

	if (!isAddress && (typeof command !== 'string' || command.trim() === '')) {
		throw refused('its config must have a text `url` or a text `command`');
	}

	const section = sectionWithoutFile('link');
	const parsed = parseServerEntry(name, written, section);
	if (parsed.kind === 'broken') {
		throw refused(problemLine(parsed.problem));
	}

	return {entry, warnings: section.problems.all().map(problem => problemLine(problem))};
}

function refused(why: string): Problem {
	return new Problem('link_refused', {message: `The install link is refused: ${why}`});
}
