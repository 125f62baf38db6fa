import {basename} from 'node:path';
import {indentJson, isJsonObject, type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {countMarked} from '../../util/characters/marked-characters.ts';
import {exactLine} from '../../util/exact-text.ts';
import {safeText} from '../../util/safe-text.ts';
import {referencesIn} from '../secrets/variables.ts';
import {toBoolean} from '../values/fields.ts';

/** The complete entry, formatted, as lines that are safe to show (docs/tool-servers.md, Install links). */
export function entryLines(entry: JsonObject): readonly string[] {
	return indentJson(entry).split('\n').map(exactLine);
}

/** The command and each of its arguments on separate lines; empty for a URL. */
export function commandLines({url, command, args}: JsonObject): readonly string[] {
	if (typeof command !== 'string' || typeof url === 'string') {
		return [];
	}

	const words = Array.isArray(args) ? args : args === undefined || args === null ? [] : [args];
	return [command, ...words.map(word => (typeof word === 'string' ? word : JSON.stringify(word)))].map(exactLine);
}

/** Variables that change which code a program runs, or let others intercept it. */
const dangerousVariables =
	/^(?:NODE_OPTIONS|NODE_PATH|NODE_TLS_REJECT_UNAUTHORIZED|NODE_EXTRA_CA_CERTS|LD_.+|DYLD_.+|PATH|PATHEXT|COMSPEC|SHELL|HOME|IFS|ENV|BASH_ENV|PROMPT_COMMAND|PYTHON(?:PATH|STARTUP|HOME|WARNINGS|INSPECT|BREAKPOINT)|PERL5?(?:LIB|OPT|DB)|RUBY(?:LIB|OPT)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|GIT_.+|SSH_ASKPASS|EDITOR|VISUAL|PAGER|BROWSER|(?:HTTPS?|ALL|NO)_PROXY|SSL_CERT_.+|REQUESTS_CA_BUNDLE|NPM_CONFIG_.+|(?:PIP|UV)_.*INDEX.*|SLUICE_.+)$/iu;

const shells = /^(?:ba|z|da|k|fi|c|tc)?sh$|^(?:cmd|powershell|pwsh|osascript|env|sudo|doas|xargs|eval)(?:\.exe)?$/iu;
const interpreters = /^(?:node|deno|bun|python[\d.]*|perl|ruby|php|lua|awk)(?:\.exe)?$/iu;
const packageRunners = /^(?:npx|npm|pnpm|pnpx|yarn|bunx|uvx|uv|pipx|docker|podman|nerdctl)(?:\.exe|\.cmd)?$/iu;

/** Warnings about an untrusted entry, safe to show (docs/tool-servers.md, Install links). */
export function entryWarnings(entry: JsonObject): readonly string[] {
	return [
		...commandWarnings(entry),
		...variableWarnings(entry['env']),
		...addressWarnings(entry),
		...trustWarnings(entry),
		...referenceWarnings(entry),
		...characterWarnings(entry),
	];
}

function commandWarnings({url, command, args}: JsonObject): readonly string[] {
	if (typeof command !== 'string' || typeof url === 'string') {
		return [];
	}

	const program = basename(command.trim().replaceAll('\\', '/'));
	const words = Array.isArray(args) ? args.map(String) : [];
	const isInline = words.some(word => /^-{1,2}(?:e|c|p|r|eval|exec|print|require|import|command)(?:=|$)/u.test(word));
	return [
		`It runs a program on this machine, with your rights: ${shown(program)}`,
		...(shells.test(program) ? ['It starts through a shell or a launcher; the real program is in its arguments'] : []),
		...(interpreters.test(program) && isInline ? ['An argument contains program code, or loads some'] : []),
		...(packageRunners.test(program) ? ['It may download the program first, so its publisher decides what runs'] : []),
	];
}

function variableWarnings(env: JsonValue | undefined): readonly string[] {
	const names = isJsonObject(env) ? Object.keys(env).filter(name => dangerousVariables.test(name)) : [];
	return names.map(name => `The variable ${shown(name)} can change which program runs, or let others read its traffic`);
}

function addressWarnings({url, command, ssl_verify: verify}: JsonObject): readonly string[] {
	const address = typeof url === 'string' ? URL.parse(url) : null;
	const isLocal = /^(?:localhost|127\.[\d.]+|\[::1\])$/u.test(address?.hostname ?? '');
	return [
		...(address && command !== undefined ? ['It also has a `command`; only the address is used'] : []),
		...(address?.protocol === 'http:' && !isLocal ? ['The connection to the address is not encrypted'] : []),
		...(address && (address.username !== '' || address.password !== '')
			? [`The address contains credentials; the host is ${shown(address.host)}`]
			: []),
		...(verify !== undefined && toBoolean(verify) === false ? ['Its certificates would not be checked'] : []),
	];
}

function trustWarnings({trust}: JsonObject): readonly string[] {
	return trust === 'full' ? ['It asks for full trust: its tools would run without asking you'] : [];
}

/** A reference in a URL or a header sends the value of its variable to the server. */
function referenceWarnings(entry: JsonObject): readonly string[] {
	return referencesIn(entry).map(name => `It would get the value of your variable ${shown(name)}`);
}

const unseen = /[\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

function characterWarnings(entry: JsonObject): readonly string[] {
	const text = JSON.stringify(entry);
	const seen = text.replaceAll(unseen, '');
	// JSON escapes controls; any other blank but the plain space would look like one.
	const isInvisible = seen !== text || /[^\S ]|\\u00|\\[bf]/u.test(text);
	const isNotAscii = [entry['command'], entry['url']].some(part => typeof part === 'string' && /[^ -~]/u.test(part));
	return [
		...(isInvisible ? ['It contains invisible characters; they are marked'] : []),
		...(countMarked(seen) > 0 ? ['It contains characters that look like others; they are marked'] : []),
		...(isNotAscii ? ['The command or the address contains letters that may only look like others'] : []),
	];
}

function shown(text: string): string {
	return safeText(text, {maximumCharacters: 100});
}
