import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path';
import {
	bannedFileNames,
	barrel,
	folderOrder,
	freePackages,
	mayImport,
	owners,
	retiredWords,
	wordOwners,
} from './architecture-rules.ts';

/** A file of the tree with what it imports. Paths are relative to the tree's root, with forward slashes. */
export type SourceFile = {
	readonly path: string;
	/** The first folder of the path; the name of the file itself at the root. */
	readonly module: string;
	/** The folder inside the module; `.` for files that lie in the module itself. */
	readonly folder: string;
	readonly text: string;
	readonly imports: readonly string[];
	/** The part of `imports` that is loaded on demand only. */
	readonly lazyImports: readonly string[];
	readonly packages: readonly string[];
};

/** Reads every source file below `root`. */
export function readTree(root: string): SourceFile[] {
	return readdirSync(root, {recursive: true, encoding: 'utf8'})
		.map(path => path.replaceAll('\\', '/'))
		.filter(path => /\.tsx?$/.test(path))
		.sort()
		.map(path => toSourceFile(path, readFileSync(join(root, path), 'utf8')));
}

/** A file as the checks see it, from its path and its text. */
export function toSourceFile(path: string, text: string): SourceFile {
	const specifiers = importedBy(text);
	const toPath = (specifier: string) => normalize(join(dirname(path), specifier)).replaceAll('\\', '/');
	const isOurs = (specifier: string) => specifier.startsWith('.');
	const parts = path.split('/');
	return {
		path,
		module: parts.length > 1 ? (parts[0] ?? '') : path.replace(/\.tsx?$/, ''),
		folder: parts.length > 2 ? parts.slice(1, -1).join('/') : '.',
		text,
		imports: specifiers.filter(isOurs).map(toPath),
		lazyImports: lazilyImportedBy(text).filter(isOurs).map(toPath),
		packages: specifiers.filter(specifier => !isOurs(specifier)).map(packageOf),
	};
}

