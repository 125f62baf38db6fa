import {type NewServer} from '../../state/person-answers.ts';

/** A server to add, or what is wrong with what was typed. */
export type TypedServer =
	| {readonly kind: 'server'; readonly server: NewServer}
	| {readonly kind: 'problem'; readonly text: string};

/** The problem of a name for a new server; undefined if it can be used. */
export function nameProblem(name: string, taken: readonly string[]): string | undefined {
	if (!/^[\w.-]+$/u.test(name)) {
		return 'a name may only have letters, digits, dots, dashes and underscores';
	}

	return taken.includes(name) ? `there is already a server named ${name}` : undefined;
}

/** Reads a command line or an address. Quotes and backslashes work as in a shell; nothing else of a shell does. */
export function parseNewServer(name: string, typed: string): TypedServer {
	const text = typed.trim();
	if (/^https?:\/\//iu.test(text)) {
		return URL.canParse(text)
			? {kind: 'server', server: {kind: 'http', name, url: text}}
			: {kind: 'problem', text: 'this URL is not valid'};
	}

	if (/^[a-z][a-z\d+.-]*:\/\//iu.test(text)) {
		return {kind: 'problem', text: 'the URL of a server begins with http:// or https://'};
	}

	const words = commandWords(text);
	const [command, ...args] = words ?? [];
	if (command === undefined) {
		return {kind: 'problem', text: words ? 'type a command line or an http(s) URL' : 'a closing quote is missing'};
	}

	return {kind: 'server', server: {kind: 'stdio', name, command, args}};
}

/** The words of a command line; undefined when a quote stays open. */
function commandWords(text: string): string[] | undefined {
	const words: string[] = [];
	const word = /\s*((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+)/uy;
	const end = text.trimEnd().length;
	while (word.lastIndex < end) {
		const found = word.exec(text)?.[1];
		if (found === undefined) {
			return undefined;
		}

		words.push(unquoted(found));
	}

	return words;
}

function unquoted(word: string): string {
	return Array.from(
		word.matchAll(/"(?<double>(?:\\.|[^"\\])*)"|'(?<single>[^']*)'|\\(?<escaped>.)|(?<bare>[^"'\\]+)/gu),
		part => {
			const {double, single, escaped, bare} = part.groups ?? {};
			return double?.replaceAll(/\\(["\\])/gu, '$1') ?? single ?? escaped ?? bare ?? '';
		},
	).join('');
}
