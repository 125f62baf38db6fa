import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, onTestFinished, test} from 'vitest';
import {systemClock} from '../../source/util/clock.ts';
import {tryProcessLock, waitForProcessLock} from '../../source/util/process-lock.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const racer = fileURLToPath(new URL('../fixtures/lock-racer.ts', import.meta.url));
const processLock = new URL('../../source/util/process-lock.ts', import.meta.url).href;

function lockPath(): string {
	return join(temporaryDirectory(), 'folder', 'one.lock');
}

async function take(path: string) {
	const lock = await tryProcessLock(path);
	expect(lock).toBeDefined();
	return {release: () => lock?.release()};
}

/** Another process that holds the lock until it is killed. */
async function startHolder(path: string) {
	const text = `
		const {tryProcessLock} = await import(${JSON.stringify(processLock)});
		console.log((await tryProcessLock(${JSON.stringify(path)})) ? 'held' : 'refused');
		setInterval(() => {}, 1000);
	`;
	const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	const [chunk] = await once(child.stdout, 'data');
	expect(String(chunk)).toBe('held\n');
	return child;
}

describe('a lock', () => {
	test('is refused while this process holds it, also twice in a row', async () => {
		const path = lockPath();
		await take(path);
		expect([await tryProcessLock(path), await tryProcessLock(path)]).toEqual([undefined, undefined]);
		expect(readdirSync(dirname(path))).toEqual(['one.lock']);
	});

	test('makes a folder and an empty file for its owner alone, and removes the file again', async () => {
		const path = lockPath();
		const lock = await take(path);
		expect([statSync(dirname(path)).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
		expect([readdirSync(dirname(path)), statSync(path).size]).toEqual([['one.lock'], 0]);
		lock.release();
		expect(readdirSync(dirname(path))).toEqual([]);
	});

	test('of a killed process is free at once', async () => {
		const path = lockPath();
		const holder = await startHolder(path);
		expect(await tryProcessLock(path)).toBeUndefined();
		holder.kill('SIGKILL');
		await once(holder, 'exit');
		await take(path);
	});

	test('of a stopped process is held, and free once that is killed', async () => {
		const path = lockPath();
		const holder = await startHolder(path);
		holder.kill('SIGSTOP');
		expect(await tryProcessLock(path)).toBeUndefined();
		holder.kill('SIGKILL');
		await once(holder, 'exit');
		await take(path);
	});

	test('stays held although nobody refers to it', async () => {
		const path = lockPath();
		await tryProcessLock(path);
		// Enough garbage for a collection of everything.
		for (let round = 0; round < 200; round++) {
			Array.from({length: 50_000}, (_, index) => ({index}));
			await new Promise(resolve => setImmediate(resolve));
		}

		expect(await tryProcessLock(path)).toBeUndefined();
	});

	test.each(['x', 'null', '999999999 abc', '{"pid":1,"startedAt":null}', 'x'.repeat(10_000)])(
		'takes over a file that holds %.40s and that nobody locked',
		async text => {
			const path = lockPath();
			mkdirSync(dirname(path));
			writeFileSync(path, text);
			const lock = await take(path);
			expect(await tryProcessLock(path)).toBeUndefined();
			lock.release();
			expect(readdirSync(dirname(path))).toEqual([]);
		},
	);

	test.each(['{}', ''])('leaves alone the file with %j that a symbolic link in its place names', async text => {
		const path = lockPath();
		const target = join(dirname(path), 'other');
		mkdirSync(dirname(path));
		writeFileSync(target, text);
		symlinkSync(target, path);
		await expect(tryProcessLock(path)).rejects.toMatchObject({code: 'ELOOP'});
		expect(readFileSync(target, 'utf8')).toBe(text);
		rmSync(path);
		await take(path);
		expect(await tryProcessLock(path)).toBeUndefined();
	});

	test.each(['a b', '50%', 'what?mode=memory', 'a#b', 'ü'])('may be called %j', async name => {
		const path = join(temporaryDirectory(), name);
		await take(path);
		expect(existsSync(path)).toBe(true);
		expect(await tryProcessLock(path)).toBeUndefined();
	});

	test('that was released twice stays with its next holder', async () => {
		const path = lockPath();
		const first = await take(path);
		first.release();
		await take(path);
		first.release();
		expect(await tryProcessLock(path)).toBeUndefined();
	});
});

describe('when files are removed', () => {
	test('together with the folder, no file is left behind', async () => {
		const path = lockPath();
		const lock = await take(path);
		rmSync(dirname(path), {recursive: true});
		lock.release();
		expect(existsSync(dirname(path))).toBe(false);
	});

	test('and made again by the next holder, the one before leaves them alone', async () => {
		const path = lockPath();
		const first = await take(path);
		rmSync(dirname(path), {recursive: true});
		await take(path);
		first.release();
		expect(existsSync(path)).toBe(true);
		expect(await tryProcessLock(path)).toBeUndefined();
	});
});

describe('a place without locks', () => {
	test('because a file is in the way is refused with the error of the system', async () => {
		const file = join(temporaryDirectory(), 'file');
		writeFileSync(file, '');
		await expect(tryProcessLock(join(file, 'one.lock'))).rejects.toMatchObject({code: 'EEXIST'});
	});

	test('because it takes no files is refused', async () => {
		await expect(tryProcessLock('/proc/nothing/one.lock')).rejects.toMatchObject({code: 'ENOENT'});
	});

	test.runIf(process.getuid?.() !== 0)('because the file may only be read is refused', async () => {
		const path = lockPath();
		mkdirSync(dirname(path));
		writeFileSync(path, '');
		chmodSync(path, 0o400);
		await expect(tryProcessLock(path)).rejects.toMatchObject({code: 'EACCES'});
	});
});

describe('waiting', () => {
	test('ends when the lock is free', async () => {
		const path = lockPath();
		const first = await take(path);
		const waiting = waitForProcessLock(path, systemClock, neverAborted());
		first.release();
		const second = await waiting;
		expect(await tryProcessLock(path)).toBeUndefined();
		second.release();
	});

	test('looks again every 50 ms', async () => {
		const path = lockPath();
		const first = await take(path);
		const clock = createFakeClock();
		const waiting = waitForProcessLock(path, clock, neverAborted());
		await expect.poll(clock.open).toBe(1);
		first.release();
		await clock.advance(49);
		expect(existsSync(path)).toBe(false);
		await clock.advance(1);
		await waiting;
		expect(existsSync(path)).toBe(true);
	});

	test('ends with the reason of its signal', async () => {
		const path = lockPath();
		await take(path);
		const controller = new AbortController();
		const waiting = waitForProcessLock(path, systemClock, controller.signal);
		controller.abort(new Error('gone'));
		await expect(waiting).rejects.toThrow('gone');
	});

	test('takes nothing when its signal has aborted before', async () => {
		const path = lockPath();
		const signal = AbortSignal.abort(new Error('gone'));
		await expect(waitForProcessLock(path, systemClock, signal)).rejects.toThrow('gone');
		expect(existsSync(path)).toBe(false);
	});
});

test('of several processes, one of which is killed, only one at a time holds it', async () => {
	const path = lockPath();
	const counter = join(temporaryDirectory(), 'counter');
	writeFileSync(counter, '0');
	const children = ['', '', '', 'killed'].map(end =>
		spawn(process.execPath, [racer, path, counter, end ? '50' : '150', end], {stdio: 'inherit'}),
	);
	onTestFinished(() => children.forEach(child => child.kill('SIGKILL')));
	const ends = await Promise.all(children.map(child => once(child, 'exit')));
	expect(ends).toEqual([
		[0, null],
		[0, null],
		[0, null],
		[null, 'SIGKILL'],
	]);
	expect(Number(readFileSync(counter, 'utf8'))).toBe(500);
	// The killed one may have come last.
	const lock = await take(path);
	lock.release();
	expect(readdirSync(dirname(path))).toEqual([]);
}, 20_000);
