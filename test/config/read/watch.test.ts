import {once} from 'node:events';
import fs, {renameSync, rmSync, writeFileSync} from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
import {dirname, join} from 'node:path';
import {watch} from 'chokidar';
import {aroundEach, describe, expect, test, vi} from 'vitest';
import {withConfigLock} from '../../../source/config/values/file-lock.ts';
import {fileStamp, writePrivateFile} from '../../../source/config/values/text-file.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {watchFile} from '../../../source/config/read/watch.ts';
import {openJournal} from '../../../source/journal/open-journal.ts';
import {sampleEvent} from '../../helpers/journal-records.ts';
import {inOwnContext, onTestFinished} from '../../helpers/on-test-finished.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

aroundEach(inOwnContext);

/** Watches a file that is there; `changes` counts. The watch is proven to be awake before it is given out. */
async function watched() {
	const path = join(temporaryDirectory(), 'config.yaml');
	writeFileSync(path, 'first');
	const seen = {changes: 0};
	const watch = watchFile(path, () => {
		seen.changes++;
	});
	onTestFinished(watch.close);
	await watch.ready;
	return {path, seen, watch};
}

// Each waits for the look at its file, which comes once a second.
describe.concurrent('a change is seen', () => {
	test.each([
		['written in place', (path: string) => writeFileSync(path, 'second')],
		[
			'replaced by a rename',
			(path: string) => {
				writeFileSync(`${path}.new`, 'second');
				renameSync(`${path}.new`, path);
			},
		],
		['removed', (path: string) => rmSync(path)],
	])('when the file is %s', async (_name, act) => {
		const {path, seen} = await watched();
		act(path);
		await vi.waitFor(() => expect(seen.changes).toBe(1), {timeout: 25_000});
	});

	test('again and again, over renames', async () => {
		const {path, seen} = await watched();
		for (const round of [1, 2, 3]) {
			writeFileSync(`${path}.new`, `round ${round}`);
			renameSync(`${path}.new`, path);
			await vi.waitFor(() => expect(seen.changes).toBe(round), {timeout: 25_000});
		}
	});

	test('when it came between the reading and the start of the watch', async () => {
		const path = join(temporaryDirectory(), 'config.yaml');
		writeFileSync(path, 'first');
		const stamp = fileStamp(path);
		writeFileSync(path, 'second, and longer');
		const seen = {changes: 0};
		const watch = watchFile(path, () => seen.changes++, stamp);
		onTestFinished(watch.close);
		await watch.ready;
		expect(seen.changes).toBe(1);
	});

	test('when the file is made later', async () => {
		const path = join(temporaryDirectory(), 'config.yaml');
		const seen = {changes: 0};
		const watch = watchFile(path, () => {
			seen.changes++;
		});
		onTestFinished(watch.close);
		await watch.ready;
		writeFileSync(path, 'first');
		await vi.waitFor(() => expect(seen.changes).toBe(1), {timeout: 25_000});
	});
});

test('after closing no change is reported', async () => {
	const {path, seen, watch} = await watched();
	writeFileSync(path, 'second');
	await watch.close();
	expect(seen.changes).toBe(0);
});

test('the lock under which the file is written is not a change of it', async () => {
	const {path, seen} = await watched();
	// A change would be reported within this time; only time shows that none is.
	const wait = () => new Promise(resolve => systemClock.after(200, () => resolve(undefined)));
	await withConfigLock({config: path}, systemClock, wait);
	await wait();
	expect(seen.changes).toBe(0);
	await withConfigLock({config: path}, systemClock, () => writePrivateFile(path, 'second'));
	await vi.waitFor(() => expect(seen.changes).toBe(1), {timeout: 25_000});
});

/** Counts how often the system wakes watchers of files and folders that are opened from now on. */
function countWakes() {
	const wakes = {count: 0};
	const {watch} = fs;
	const counted = vi.spyOn(fs, 'watch').mockImplementation((...args: unknown[]) => {
		const watcher = Reflect.apply(watch, fs, args);
		watcher.on('change', () => wakes.count++);
		return watcher;
	});
	syncBuiltinESMExports();
	onTestFinished(() => {
		counted.mockRestore();
		syncBuiltinESMExports();
	});
	return wakes;
}

test('the writes of the journal beside the file wake no watcher', async () => {
	const wakes = countWakes();
	const {path, seen} = await watched();
	const journal = openJournal({
		path: join(dirname(path), 'journal.db'),
		clock: systemClock,
		limits: () => ({maxAgeDays: 30, maxBytes: 2 ** 30}),
	});
	onTestFinished(() => journal.close());
	const write = async () => {
		for (let time = 0; time < 20; time++) {
			journal.recordEvent(sampleEvent({time}));
		}

		// A watcher is woken within this time; only time shows that none is.
		await new Promise(resolve => systemClock.after(300, () => resolve(undefined)));
	};
	await write();
	expect([wakes.count, seen.changes]).toEqual([0, 0]);

	// A watcher of the folder is woken by them.
	const folder = watch(dirname(path), {ignoreInitial: true});
	onTestFinished(() => folder.close());
	await once(folder, 'ready');
	await write();
	expect(wakes.count).toBeGreaterThan(0);
	expect(seen.changes).toBe(0);
});
