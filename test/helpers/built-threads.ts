import {rmSync} from 'node:fs';
import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {rolldown} from 'rolldown';

/**
Builds the threads and processes that tests start by the hundred, once for a whole run: to strip the types of thirty files at each start takes
longer than most tests. What is not built here is started from its source.
*/
export async function setup(): Promise<() => void> {
	const folder = await mkdtemp(join(tmpdir(), 'sluice-test-threads-'));
	const bundle = await rolldown({
		input: {
			'check-process': 'source/journal/sqlite/check-process.ts',
			'child-watcher-process': 'source/mcp/transport/child-watcher-process.ts',
			'failing-storage-worker': 'test/fixtures/failing-storage-worker.ts',
			'page-reader-thread': 'source/agent/built-ins/page-reader-thread.ts',
			'preferences-thread': 'source/commands/gateway/preferences-thread.ts',
			'rehearsal-thread': 'source/gateway/services/rehearsal-thread.ts',
			'token-thread': 'source/gateway/services/token-thread.ts',
			'storage-worker': 'source/journal/sqlite/storage-worker.ts',
			'worker-writer-thread': 'source/tui/terminal/worker-writer-thread.ts',
		},
		platform: 'node',
		// A tool of developers that Ink asks for and no thread needs.
		external: ['react-devtools-core'],
		logLevel: 'warn',
	});
	// Without a source map, which is four times as long as what it maps, and read by each thread.
	await bundle.write({dir: folder, format: 'esm', chunkFileNames: '[name]-[hash].js'});
	await bundle.close();
	process.env['SLUICE_TEST_THREADS'] = folder;
	return () => rmSync(folder, {recursive: true, force: true});
}
