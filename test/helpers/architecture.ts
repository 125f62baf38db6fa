import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path';

/** A file of the tree with what it imports. Paths are relative to the tree's root, with forward slashes. */
export type SourceFile = {
	readonly path: string;
	readonly room: string;
	readonly text: string;
	readonly ours: readonly string[];
	/** Those of `ours` that are loaded on demand only. */
	readonly lazy: readonly string[];
	readonly packages: readonly string[];
};

/** Which rooms a room may import, beside itself. A file at the root of the tree is a room of its own name. */
const everyRoom = [
	'util',
	'config',
	'net',
	'state',
	'journal',
	'approvals',
	'oauth',
	'mcp',
	'tools',
	'delivery',
	'agent',
	'runs',
	'webhooks',
];
const core = [...everyRoom, 'control', 'demo', 'gateway'];
export const mayImport: Readonly<Record<string, readonly string[]>> = {
	util: [],
	config: ['util'],
	net: ['util'],
	state: ['util'],
	journal: ['util', 'state'],
	approvals: ['util', 'config', 'state', 'journal'],
	oauth: ['util', 'config', 'state', 'net'],
	mcp: ['util', 'config', 'state', 'approvals', 'oauth', 'net'],
	tools: ['util', 'config', 'state', 'journal', 'approvals', 'mcp'],
	delivery: ['util', 'config', 'state', 'net'],
	agent: ['util', 'config', 'state', 'approvals', 'tools', 'net'],
	runs: ['util', 'config', 'state', 'journal', 'tools', 'delivery', 'agent'],
	webhooks: ['util', 'config', 'state', 'journal', 'runs', 'delivery'],
	gateway: [...everyRoom, 'control', 'demo'],
	control: everyRoom,
	demo: everyRoom,
	tui: ['util', 'state'],
	commands: [...core, 'tui'],
	cli: ['commands', 'util'],
	bin: ['cli'],
};

/** Which files may import a foreign package: a room (`mcp/`) or a file. */
export const owners: Readonly<Record<string, readonly string[]>> = {
	ink: ['tui/', 'commands/dashboard.tsx'],
	react: ['tui/', 'commands/dashboard.tsx'],
	'@inkjs/ui': ['tui/'],
	'string-width': ['tui/'],
	chalk: ['tui/'],
	// Drawn in the window and by `mcp login`.
	uqr: ['util/qr-code.ts'],
	'@modelcontextprotocol/client': ['mcp/', 'oauth/'],
	'@modelcontextprotocol/server': ['tools/endpoint/', 'demo/'],
	'@modelcontextprotocol/node': ['tools/endpoint/', 'demo/'],
	'openid-client': ['oauth/'],
	ai: ['agent/'],
	'@ai-sdk/anthropic': ['agent/'],
	'@ai-sdk/openai': ['agent/'],
	'@ai-sdk/google': ['agent/'],
	'@ai-sdk/openai-compatible': ['agent/'],
	undici: ['net/'],
	'ipaddr.js': ['net/'],
	'node:sqlite': ['journal/'],
	yaml: ['config/file.ts'],
	croner: ['runs/cron-clock.ts'],
	execa: ['delivery/targets/github-comment.ts', 'oauth/open-browser.ts'],
	re2js: ['util/pattern.ts'],
	ajv: ['util/json-schema.ts'],
	// Scripts need a process group that ends as a whole and bounded output, and nothing else of a process library.
	'node:child_process': ['mcp/stdio-transport.ts', 'mcp/child-watcher.ts', 'webhooks/script-process.ts'],
	'node:worker_threads': ['tui/worker-writer.ts', 'tui/worker-writer-thread.ts'],
	'sonic-boom': ['journal/log-file.ts'],
	chokidar: ['config/watch.ts'],
	'write-file-atomic': ['config/'],
	nodemailer: ['delivery/targets/email.ts'],
	defuddle: ['agent/'],
	linkedom: ['agent/'],
	unpdf: ['agent/'],
};

/** Packages and modules that any room may use. */
const free = new Set(['zod']);

/** Words of the language that have one home. */
const wordOwners: ReadonlyArray<{readonly word: RegExp; readonly name: string; readonly homes: readonly string[]}> = [
	{
		name: 'timers',
		word: /\b(setTimeout|setInterval|setImmediate|Date\.now|AbortSignal\.timeout)\b/,
		homes: ['util/clock.ts'],
	},
	{name: 'process.env', word: /\bprocess\.env\b/, homes: ['config/environment.ts', 'bin.ts']},
	{name: 'process.exit', word: /\bprocess\.(exit|reallyExit)\b/, homes: ['bin.ts']},
	{name: 'console', word: /\bconsole\.\w/, homes: []},
];

const bannedNames = /(^|\/)(types|constants|helpers|utils|common|index)\.tsx?$/;
const barrel = 'delivery/targets/index.ts';

/** Reads every source file below `root`. */
export function readTree(root: string): SourceFile[] {
	return readdirSync(root, {recursive: true, encoding: 'utf8'})
		.map(path => path.replaceAll('\\', '/'))
		.filter(path => /\.tsx?$/.test(path))
		.sort()
		.map(path => readSource(root, path));
}

