import {availableParallelism} from 'node:os';
import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vitest/config';

// What the workers of the runner and what they start has compiled is read from the disk from the second start on.
process.env['NODE_COMPILE_CACHE'] ??= 'node_modules/.cache/node-compile-cache';

export default defineConfig({
	resolve: {
		alias: [
			{
				find: /^.*\/util\/own-program\.ts$/u,
				replacement: fileURLToPath(new URL('test/helpers/own-program.ts', import.meta.url)),
			},
		],
	},
	// React as it is shipped (`source/bin.ts`): its development build takes a third more of the processor.
	oxc: {jsx: {runtime: 'automatic', development: false}},
	test: {
		include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
		globalSetup: ['test/helpers/built-threads.ts', 'test/helpers/postgres-server.ts'],
		// Ink asks `tput` for the size twice per render unless both are set.
		env: {COLUMNS: '100', LINES: '40', FORCE_COLOR: '0', NODE_ENV: 'production'},
		// Loaded machines: what is polled for has come in a moment, or never does.
		expect: {poll: {timeout: 25_000}},
		testTimeout: 60_000,
		hookTimeout: 60_000,
		// Two cores; stories wait for programs more than they work.
		maxWorkers: 3,
		// Tests of one file that mostly wait, side by side where they say so; most of them start programs, which have to share the processors.
		maxConcurrency: Math.min(8, 2 * availableParallelism()),
		// Loading what is tested takes longer than most tests: files of one worker share it. Each cleans up behind itself.
		isolate: false,
	},
});
