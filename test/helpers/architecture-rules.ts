const library = [
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
const core = [...library, 'control', 'demo', 'gateway'];

/** The modules that a module may import, beside itself (docs/architecture.md, Modules). */
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
	gateway: [...library, 'control', 'demo'],
	control: library,
	demo: library,
	tui: ['util', 'state'],
	commands: [...core, 'tui'],
	cli: ['commands', 'util'],
	bin: ['cli'],
};

/** The folders of a module in import order: a folder imports only those before it. `.` are the files of the module itself. */
export const folderOrder: Readonly<Record<string, readonly string[]>> = {
	journal: ['rows', 'operations', 'tables', 'sqlite', 'postgres', '.'],
	gateway: ['profiles', 'journal', 'documents', 'stores', 'pages', 'metrics', 'services', 'api', '.'],
	oauth: ['protocol', 'discovery', 'flows', 'tokens', '.'],
	tui: ['text', 'terminal', 'lists', 'state', 'components', 'approval', 'pages', 'input', 'views', '.'],
	webhooks: ['http', 'payload', 'signature', 'filters', 'template', 'script', 'coalesce', 'routes', 'pipeline', '.'],
};

/** The files that may import a foreign package: those of a folder (`mcp/`) or one file. */
export const owners: Readonly<Record<string, readonly string[]>> = {
	ink: ['tui/'],
	react: ['tui/'],
	'@inkjs/ui': ['tui/'],
	'string-width': ['tui/', 'commands/cli/listing.ts'],
	chalk: ['tui/'],
	// Drawn by the dashboard and by `mcp login`.
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
	fastify: ['util/http-server.ts', 'oauth/flows/callback-server.ts', 'tools/endpoint/', 'webhooks/http/'],
	undici: ['net/'],
	'ipaddr.js': ['net/', 'approvals/text-spellings.ts'],
	entities: ['tools/untrusted-texts.ts'],
	'node:sqlite': ['journal/sqlite/', 'util/process-lock.ts'],
	pg: ['journal/postgres/connection.ts'],
	'p-queue': ['mcp/calls/call-queue.ts'],
	yaml: [
		'config/read/file.ts',
		'config/read/editable-file.ts',
		'config/read/edit-text.ts',
		'config/edit/written-value.ts',
	],
	'smol-toml': ['config/import/toml.ts'],
	'jsonc-parser': ['config/programs/json-settings.ts'],
	diff: ['util/values/line-difference.ts'],
	'strip-json-comments': ['config/import/client-configs.ts'],
	'gpt-tokenizer': ['gateway/services/token-thread.ts'],
	croner: ['runs/cron-schedule.ts'],
	execa: ['commands/cli/run-tool.ts', 'delivery/targets/github-comment.ts', 'oauth/flows/open-browser.ts'],
	meow: ['commands/cli/parse-command-line.ts'],
	re2js: ['util/pattern.ts'],
	ajv: ['util/json-schema.ts'],
	// Scripts need a process group that ends as a whole and bounded output, and nothing else of a process library; a check of a file, less.
	'node:child_process': [
		'mcp/transport/stdio-transport.ts',
		'mcp/transport/child-watcher.ts',
		'journal/sqlite/check-file.ts',
		'webhooks/script/script-process.ts',
		'commands/config/editor.ts',
	],
	'node:worker_threads': [
		'journal/sqlite/storage-thread.ts',
		'journal/sqlite/storage-worker.ts',
		'tui/terminal/terminal-output.ts',
		'tui/terminal/worker-writer-thread.ts',
		'agent/built-ins/',
		'gateway/services/rehearsals.ts',
		'gateway/services/rehearsal-thread.ts',
		'gateway/services/token-thread.ts',
		'gateway/services/tool-tokens.ts',
		'commands/gateway/preferences.ts',
		'commands/gateway/preferences-thread.ts',
	],
	conf: ['commands/gateway/preferences-thread.ts'],
	chokidar: ['config/read/watch.ts'],
	'write-file-atomic': ['config/'],
	marked: ['util/markdown-tokens.ts'],
	nodemailer: ['delivery/targets/email.ts'],
	defuddle: ['agent/'],
	linkedom: ['agent/'],
	unpdf: ['agent/'],
};

/** Packages that any module may use. */
export const freePackages = new Set(['zod']);

/** Words of the language that one file owns. */
export const wordOwners: ReadonlyArray<{
	readonly word: RegExp;
	readonly name: string;
	readonly files: readonly string[];
}> = [
	{
		name: 'timers',
		word: /\b(setTimeout|setInterval|setImmediate|Date\.now|AbortSignal\.timeout)\b/,
		files: ['util/clock.ts'],
	},
	{name: 'process.env', word: /\bprocess\.env\b/, files: ['config/read/environment.ts', 'bin.ts']},
	{name: 'process.exit', word: /\bprocess\.(exit|reallyExit)\b/, files: ['bin.ts']},
	{name: 'console', word: /\bconsole\.(?:debug|dir|error|info|log|table|trace|warn)\b/, files: []},
	// Such an import reads every member of the module, and one of them loads an HTTP client: `getBuiltinModule` does not.
	{
		name: 'a value of node:http by import',
		word: /^import (?!type )(?!\{type \w+(, type \w+)*\} )[^;]*'node:https?'|\bimport\('node:https?'\)/m,
		files: [],
	},
	// Only `import type` leaves it to the first server to load fastify.
	{name: 'fastify at once', word: /^import (?!type )[^;]*'fastify'/m, files: []},
];

/** Private words that were once here, and must not come back in names of files or exports. `except` are paths where the word is the field's. */
export const retiredWords: ReadonlyArray<{readonly word: string; readonly except?: RegExp}> = [
	...[
		'hall',
		'wing',
		'ground',
		'foundation',
		'office',
		'doings',
		'desk',
		'gate',
		'door',
		'admit',
		'arrival',
		'walk',
		'walked',
		'visit',
		'reception',
		'ladder',
		'rung',
		'kept',
		'keeper',
		'book',
		'board',
		'seat',
		'workbench',
		'bench',
		'order',
		'orders',
		'stroke',
		'wish',
		'wishes',
		'said',
		'tell',
		'told',
		'standing',
		'standings',
		'lane',
		'upkeep',
		'proven',
		'rescue',
		'offer',
		'remark',
		'answerers',
		'parties',
		'judge',
		'pace',
		'passage',
		'looks',
		'looking',
		'late',
		'examine',
		'unseen',
		'foreign',
		'caution',
		'cautions',
		'broom',
		'heir',
		'room',
		'house',
		'tray',
		'anew',
	].map(word => ({word})),
	{word: 'window', except: /^(webhooks\/coalesce|journal|config\/webhooks)\//},
	{word: 'card', except: /^tui\//},
];

export const bannedFileNames = /(^|\/)(types|constants|helpers|utils|common|index)\.tsx?$/;
export const barrel = 'delivery/targets/index.ts';
