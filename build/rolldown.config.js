import {chmodSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {defineConfig} from 'rolldown';
import {refuseEarlyPackages} from './early-packages.ts';
import {thirdPartyLicenses} from './third-party-licenses.ts';

/** Programs that are started by name need their run bit. */
const withRunBit = {
	name: 'with-run-bit',
	writeBundle: () => chmodSync('dist/bin.js', 0o755),
};

// Ink asks for its development tools only in development; Fastify asks for the others only when it logs, compiles schemas or is called without a
// socket, which no server here does.
const unusedPackages = [
	'react-devtools-core',
	'pino',
	'light-my-request',
	'@fastify/ajv-compiler',
	'@fastify/fast-json-stringify-compiler',
];
/** The first frame, the listener and the journal's thread do not wait for these. */
const latePackages = {
	'source/commands/gateway/dashboard.ts': [
		'zod',
		'marked',
		'yaml',
		'fastify',
		'undici',
		'@modelcontextprotocol/client',
	],
	// The journal's thread starts here, while the next one is loaded.
	'source/gateway/gateway.ts': [
		'marked',
		'yaml',
		'fastify',
		'undici',
		'@modelcontextprotocol/client',
		'source/journal/sqlite/operations.ts',
	],
	'source/gateway/services/webhook-service.ts': [
		'marked',
		'undici',
		'@modelcontextprotocol/client',
		'openid-client',
		'ai',
	],
	// Chats are loaded where they are configured.
	'source/gateway/services/remote-access.ts': ['undici', 'source/remote/channel-runner.ts'],
	'source/journal/sqlite/operations.ts': ['marked', 'yaml', 'fastify', 'undici'],
	// An attached window shows its first frame as soon as it has this.
	'source/control/console-client.ts': ['yaml', 'ajv', 'source/webhooks/http/server.ts'],
};
const emptyModule = fileURLToPath(new URL('empty-module.js', import.meta.url));

export default defineConfig({
	input: {
		bin: 'source/bin.ts',
		'check-process': 'source/journal/sqlite/check-process.ts',
		'child-watcher-process': 'source/mcp/transport/child-watcher-process.ts',
		'demo-stdio-server': 'source/demo/demo-stdio-server.ts',
		'page-reader-thread': 'source/agent/built-ins/page-reader-thread.ts',
		'preferences-thread': 'source/commands/gateway/preferences-thread.ts',
		'rehearsal-thread': 'source/gateway/services/rehearsal-thread.ts',
		'token-thread': 'source/gateway/services/token-thread.ts',
		'storage-worker': 'source/journal/sqlite/storage-worker.ts',
		'worker-writer-thread': 'source/tui/terminal/worker-writer-thread.ts',
	},
	platform: 'node',
	resolve: {
		alias: {
			...Object.fromEntries(unusedPackages.map(name => [name, emptyModule])),
			// Its main file is UMD, whose inner calls of require no bundler follows.
			'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
		},
	},
	preserveEntrySignatures: false,
	// A library that reads style sheets has an eval that is never called; an import that is late for one module may be early for another.
	checks: {eval: false, ineffectiveDynamicImport: false},
	// CommonJS packages name the file and folder that they are in.
	transform: {
		define: {
			'process.env.NODE_ENV': '"production"',
			__filename: 'import.meta.filename',
			__dirname: 'import.meta.dirname',
		},
		target: 'node22',
	},
	plugins: [thirdPartyLicenses, withRunBit, refuseEarlyPackages(latePackages)],
	output: {
		dir: 'dist',
		format: 'esm',
		cleanDir: true,
		// Modules of the first frame stay apart from those that are loaded after it.
		codeSplitting: {
			includeDependenciesRecursively: false,
			// A file costs each start about half a millisecond, so what is always loaded together is one chunk (docs/performance.md, Dashboard).
			groups: [
				// Modules that load an HTTP server stay out of it: every command would wait for that.
				{
					name: 'core',
					test: /source\/(util\/(?!pattern|json-schema|process-lock|http-server|markdown|qr-code)|state\/|approvals\/policy|tools\/cut-middle|control\/(connect-socket|limits|line-reader))/,
					priority: 2,
				},
				// Several libraries of tool servers need these; they must not tie one to the other.
				{
					name: 'validation',
					test: /node_modules\/(ajv|ajv-formats|fast-uri|json-schema-traverse)\//,
					priority: 2,
				},
				// The HTTP client is large: nothing that is not about requests may come with it.
				{name: 'requests', test: /source\/net\//, priority: 2},
				// Modules that every command begins with.
				{
					name: 'entry',
					test: /source\/(config\/(read\/(environment|state-paths)|values\/did-you-mean|programs\/program-names)|commands\/(cli\/(?!help-text|parse-command-line|error-document|json-arguments|read-input|tool-name|typed-arguments)|[a-z]+\/[a-z]+-commands\.))/,
					priority: 2,
				},
				// Modules that the dashboard and `gateway run` begin with.
				{
					name: 'start',
					test: /source\/(commands\/gateway\/(start|gateway-run|gateway-process|reconnecting-console|console-logins|draining)|control\/client|oauth\/flows\/open-browser|tui\/terminal\/non-blocking-stdout)\.ts$/,
					priority: 1,
				},
				// A hook runs before every call of a program: it reads no configuration, which knows its tools all the same.
				{
					name: 'hooks',
					test: /source\/(config\/hooks\/hook-(answers|call|programs|tools)|commands\/connect\/hook|control\/single-call)\.ts$/,
					priority: 2,
				},
				// A file may be read without its schemas.
				{
					name: 'yaml',
					test: /source\/config\/read\/file\.ts$|node_modules\/yaml\//,
					priority: 2,
				},
				// A reader of the configuration reads all of it.
				{
					name: 'configuration',
					test: /source\/(config\/(?!import|edit|programs|read\/watch|values\/(?!fields))|gateway\/profiles\/(profile-context|other-profiles))/,
					priority: 1,
				},
				// Reading, writing and locking of values and files.
				{
					name: 'files',
					test: /source\/(config\/values\/(?!fields)|util\/process-lock|control\/lock)|node_modules\/write-file-atomic\//,
					priority: 1,
				},
				// Modules that hand rows to the journal's thread.
				{
					name: 'journal',
					test: /source\/(journal\/(journal|request-batches|rows\/(accept-rows|columns))|gateway\/(configured-journal|failed-deliveries|reload-summary))\.ts$/,
					priority: 1,
				},
				// The receiver of webhooks, with its parts of runs and deliveries.
				{
					name: 'webhooks',
					test: /source\/(webhooks\/(?!template\/unclosed|signature\/sign-body|http\/incoming)|runs\/(?!cron|job|claim|manage)|delivery\/((?!targets|render-markdown|dialects)|targets\/(index|log))|approvals\/(rule|hold|held-work|hold-state|stored-hold|waiting-time)\.ts|gateway\/((webhook|delivery|agent)-service|route-|stored-events|call-page|trace|time-shares|page-part|profiles\/profile-scripts|access\/(hold-access|command-permission)))/,
					priority: 1,
				},
				// Parts of tools and models that webhooks need: alone, they would be put to the libraries of tool servers.
				{
					name: 'children',
					test: /source\/(mcp\/transport\/child-(watcher|environment)|tools\/(show-arguments|tool-outcome)|control\/to-wire|agent\/(models\/(models|model-choice|local-models)|agent|toolsets|run-task))\.ts$/,
					priority: 1,
				},
			],
		},
		minify: true,
		// V8 keeps the text of what it has loaded, and two bytes for each character of a text that has one of another alphabet.
		charset: 'ascii',
		entryFileNames: '[name].js',
		// Beside the entries, so that a file next to the running one is found the same way in source/ and dist/.
		chunkFileNames: '[name]-[hash].js',
	},
});
