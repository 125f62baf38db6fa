import {isDeepStrictEqual} from 'node:util';
import {type Document, isMap, isScalar, isSeq} from 'yaml';
import {Problem} from '../../util/problem.ts';
import {type KeyPath, keyPathText} from '../values/problem-list.ts';
import {readTextFile, writePrivateFile} from '../values/text-file.ts';
import {removeFromText, setInText, type YamlText} from './edit-text.ts';
import {parseConfigText, parseYaml} from './file.ts';

/**
A configuration file opened for changes by the program. Comments, order and anchors are preserved, and every other byte where one value of
a mapping changes; a change that the library has to write loses additional blanks.
*/
export type EditableFile = {
	readonly value: () => unknown;
	readonly has: (path: KeyPath) => boolean;
	/** Sets a value and creates missing mappings above it. */
	readonly set: (path: KeyPath, value: unknown) => void;
	/** Removes the value at a path, with its comments. */
	readonly remove: (path: KeyPath) => void;
	/** The text to save; without changes, the text that was read. */
	readonly text: () => string;
	/** To be called within `withConfigLock`. Rejects with `config_changed` when the file was changed since it was opened. */
	readonly save: () => Promise<void>;
};

/** Opens a file for changes; a missing one is empty. Throws a Problem when it is unreadable or invalid, so that it is never overwritten. */
export async function readForEdit(path: string): Promise<EditableFile> {
	const text = (await readTextFile(path)) ?? '';
	const parsed = parseConfigText(path, text);
	const broken = parsed.kind === 'unusable' ? parsed.problems[0] : undefined;
	if (broken) {
		throw broken;
	}

	let current = opened(text);
	const change = (edited: string | undefined, act: (document: Document.Parsed) => void) => {
		const {document} = current;
		act(document);
		current = edited !== undefined && holds(edited, document) ? opened(edited) : opened(document.toString(writing));
	};

	return {
		value: () => current.document.toJS(),
		has: keys => current.document.hasIn(keys),
		set: (keys, value) => change(setInText(current, keys, value), document => setIn(document, keys, value)),
		remove: keys => change(removeFromText(current, keys), document => void document.deleteIn(keys)),
		text: () => current.text,
		async save() {
			await assertUnchanged(path, text);
			await writePrivateFile(path, current.text);
		},
	};
}

const writing = {lineWidth: 0, flowCollectionPadding: false} as const;

function opened(text: string): YamlText {
	return {text, document: parseYaml(text).document};
}

/** True if the text holds what the document holds. */
function holds(text: string, document: Document.Parsed): boolean {
	const read = parseConfigText('', text);
	return read.kind === 'read' && isDeepStrictEqual(read.value, document.toJS());
}

/** Rejects with `config_changed` when the file has another text; an absent one is empty. */
export async function assertUnchanged(path: string, text: string): Promise<void> {
	if (((await readTextFile(path)) ?? '') !== text) {
		throw new Problem('config_changed', {message: `${path} has changed since it was read; nothing was written`});
	}
}

function setIn(document: Document, path: KeyPath, value: unknown): void {
	for (const [index, key] of path.entries()) {
		asMapping(document, path.slice(0, index), key);
	}

	// Replacing a scalar by a scalar preserves the comment beside it.
	document.setIn(path, typeof value === 'object' ? document.createNode(value) : value);
}

/** Ensures a block mapping at `path`; the present value must be a mapping or missing, or a list that has an item `key` or ends before it. */
function asMapping(document: Document, path: KeyPath, key: string | number): void {
	const node = document.getIn(path, true);
	if (isSeq(node) && typeof key === 'number' && key <= node.items.length) {
		return;
	}

	if (isMap(node)) {
		// An empty mapping is written `{}`; members added to it would stay on that line.
		node.flow = node.flow && node.items.length > 0;
		return;
	}

	if (node !== undefined && node !== null && !(isScalar(node) && node.value === null)) {
		throw new Problem('config_invalid', {
			message: `${keyPathText(path)} is not a mapping, so nothing can be added to it`,
		});
	}

	const mapping = document.createNode({});
	if (path.length === 0) {
		document.contents = mapping;
	} else {
		document.setIn(path, mapping);
	}
}