function readSource(root: string, path: string): SourceFile {
	const text = readFileSync(join(root, path), 'utf8');
	const specifiers = importedBy(text);
	const toPath = (specifier: string) => normalize(join(dirname(path), specifier)).replaceAll('\\', '/');
	return {
		path,
		room: path.includes('/') ? path.slice(0, path.indexOf('/')) : path.replace(/\.tsx?$/, ''),
		text,
		ours: specifiers.filter(specifier => specifier.startsWith('.')).map(toPath),
		lazy: lazilyImportedBy(text)
			.filter(specifier => specifier.startsWith('.'))
			.map(toPath),
		packages: specifiers.filter(specifier => !specifier.startsWith('.')).map(packageOf),
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

/** What is only loaded when it is needed: it costs nothing at the start and ties nothing together. */
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

/** Imports that the room rule forbids. */
export function roomViolations(files: readonly SourceFile[]): string[] {
	return files.flatMap(file => {
		const allowed = mayImport[file.room];
		if (!allowed) {
			return [`${file.path}: the room "${file.room}" is not on the plan`];
		}

		return file.ours
			.filter(target => !target.startsWith('..'))
			.map(target => ({
				target,
				room: target.includes('/') ? target.slice(0, target.indexOf('/')) : target.replace(/\.tsx?$/, ''),
			}))
			.filter(({room}) => room !== file.room && !allowed.includes(room))
			.map(({target}) => `${file.path} imports ${target}`);
	});
}

/** Foreign packages outside their owner's files, and packages nobody owns. */
export function ownerViolations(files: readonly SourceFile[]): string[] {
	const isHome = (path: string, home: string) => (home.endsWith('/') ? path.startsWith(home) : path === home);
	return files.flatMap(file =>
		file.packages.flatMap(name => {
			const homes = owners[name];
			if (homes) {
				return homes.some(home => isHome(file.path, home)) ? [] : [`${file.path} imports ${name}`];
			}

			return free.has(name) || name.startsWith('node:') ? [] : [`${file.path} imports ${name}, which has no owner`];
		}),
	);
}

/** Timers, environment, exit and console outside their homes. */
export function wordViolations(files: readonly SourceFile[]): string[] {
	return files.flatMap(file =>
		wordOwners
			.filter(({word, homes}) => !homes.includes(file.path) && word.test(withoutComments(file.text)))
			.map(({name}) => `${file.path} uses ${name}`),
	);
}

/** Import cycles, type imports included; each is named once, from its first file. */
export function cycles(files: readonly SourceFile[]): string[] {
	const imports = new Map(files.map(file => [file.path, file.ours]));
	const found = new Set<string>();
	const finished = new Set<string>();
	const visit = (path: string, trail: readonly string[]) => {
		const seenAt = trail.indexOf(path);
		if (seenAt !== -1) {
			const ring = trail.slice(seenAt);
			const first = ring.indexOf([...ring].sort()[0] ?? '');
			found.add([...ring.slice(first), ...ring.slice(0, first)].join(' → '));
			return;
		}

		if (!finished.has(path)) {
			for (const target of imports.get(path) ?? []) {
				visit(target, [...trail, path]);
			}

			finished.add(path);
		}
	};

	for (const file of files) {
		visit(file.path, []);
	}

	return [...found];
}

/** Names that say nothing, and barrels. */
export function nameViolations(files: readonly SourceFile[]): string[] {
	return files
		.map(file => file.path)
		.filter(path => path !== barrel && (bannedNames.test(path) || !/^[a-z0-9/-]+\.tsx?$/.test(path)));
}

function eagerOf(file: SourceFile): readonly string[] {
	return file.ours.filter(path => !file.lazy.includes(path));
}

/** Files past the hard stop, tree-wide medians past the aim, and files that import too much of ours. */
export function sizeViolations(files: readonly SourceFile[]): string[] {
	const sizes = files.map(file => file.text.split('\n').length - 1).sort((first, second) => first - second);
	const quantile = (share: number) => sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * share))] ?? 0;
	const tooLong = files
		.filter(file => file.text.split('\n').length - 1 > 300)
		.map(file => `${file.path} is longer than 300 lines`);
	const tooWide = files
		.filter(file => file.room !== 'gateway' && eagerOf(file).length > 8)
		.map(file => `${file.path} imports ${eagerOf(file).length} files of ours`);
	const tree = [
		...(quantile(0.5) > 80 ? [`the median file has ${quantile(0.5)} lines`] : []),
		...(quantile(0.95) > 220 ? [`one file in twenty has more than ${quantile(0.95)} lines`] : []),
	];
	return [...tooLong, ...tooWide, ...tree];
}

/** Files the map does not name, and files it names that are not there. */
export function mapViolations(files: readonly SourceFile[], map: string): string[] {
	const named = new Set([...map.matchAll(/`([a-z0-9/-]+\.tsx?)`/g)].map(match => match[1] ?? ''));
	const there = new Set(files.map(file => file.path));
	const lines = [...map.matchAll(/^- `([a-z0-9/-]+\.tsx?)`/gm)].map(match => match[1] ?? '');
	const repeated = lines.filter((path, index) => lines.indexOf(path) < index);
	return [
		...repeated.map(path => `the map has more than one line for ${path}`),
		...[...there].filter(path => !named.has(path)).map(path => `the map does not name ${path}`),
		...[...named].filter(path => !there.has(path)).map(path => `the map names ${path}, which does not exist`),
	];
}
