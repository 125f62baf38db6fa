import {defineConfig} from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
		// Ink asks `tput` for the size twice per render unless both are set.
		env: {COLUMNS: '100', LINES: '40', FORCE_COLOR: '0'},
		testTimeout: 20_000,
		hookTimeout: 20_000,
		// Two cores: stories and child processes need room beside the unit tests.
		maxWorkers: 2,
	},
});
