import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const [threads, clock] = ['stuck-threads', 'clock'].map(
	name => new URL(`../../source/util/${name}.ts`, import.meta.url).href,
);

/** A process that starts something and ends: what the threads were found to be, its code and its signal. `PIPE` is a path that nobody opens for writing. */
async function endOf(work: string) {
	const pipe = join(temporaryDirectory(), 'pipe');
	execFileSync('mkfifo', [pipe]);
	// A thread that hangs does so after its start: nothing but time tells it from one that ends.
	const text = `
		const {watchThreads} = await import(${JSON.stringify(threads)});
		const {systemClock} = await import(${JSON.stringify(clock)});
		const {Worker} = await import('node:worker_threads');
		const {once} = await import('node:events');
		const {open, readFile} = await import('node:fs/promises');
		const PIPE = ${JSON.stringify(pipe)};
		const all = watchThreads(systemClock);
		${work}
		await new Promise(resolve => setTimeout(resolve, 300));
		const isGone = await all.end();
		console.log(isGone);
		isGone ? process.exit(7) : process.kill(process.pid, 'SIGKILL');
	`;
	const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	let said = '';
	child.stdout.setEncoding('utf8').on('data', (chunk: string) => void (said += chunk));
	const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
	return {said: said.trim(), code, signal};
}

const inWorker = (text: string) => `await once(new Worker(${JSON.stringify(text)}, {eval: true}), 'online');`;

describe('the threads of a process that ends', () => {
	test.each([
		['a thread that waits for a disk', inWorker(`process.getBuiltinModule('node:fs').openSync(process.env.PIPE)`)],
		["a file that Node's own thread waits for", 'void open(PIPE).catch(() => undefined);'],
	])('%s is found, since process.exit would wait for it', async (_, work) => {
		const end = await endOf(`process.env.PIPE = PIPE; ${work}`);
		expect(end).toEqual({said: 'false', code: null, signal: 'SIGKILL'});
	});

	test.each([
		['none', ''],
		['a thread that runs on and can be ended', inWorker('setInterval(() => undefined, 1000)')],
		['a thread that never yields', inWorker('for (;;);')],
		['a thread that has ended', inWorker('')],
		['a file that was read', `await readFile('/proc/self/stat');`],
	])('%s: it ends with its own code', async (_, work) => {
		expect(await endOf(work)).toEqual({said: 'true', code: 7, signal: null});
	});
});
