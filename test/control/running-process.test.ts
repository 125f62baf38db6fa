import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {describe, expect, onTestFinished, test} from 'vitest';
import {findProcess, isAlive} from '../../source/control/lock.ts';

describe('a process', () => {
	test('that runs is found', async () => {
		expect(await findProcess(process.pid)).toMatchObject({pid: process.pid});
	});

	test('that ended is not found', async () => {
		const child = spawn(process.execPath, ['--version'], {stdio: 'ignore'});
		await once(child, 'exit');
		expect(await findProcess(child.pid ?? 0)).toBeUndefined();
	});

	test.each([0, -1, 2 ** 22 + 1])('with the number %i is never found', async pid => {
		expect(await findProcess(pid)).toBeUndefined();
	});

	test('is recognised by its number and its start time', async () => {
		const found = await findProcess(process.pid);
		expect(found && (await isAlive(found))).toBe(true);
	});

	test.runIf(existsSync('/proc/self/stat'))('is distinguished from a later one of the same number', async () => {
		expect(await isAlive({pid: process.pid, startedAt: 'earlier'})).toBe(false);
	});

	test.runIf(existsSync('/proc/self/stat'))('has the same start time whenever it is read', async () => {
		expect(await findProcess(process.pid)).toEqual(await findProcess(process.pid));
	});

	test.runIf(existsSync('/proc/self/stat'))('that ended and was not reaped counts as ended', async () => {
		// The shell starts a child that ends at once, then becomes a program that never collects children.
		const shell = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], {stdio: ['ignore', 'pipe', 'ignore']});
		onTestFinished(() => void shell.kill('SIGKILL'));
		const [line] = await once(shell.stdout, 'data');
		const pid = Number(String(line).trim());
		await expect.poll(() => findProcess(pid), {timeout: 25_000}).toBeUndefined();
	});
});
