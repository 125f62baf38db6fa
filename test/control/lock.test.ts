import {type ChildProcessByStdio, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {type Readable, type Writable} from 'node:stream';
import {fileURLToPath} from 'node:url';
import {describe, expect, onTestFinished, test} from 'vitest';
import {acquireLock, findProcess} from '../../source/control/lock.ts';
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

	test.runIf(existsSync('/proc/self/stat'))(
		'of a dead process whose number is in use again is taken over',
		async () => {
			const path = lockPath();
			const claim = {pid: process.pid, startedAt: 'an earlier boot/1', id: '0123456789ab'};
			writeFileSync(path, JSON.stringify(claim));
			await expect(acquireLock(path)).resolves.toBeDefined();
		},
	);

	test('of a living process is respected where start times are unknown', async () => {
		const path = lockPath();
		writeFileSync(path, JSON.stringify({pid: process.pid, startedAt: null, id: '0123456789ab'}));
		await expect(acquireLock(path)).rejects.toMatchObject({code: 'gateway_running'});
	});

	test.each(['', 'null', '{"pid": 0, "startedAt": null, "id": "0123456789ab"}', '{"pid": 12'])(
		'whose file holds %j belongs to nobody',
		async text => {
			const path = lockPath();
			writeFileSync(path, text);
			await expect(acquireLock(path)).resolves.toBeDefined();
		},
	);

	test('is taken over although a successor died while taking it', async () => {
		const path = lockPath();
		writeFileSync(path, JSON.stringify({pid: 2 ** 22 + 1, startedAt: null, id: 'aaaaaaaaaaaa'}));
		writeFileSync(
			`${path}.after-aaaaaaaaaaaa`,
			JSON.stringify({pid: 2 ** 22 + 2, startedAt: null, id: 'bbbbbbbbbbbb'}),
		);
		await acquireLock(path);
		expect(readdirSync(join(path, '..'))).toEqual(['gateway.lock']);
	});

	test('is left to a successor that is alive', async () => {
		const path = lockPath();
		const heir = await findProcess(process.pid);
		writeFileSync(path, JSON.stringify({pid: 2 ** 22 + 1, startedAt: null, id: 'aaaaaaaaaaaa'}));
		writeFileSync(`${path}.after-aaaaaaaaaaaa`, JSON.stringify({...heir, id: 'bbbbbbbbbbbb'}));
		await expect(acquireLock(path)).rejects.toMatchObject({code: 'gateway_running'});
	});

	test.runIf(existsSync('/proc/self/stat')).each([
		{how: 'at once', turnsBetween: 0},
		{how: 'shortly after one another', turnsBetween: 3},
	])('goes to exactly one of many that start $how beside a dead holder', async ({turnsBetween}) => {
		for (let round = 0; round < 40; round++) {
			const path = lockPath();
			// A number in use: finding out that it is another process takes the successor some time.
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
