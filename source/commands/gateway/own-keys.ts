import {closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {scopeTitles} from '../../tui/pages/help-lines.ts';
import {allViews, type ViewName} from '../../tui/lists/view-table.ts';
import {type OwnKey, placeholderOf, placeholders} from '../../tui/state/local-programs.ts';
import {keymap} from '../../tui/state/keymap.ts';
import {type Scope} from '../../tui/state/key-scope.ts';
import {isJsonObject, type JsonObject, ownMember, parseJson} from '../../util/json-text.ts';
import {errorText, systemErrorCode} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

/** The own keys of a person, and a line for each that is ignored. */
export type OwnKeys = {readonly keys: readonly OwnKey[]; readonly faults: readonly string[]};

const maxBytes = 1_048_576;
const maxKeys = 100;
const maxWords = 64;
const maxWordCharacters = 4096;
const maxTitleCharacters = 60;

/**
Reads `keys` of `preferences.json` (docs/editor-and-own-keys.md, Own keys). They run programs: none is taken from a link, or from a file that others may write.
*/
export function readOwnKeys(path: string): OwnKeys {
	try {
		const file = readOwnFile(path);
		const stored = parseJson(file.text);
		const written = isJsonObject(stored) ? ownMember(stored, 'keys') : undefined;
		if (written === undefined) {
			return none;
		}

		if (file.writers === 'others') {
			return ignored('preferences.json or its folder may be written by others; its keys are ignored');
		}

		return Array.isArray(written) ? parseKeys(written) : ignored('keys in preferences.json is not a list');
	} catch (error) {
		const code = systemErrorCode(error);
		return code === 'ENOENT'
			? none
			: code === 'ELOOP'
				? ignored('preferences.json is a symbolic link; its keys are ignored')
				: ignored(`the keys in preferences.json cannot be read: ${errorText(error)}`);
	}
}

const none: OwnKeys = {keys: [], faults: []};

function ignored(fault: string): OwnKeys {
	return {keys: [], faults: [fault]};
}

/** One descriptor for all: another file could take its place in between. Throws the error of the system. */
function readOwnFile(path: string): {readonly text: string; readonly writers: 'own' | 'others'} {
	const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	try {
		const stats = fstatSync(descriptor);
		if (!stats.isFile() || stats.size > maxBytes) {
			throw new Error(`it is no file of at most ${maxBytes.toLocaleString('en-US')} bytes`);
		}

		const isOwn = isOwnOnly(stats) && isOwnOnly(statSync(dirname(path)));
		return {text: readFileSync(descriptor, 'utf8'), writers: isOwn ? 'own' : 'others'};
	} finally {
		closeSync(descriptor);
	}
}

const writableByOthers = 0o022;

/** True if nobody but this user, and root, may write it. */
function isOwnOnly({uid, mode}: Stats): boolean {
	const user = process.getuid?.();
	return user === undefined || ((uid === user || uid === 0) && (mode & writableByOthers) === 0);
}

function parseKeys(written: readonly unknown[]): OwnKeys {
	const parsed = written.slice(0, maxKeys).map((entry, index) => {
		const key = parseKey(entry);
		return typeof key === 'string' ? {fault: `keys[${index}] in preferences.json is ignored: ${key}`} : {key};
	});
	const keys: OwnKey[] = [];
	const faults = parsed.flatMap(({fault}) => fault ?? []);
	for (const key of parsed.flatMap(entry => entry.key ?? [])) {
		if (keys.some(other => other.key === key.key && isSameView(other, key))) {
			faults.push(`the key ${key.key} is in preferences.json twice; the first is used`);
		} else {
			keys.push(key);
		}
	}

	return {
		keys,
		faults:
			written.length > maxKeys ? [...faults, `only the first ${maxKeys} keys in preferences.json are used`] : faults,
	};
}

function isSameView(one: OwnKey, other: OwnKey): boolean {
	return one.view === undefined || other.view === undefined || one.view === other.view;
}

/** An entry, or why it is ignored. */
function parseKey(entry: unknown): OwnKey | string {
	if (!isJsonObject(entry)) {
		return 'it is not an object with key, title and command';
	}

	const view = parseView(entry);
	const key = ownMember(entry, 'key');
	const title = ownMember(entry, 'title');
	const command = parseCommand(ownMember(entry, 'command'));
	if (view.kind === 'unknown') {
		return `view is none of ${allViews.join(', ')}`;
	}

	if (typeof key !== 'string' || !keyPattern.test(key)) {
		return 'key is not one printable character';
	}

	if (typeof title !== 'string' || title.trim() === '' || title.length > maxTitleCharacters) {
		return `title is not a text of 1 to ${maxTitleCharacters} characters`;
	}

	if (typeof command === 'string') {
		return command;
	}

	const taken = bindingOf(key, view.view);
	return taken ?? {key, title: safeText(title.trim()), command, ...(view.view && {view: view.view})};
}

/** One character that a terminal sends as it is. */
const keyPattern = /^[^\p{C}\p{Z}\p{M}]$/u;

type View = {readonly kind: 'known'; readonly view?: ViewName} | {readonly kind: 'unknown'};

function parseView(entry: JsonObject): View {
	const written = ownMember(entry, 'view');
	const view = allViews.find(name => name === written);
	return view ? {kind: 'known', view} : {kind: written === undefined ? 'known' : 'unknown'};
}

function parseCommand(written: unknown): OwnKey['command'] | string {
	const words = Array.isArray(written) ? written.filter(word => typeof word === 'string') : [];
	const [program, ...args] = words;
	if (program === undefined || !Array.isArray(written) || words.length !== written.length) {
		return 'command is not a list of texts';
	}

	if (words.length > maxWords || words.some(word => word.length > maxWordCharacters || word.includes('\0'))) {
		return `command has more than ${maxWords} words, or a word that no program can be given`;
	}

	if (program === '' || placeholderOf(program) !== undefined || (program.includes('/') && !program.startsWith('/'))) {
		return 'the program of command is neither a name nor an absolute path';
	}

	const part = words.find(word =>
		placeholders.some(name => word.includes(`{${name}}`) && placeholderOf(word) !== name),
	);
	return part === undefined ? [program, ...args] : `"${safeText(part)}" is not a word of its own in braces`;
}

/** Scopes of keys in lists and pages, besides those of the view. */
const commonScopes: readonly Scope[] = [
	'global',
	'list',
	'entry',
	'detail',
	'reading',
	'search',
	'found',
	'trace',
	'traced-event',
	'everywhere',
];

/** Scopes of rows that a view can have, besides its own name. */
const rowScopes: Readonly<Partial<Record<ViewName, readonly Scope[]>>> = {
	overview: ['servers', 'routes', 'first-run'],
	you: ['you-list', 'inbox', 'servers', 'parts'],
};

/** The reason that a key is taken in a view, or in any of them. */
function bindingOf(key: string, view: ViewName | undefined): string | undefined {
	const views = view === undefined ? allViews : [view];
	const scopes = new Set<Scope>([...commonScopes, ...views.flatMap(name => [name, ...(rowScopes[name] ?? [])])]);
	const taken = keymap.find(binding => binding.keys.includes(key) && scopes.has(binding.scope));
	return taken && `the key ${key} is taken ${scopeTitles[taken.scope]}: ${taken.words}`;
}
