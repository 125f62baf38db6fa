import {type ChildProcessByStdio, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {type Readable, type Writable} from 'node:stream';
import {fileURLToPath} from 'node:url';
import {describe, expect, onTestFinished, test} from 'vitest';
import {acquireLock} from '../../source/control/lock.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const program = fileURLToPath(new URL('lock-holder.ts', import.meta.url));

type Holder = {child: ChildProcessByStdio<Writable, Readable, null>; answer: string};

/** Starts another process that tries to take the lock, and reads what it says. */
async function startHolder(path: string): Promise<Holder> {
	const child = spawn(process.execPath, [program, path], {stdio: ['pipe', 'pipe', 'inherit']});
	onTestFinished(() => void child.kill('SIGKILL'));
	const [chunk] = await once(child.stdout, 'data');
	return {child, answer: String(chunk).trim()};
}

function lockPath(): string {
	return join(temporaryDirectory(), 'gateway.lock');
}

async function afterTurns(turns: number): Promise<void> {
	for (let turn = 0; turn < turns; turn++) {
		await new Promise(resolve => setImmediate(resolve));
	}
}

describe('the lock', () => {
	test('is refused while another process holds it, and the holder is named', async () => {
		const path = lockPath();
		const {child} = await startHolder(path);
		await expect(acquireLock(path)).rejects.toMatchObject({
			code: 'gateway_running',
			message: expect.stringContaining(`process ${child.pid})`),
		});
	});

	test('is refused to the process that already holds it', async () => {
		const path = lockPath();
		await acquireLock(path);
		await expect(acquireLock(path)).rejects.toMatchObject({code: 'gateway_running'});
	});

	test('is free again after release', async () => {
		const path = lockPath();
		await (await acquireLock(path)).release();
		expect((await startHolder(path)).answer).toBe('held');
	});

	test.each(['gateway.lock', 'gateway.lock.db'])(
		'is refused where %s is a symbolic link, whose file is left alone',
		async name => {
			const path = lockPath();
			const target = join(path, '..', 'notes.txt');
			writeFileSync(target, 'mine');
			symlinkSync(target, join(path, '..', name));
			await expect(acquireLock(path)).rejects.toMatchObject({
				code: 'config_unreadable',
				message: expect.stringContaining('symbolic link'),
			});
			expect(readFileSync(target, 'utf8')).toBe('mine');
		},
	);

	test('leaves no file behind after release', async () => {
		const path = lockPath();
		await (await acquireLock(path)).release();
		expect(readdirSync(join(path, '..'))).toEqual([]);
	});

	test('is readable by its owner only', async () => {
		const path = lockPath();
		await acquireLock(path);
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});

	test('of a killed process is taken over', async () => {
		const path = lockPath();
		const {child} = await startHolder(path);
		child.kill('SIGKILL');
		await once(child, 'exit');
		await acquireLock(path);
		expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({pid: process.pid});
	});

	test('of a dead process whose number is in use again is taken over', async () => {
		const path = lockPath();
		writeFileSync(path, JSON.stringify({pid: process.pid, startedAt: 'an earlier boot/1'}));
		await expect(acquireLock(path)).resolves.toBeDefined();
	});

	test('of a living process is respected where start times are unknown', async () => {
		const path = lockPath();
		const {child} = await startHolder(path);
		writeFileSync(path, JSON.stringify({pid: child.pid, startedAt: null}));
		await expect(acquireLock(path)).rejects.toMatchObject({
			code: 'gateway_running',
			message: `A gateway (process ${child.pid}) is already using this state directory`,
		});
	});

	test.each(['', 'null', '{"pid": 0, "startedAt": null, "id": "0123456789ab"}', '{"pid": 12'])(
		'whose file holds %j belongs to nobody',
		async text => {
			const path = lockPath();
			writeFileSync(path, text);
			await expect(acquireLock(path)).resolves.toBeDefined();
		},
	);

	test('is taken over although its holder died while it took it over', async () => {
		const path = lockPath();
		const {child} = await startHolder(path);
		child.kill('SIGKILL');
		await once(child, 'exit');
		writeFileSync(path, '{"pid": 12');
		const lock = await acquireLock(path);
		expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({pid: process.pid});
		await lock.release();
		expect(readdirSync(join(path, '..'))).toEqual([]);
	});

	test.each(['{"pid": 4194305, "startedAt": null}', '{"pid": 12', undefined])(
		'is left to its holder although the file says %j',
		async text => {
			const path = lockPath();
			await startHolder(path);
			rmSync(path);
			if (text !== undefined) {
				writeFileSync(path, text);
			}

			await expect(acquireLock(path)).rejects.toMatchObject({
				code: 'gateway_running',
				message: 'Another gateway is already using this state directory',
			});
		},
	);

	test('whose file cannot be written is not taken, and leaves no file behind', async () => {
		const path = lockPath();
		mkdirSync(path);
		const message = `The lock ${path} cannot be taken: it is a folder`;
		await expect(acquireLock(path)).rejects.toMatchObject({code: 'config_unreadable', message});
		expect(readdirSync(join(path, '..'))).toEqual(['gateway.lock']);
	});

	test('of a removed folder is released, and that of the gateway after it stays', async () => {
		const path = lockPath();
		const first = await acquireLock(path);
		rmSync(join(path, '..'), {recursive: true});
		const {child} = await startHolder(path);
		await first.release();
		await expect(acquireLock(path)).rejects.toMatchObject({
			message: `A gateway (process ${child.pid}) is already using this state directory`,
		});
	});

	test.each([
		{how: 'at once', turnsBetween: 0},
		{how: 'shortly after one another', turnsBetween: 3},
	])('goes to exactly one of many that start $how beside a dead holder', async ({turnsBetween}) => {
		for (let round = 0; round < 40; round++) {
			const path = lockPath();
			// A number in use, of a process that is not this one.
			writeFileSync(path, JSON.stringify({pid: process.pid, startedAt: 'earlier', id: 'aaaaaaaaaaaa'}));
			const results = await Promise.allSettled(
				Array.from({length: 16}, (_, index) => afterTurns(index * turnsBetween).then(() => acquireLock(path))),
			);
			expect(results.filter(result => result.status === 'fulfilled')).toHaveLength(1);
		}
	});

	test('goes to exactly one of several processes that start at once', async () => {
		const path = lockPath();
		writeFileSync(path, JSON.stringify({pid: 2 ** 22 + 1, startedAt: null, id: 'aaaaaaaaaaaa'}));
		const holders = await Promise.all(Array.from({length: 5}, () => startHolder(path)));
		expect(holders.map(holder => holder.answer).sort()).toEqual([
			'gateway_running',
			'gateway_running',
			'gateway_running',
			'gateway_running',
			'held',
		]);
	});

	test('in a folder where no file can be made is refused with the path', async () => {
		const file = lockPath();
		writeFileSync(file, '');
		const path = join(file, 'gateway.lock');
		const message = `The lock ${path} cannot be taken: a file is in the way`;
		await expect(acquireLock(path)).rejects.toMatchObject({code: 'config_unreadable', message});
	});

	test('that was taken over is not released by its former holder', async () => {
		const path = lockPath();
		const first = await acquireLock(path);
		await first.release();
		await acquireLock(path);
		await first.release();
		expect(existsSync(path)).toBe(true);
	});
});
