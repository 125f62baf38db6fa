import {renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {withConfigLock} from '../../../source/config/values/file-lock.ts';
import {fileStamp, writePrivateFile} from '../../../source/config/values/text-file.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {watchFile} from '../../../source/config/read/watch.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

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

describe('a change is seen', () => {
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
		await vi.waitFor(() => expect(seen.changes).toBe(1), {timeout: 5000});
	});

	test('again and again, over renames', async () => {
		const {path, seen} = await watched();
		for (const round of [1, 2, 3]) {
			writeFileSync(`${path}.new`, `round ${round}`);
			renameSync(`${path}.new`, path);
			await vi.waitFor(() => expect(seen.changes).toBe(round), {timeout: 5000});
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
		await vi.waitFor(() => expect(seen.changes).toBe(1), {timeout: 5000});
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
	const wait = () => new Promise(resolve => systemClock.after(200, () => resolve(undefined)));
	await withConfigLock({config: path}, systemClock, wait);
	await wait();
	expect(seen.changes).toBe(0);
	await withConfigLock({config: path}, systemClock, () => writePrivateFile(path, 'second'));
	await vi.waitFor(() => expect(seen.changes).toBe(1), {timeout: 5000});
});
