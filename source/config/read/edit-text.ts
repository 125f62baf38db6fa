import {
	type Document,
	isCollection,
	isMap,
	isScalar,
	type Node,
	type Pair,
	Scalar,
	stringify,
	type YAMLMap,
} from 'yaml';
import {type KeyPath} from '../values/problem-list.ts';

/** A text of YAML and its document; the positions of the nodes are those of the text. */
export type YamlText = {readonly text: string; readonly document: Document.Parsed};

const options = {lineWidth: 0, flowCollectionPadding: false} as const;

/**
The text with this value at `path`: a scalar in place of another one, or a new member of a block mapping. Every other byte stays.
Undefined for any other change, which the library has to write.
*/
export function setInText(yaml: YamlText, path: KeyPath, value: unknown): string | undefined {
	const {text, document} = yaml;
	const present = document.getIn(path, true);
	if (isPlainScalar(present) && typeof value !== 'object') {
		const written = scalarText(value, present, isInFlow(document, path) ? 'flow' : 'block');
		const [start, end] = present.range;
		const gap = start === end && /[:-]$/u.test(text.slice(0, start)) ? ' ' : '';
		return written === undefined ? undefined : `${text.slice(0, start)}${gap}${written}${text.slice(end)}`;
	}

	const depth = path.findIndex((_, index) => !document.hasIn(path.slice(0, index + 1)));
	const mapping = depth === -1 ? undefined : blockMapping(document, path.slice(0, depth));
	const last = mapping?.items.at(-1);
	if (!mapping || !last || path.slice(depth).some(key => typeof key === 'number')) {
		return undefined;
	}

	const member = path.slice(depth).reduceRight<unknown>((inner, key) => ({[key]: inner}), value);
	const lines = stringify(member, options).trimEnd().split('\n');
	const indent = ' '.repeat(columnOf(text, startOf(mapping.items[0])));
	const end = endOfLine(text, endOf(last));
	const before = text.slice(0, end);
	const newline = before.endsWith('\n') ? '' : '\n';
	return `${before}${newline}${lines.map(line => (line === '' ? '' : indent + line)).join('\n')}\n${text.slice(end)}`;
}

/**
The text without the member of a block mapping at `path`, and without the comments right above it and behind it. Every other byte stays.
Undefined for anything else, and for the only member of its mapping.
*/
export function removeFromText({text, document}: YamlText, path: KeyPath): string | undefined {
	const mapping = blockMapping(document, path.slice(0, -1));
	const index = mapping?.items.findIndex(({key}) => isScalar(key) && String(key.value) === String(path.at(-1))) ?? -1;
	const pair = mapping?.items[index];
	if (!mapping || !pair || mapping.items.length < 2) {
		return undefined;
	}

	const column = columnOf(text, startOf(pair));
	const line = startOf(pair) - column;
	if (text.slice(line, line + column).trim() !== '') {
		return undefined;
	}

	// A comment above the first member may be about all of them.
	const start = index === 0 ? line : line - commentsAbove(text.slice(0, line), column).length;
	return text.slice(0, start) + text.slice(endOfLine(text, endOf(pair)));
}

/** The comment lines at the end of a text that have this indentation. */
function commentsAbove(text: string, column: number): string {
	const [comments = ''] = new RegExp(`(?:^ {${column}}#.*\n)*$(?![^])`, 'mu').exec(text) ?? [];
	return comments;
}

function isPlainScalar(node: unknown): node is Scalar.Parsed {
	return (
		isScalar(node) &&
		node.anchor === undefined &&
		node.tag === undefined &&
		node.type !== 'BLOCK_LITERAL' &&
		node.type !== 'BLOCK_FOLDED'
	);
}

/** A scalar in one line, in the quotes of the present one; undefined for one that takes several. */
function scalarText(value: unknown, {type}: Scalar.Parsed, collectionStyle: 'block' | 'flow'): string | undefined {
	const scalar = new Scalar(value);
	if (typeof value === 'string' && type !== undefined) {
		scalar.type = type;
	}

	// `- x` or `[x]`
	const written = stringify([scalar], {...options, collectionStyle}).trimEnd();
	return written.includes('\n') ? undefined : collectionStyle === 'flow' ? written.slice(1, -1) : written.slice(2);
}

/** True for a value below brackets or braces. */
function isInFlow(document: Document.Parsed, path: KeyPath): boolean {
	return path.some((_, depth) => {
		const above = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
		return isCollection(above) && above.flow === true;
	});
}

function blockMapping(document: Document.Parsed, path: KeyPath): YAMLMap.Parsed | undefined {
	const node = path.length === 0 ? document.contents : document.getIn(path, true);
	return isMap(node) && !node.flow && node.range ? (node as YAMLMap.Parsed) : undefined;
}

function startOf(pair: Pair<Node, Node | null> | undefined): number {
	return pair?.key.range?.[0] ?? 0;
}

/** The end of the last scalar of a member. */
function endOf({key, value}: Pair<Node, Node | null>): number {
	const last = isMap(value) && !value.flow ? (value as YAMLMap.Parsed).items.at(-1) : undefined;
	return last ? endOf(last) : (value?.range?.[1] ?? key.range?.[1] ?? 0);
}

function endOfLine(text: string, offset: number): number {
	if (text[offset - 1] === '\n') {
		return offset;
	}

	const end = text.indexOf('\n', offset);
	return end === -1 ? text.length : end + 1;
}

function columnOf(text: string, offset: number): number {
	return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}