/** Static and dynamic imports and re-exports, type imports included. Comments do not count. */
function importedBy(text: string): string[] {
	const code = withoutComments(text);
	const found = code.matchAll(
		/(?:^(?:import|export)\s[^'"`;]*?\bfrom\s*|^import\s*|\bimport\(\s*|\bnew URL\(\s*)['"]([^'"]+)['"]/gm,
	);
	return [...found].map(match => match[1] ?? '');
}

/** The imports that are only loaded when they are needed. */
function lazilyImportedBy(text: string): string[] {
	const code = withoutComments(text);
	const eager = new Set([...code.matchAll(/^(?:import|export)\s[^'"`;(]*['"]([^'"]+)['"]/gm)].map(match => match[1]));
	return importedBy(text).filter(specifier => !eager.has(specifier));
}

function withoutComments(text: string): string {
	return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

function packageOf(specifier: string): string {
	const parts = specifier.split('/');
	return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

/** All files that run where these do: what they import, and what that imports, but for types. */
export function loadedBy(files: readonly SourceFile[], starts: readonly string[]): ReadonlySet<string> {
	const imports = new Map(files.map(({path, text}) => [path, toSourceFile(path, withoutTypeImports(text)).imports]));
	const loaded = new Set(starts);
	for (const path of loaded) {
		imports.get(path)?.forEach(target => loaded.add(target));
	}

	return loaded;
}

function withoutTypeImports(text: string): string {
	return text.replaceAll(/^(?:import|export) (?:type [^;]*|\{(?:\s*type \w+(?: as \w+)?,?)+\s*\} from [^;]*);/gm, '');
}

function moduleOf(path: string): string {
	return path.includes('/') ? path.slice(0, path.indexOf('/')) : path.replace(/\.tsx?$/, '');
}

/** Imports between modules that the table forbids. */
export function moduleViolations(files: readonly SourceFile[]): string[] {
	return files.flatMap(file => {
		const allowed = mayImport[file.module];
		if (!allowed) {
			return [`${file.path}: the module "${file.module}" is not in the table`];
		}

		return file.imports
			.filter(target => !target.startsWith('..'))
			.filter(target => moduleOf(target) !== file.module && !allowed.includes(moduleOf(target)))
			.map(target => `${file.path} imports ${target}`);
	});
}

/** Imports inside a module that go against the order of its folders. */
export function folderViolations(files: readonly SourceFile[]): string[] {
	const folders = new Map(files.map(({path, folder}) => [path, folder]));
	return files.flatMap(file => {
		const order = folderOrder[file.module];
		if (!order) {
			return [];
		}

		const rank = order.indexOf(file.folder);
		if (rank === -1) {
			return [`${file.path}: the folder "${file.folder}" is not in the order of ${file.module}/`];
		}

		return file.imports
			.filter(target => moduleOf(target) === file.module && order.indexOf(folders.get(target) ?? '.') > rank)
			.map(target => `${file.path} imports ${target}`);
	});
}

/** Foreign packages outside their owner's files, and packages nobody owns. */
export function ownerViolations(files: readonly SourceFile[]): string[] {
	const isOwner = (path: string, owner: string) => (owner.endsWith('/') ? path.startsWith(owner) : path === owner);
	return files.flatMap(file =>
		file.packages.flatMap(name => {
			const known = owners[name];
			if (known) {
				return known.some(owner => isOwner(file.path, owner)) ? [] : [`${file.path} imports ${name}`];
			}

			return freePackages.has(name) || name.startsWith('node:')
				? []
				: [`${file.path} imports ${name}, which has no owner`];
		}),
	);
}

/** Owners that are not there: a file that was moved would leave its package to nobody. */
export function missingOwners(files: readonly SourceFile[]): string[] {
	return [...Object.values(owners), ...wordOwners.map(owner => owner.files)]
		.flat()
		.filter(owner => !files.some(({path}) => (owner.endsWith('/') ? path.startsWith(owner) : path === owner)));
}

/** Packages that the source imports without being named as what is in the product, and those that are named for nothing. */
export function dependencyViolations(files: readonly SourceFile[], dependencies: readonly string[]): string[] {
	const imported = new Set(files.flatMap(file => file.packages).filter(name => !name.startsWith('node:')));
	return [
		...[...imported].filter(name => !dependencies.includes(name)).map(name => `${name} is missing in dependencies`),
		...dependencies.filter(name => !imported.has(name)).map(name => `nothing in source/ imports ${name}`),
	];
}

/** Timers, environment, exit and console outside the files that own them. */
export function wordViolations(files: readonly SourceFile[]): string[] {
	return files.flatMap(file =>
		wordOwners
			.filter(owner => !owner.files.includes(file.path) && owner.word.test(withoutComments(file.text)))
			.map(({name}) => `${file.path} uses ${name}`),
	);
}

/** Import cycles, type imports included; each is named once, from its first file. */
export function cycles(files: readonly SourceFile[]): string[] {
	const imports = new Map(files.map(file => [file.path, file.imports]));
	const found = new Set<string>();
	const finished = new Set<string>();
	const follow = (path: string, trail: readonly string[]) => {
		const seenAt = trail.indexOf(path);
		if (seenAt !== -1) {
			const ring = trail.slice(seenAt);
			const first = ring.indexOf([...ring].sort()[0] ?? '');
			found.add([...ring.slice(first), ...ring.slice(0, first)].join(' → '));
			return;
		}

		if (!finished.has(path)) {
			for (const target of imports.get(path) ?? []) {
				follow(target, [...trail, path]);
			}

			finished.add(path);
		}
	};

	for (const file of files) {
		follow(file.path, []);
	}

	return [...found];
}

/** File names that say nothing, barrels, and retired words in the names of files and exports. */
export function nameViolations(files: readonly SourceFile[]): string[] {
	return files.flatMap(file => {
		const {path} = file;
		const says = path === barrel || (!bannedFileNames.test(path) && /^[a-z0-9/-]+\.tsx?$/.test(path));
		const isRetired = (name: string) =>
			retiredWords.some(({word, except}) => !except?.test(path) && wordsOf(name).includes(word));
		return [
			...(says ? [] : [`${path}: the name says nothing`]),
			...(isRetired(path.replace(/\.tsx?$/, '')) ? [`${path} has a retired word in its name`] : []),
			...exportsOf(file)
				.filter(isRetired)
				.map(name => `${path} exports ${name}, which has a retired word in it`),
		];
	});
}

/** The words of a name in any case style, in lower case. */
function wordsOf(name: string): string[] {
	return [...name.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g)].map(([word]) => word.toLowerCase());
}

function exportsOf({text}: SourceFile): string[] {
	return [...text.matchAll(/^export (?:async )?(?:function\*?|const|type|class) (\w+)/gm)].map(match => match[1] ?? '');
}

/** The receiver of an opened object closes it: a session by its connection, a journal by the command that asks for it, a browser by the person. */
const openedForOthers = new Set(['openSession', 'openBrowser', 'openConfiguredJournal']);

/** `open…` returns something that must be closed: a function of that name whose file knows no way to close anything is called wrongly. */
export function openViolations(files: readonly SourceFile[]): string[] {
	const closing = /\b(close|stop|end|release|dispose|leave|cancel|unmount)\w*\b|Symbol\.(async)?[dD]ispose/;
	return files.flatMap(file =>
		exportsOf(file)
			.filter(
				name => /^open[A-Z]/.test(name) && !openedForOthers.has(name) && !closing.test(withoutComments(file.text)),
			)
			.map(name => `${file.path} exports ${name}, which opens nothing that can be closed`),
	);
}

/** Files past the hard stop, and folders with too many files. */
export function sizeViolations(files: readonly SourceFile[]): string[] {
	const folders = Map.groupBy(files, ({path}) => dirname(path));
	return [
		...files.filter(file => linesOf(file) > 300).map(({path}) => `${path} is longer than 300 lines`),
		...[...folders]
			.filter(([, inside]) => inside.length > 40)
			.map(([folder, inside]) => `${folder} holds ${inside.length} files`),
	];
}

/** State machines, schemas, delivery targets, presets, and the entries of threads and processes are files of their own, however short. */
const ownFile = /-state\.ts$|schema\.ts$|^delivery\/targets\/|^config\/webhooks\/presets\/|-(thread|process)\.ts$/;

/** Files of under 30 lines that one file of their module imports, and no other: they belong into it, unless it loads them only when it needs them. */
export function smallFileViolations(files: readonly SourceFile[]): string[] {
	return files
		.filter(file => linesOf(file) < 30 && !ownFile.test(file.path))
		.flatMap(file => {
			const [importer, another] = files.filter(({imports}) => imports.includes(file.path));
			const belongs =
				importer && !another && importer.module === file.module && !importer.lazyImports.includes(file.path);
			return belongs ? [`${file.path} (${linesOf(file)} lines) is imported by ${importer.path} alone`] : [];
		});
}

function linesOf({text}: SourceFile): number {
	return text.split('\n').length - 1;
}
