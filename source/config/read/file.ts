import {type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type YAMLError} from 'yaml';
import {Problem, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {isPlainTree} from '../values/plain-value.ts';
import {type KeyPath, type Locate} from '../values/problem-list.ts';
import {readTextFile} from '../values/text-file.ts';

/** The content of a configuration file. */
export type ConfigFile =
	| {readonly kind: 'absent'}
	/** Invalid YAML or an unreadable file: no part of it is used. */
	| {readonly kind: 'unusable'; readonly problems: readonly Problem[]}
	| {readonly kind: 'read'; readonly value: unknown; readonly locate: Locate; readonly warnings: readonly Problem[]};

/** Reads a YAML 1.2 file. Never throws for its content. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
	try {
		const text = await readTextFile(path);
		return text === undefined ? {kind: 'absent'} : parseConfigText(path, text);
	} catch (error) {
		return {kind: 'unusable', problems: [toProblem(error, 'config_unreadable')]};
	}
}

/** Parses the text of the file at `path`, which is used only in problems. */
export function parseConfigText(path: string, text: string): ConfigFile {
	try {
		const {document, locate, position} = parseYaml(text);
		const toProblems = (found: readonly YAMLError[], level: 'error' | 'warning') =>
			found.slice(0, maxSyntaxProblems).map(error => syntaxProblem(error, {path, text, position, level}));
		if (document.errors.length > 0) {
			return {kind: 'unusable', problems: toProblems(document.errors, 'error')};
		}

		const value: unknown = document.toJS();
		return isPlainTree(value)
			? {kind: 'read', value, locate, warnings: toProblems(document.warnings, 'warning')}
			: {kind: 'unusable', problems: [unusable(path, 'Values are nested too deeply, or contain themselves')]};
	} catch (error) {
		// The parser throws for deep nesting and for unresolved or excessive aliases.
		return {
			kind: 'unusable',
			problems: [unusable(path, 'An alias cannot be resolved, or values are nested too deeply', error)],
		};
	}
}

const maxSyntaxProblems = 20;

/** The document of a text, and the places of its values. */
export function parseYaml(text: string) {
	const lines = new LineCounter();
	const document = parseDocument(text, {lineCounter: lines, prettyErrors: false, merge: true});
	const position = (offset: number) => {
		const {line, col} = lines.linePos(offset);
		return {line: Math.max(line, 1), column: Math.max(col, 1)};
	};

	const locate: Locate = (path, part) => {
		const offset = offsetOf(document, path, part);
		return offset === undefined ? undefined : position(offset);
	};

	return {document, position, locate};
}

type SyntaxContext = {
	readonly path: string;
	readonly text: string;
	readonly position: (offset: number) => {readonly line: number; readonly column: number};
	readonly level: 'error' | 'warning';
};

function syntaxProblem(error: YAMLError, {path, text, position, level}: SyntaxContext): Problem {
	const [offset] = error.pos;
	const message = syntaxText(error, text.slice(offset, offset + 100));
	return new Problem('config_syntax', {message, level, place: {file: path, ...position(offset), keyPath: ''}});
}

/** The parser's messages quote the file after a colon, and in those about tags and directives; a quote could contain a secret. */
function syntaxText({code, message}: YAMLError, found: string): string {
	if (code === 'DUPLICATE_KEY') {
		return `The key "${safeText(/^[^\s:]{1,60}/u.exec(found)?.[0] ?? '')}" is in this mapping twice. Remove one of them`;
	}

	if (code === 'TAG_RESOLVE_FAILED') {
		return 'The tag is not known. Put a text that begins with ! in quotes';
	}

	const [, end] = /end with a ([\]}])$/u.exec(message) ?? [];
	return end === undefined
		? (syntaxFaults[code] ?? safeText(message.replace(/(?<=\w): [\s\S]*$/u, ''), {maximumCharacters: 200}))
		: `A ${end} is missing above, or a line inside the brackets is not indented`;
}

/** The faults that people make most, instead of the parser's words for them. */
const syntaxFaults: Partial<Record<YAMLError['code'], string>> = {
	BAD_DIRECTIVE: 'The directive is not known. Remove the line that begins with %',
	BAD_INDENT: 'The line is not indented like its neighbours',
	BAD_SCALAR_START: 'A text cannot begin with this character. Put the text in quotes',
	BLOCK_AS_IMPLICIT_KEY: 'The line has two keys. Put a value that contains `: ` in quotes',
	MULTILINE_IMPLICIT_KEY: 'A colon is missing after the key',
	TAB_AS_INDENT: 'The line is indented with a tab. Use spaces',
};

function unusable(path: string, message: string, cause?: unknown): Problem {
	return new Problem('config_syntax', {message, cause, place: {file: path, line: 1, column: 1, keyPath: ''}});
}

/** The position of the key or the value at `path`, or of its nearest existing parent. */
function offsetOf(document: Document.Parsed, path: KeyPath, part: 'key' | 'value'): number | undefined {
	let node: unknown = document.contents;
	let offset = startOf(node);
	for (const [index, key] of path.entries()) {
		const found = memberOf(isAlias(node) ? node.resolve(document) : node, key);
		if (!found) {
			break;
		}

		node = found.value;
		const isWanted = index === path.length - 1 && part === 'key';
		offset = (isWanted ? startOf(found.key) : startOf(found.value)) ?? startOf(found.key) ?? offset;
	}

	return offset;
}

function memberOf(node: unknown, key: string | number): {readonly key: unknown; readonly value: unknown} | undefined {
	if (isMap(node)) {
		return node.items.find(pair => isScalar(pair.key) && String(pair.key.value) === String(key));
	}

	const item = isSeq(node) ? node.items[Number(key)] : undefined;
	return item === undefined ? undefined : {key: item, value: item};
}

function startOf(node: unknown): number | undefined {
	return isNode(node) ? node.range?.[0] : undefined;
}
