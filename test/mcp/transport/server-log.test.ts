import {existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {logFileName, openServerLog} from '../../../source/mcp/transport/server-log.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

function open() {
	const directory = join(temporaryDirectory(), 'mcp-stderr');
	const clock = createFakeClock();
	const redact = (text: string) => text.replaceAll('hunter2', '‹secret›');
	const log = openServerLog({directory, server: 'one', clock, redact});
	onTestFinished(log.close);
	return {directory, clock, log};
}

test('lines that come in pieces are put together', async () => {
	const {directory, log} = open();
	log.write(Buffer.from('first li'));
	log.write(Buffer.from('ne\nsecond'));
	await log.close();
	expect(readFileSync(join(directory, 'one.log'), 'utf8')).toBe('first line\nsecond\n');
});

test('secrets that are known do not reach the file', async () => {
	const {directory, log} = open();
	log.write(Buffer.from('my password is hun'));
	log.write(Buffer.from('ter2\n'));
	await log.close();
	expect(readFileSync(join(directory, 'one.log'), 'utf8')).toBe('my password is ‹secret›\n');
});

describe('the end of the log', () => {
	test('is the last lines of the process, unfinished ones too, masked and safe to show', () => {
		const {directory, log} = open();
		log.write(Buffer.from(Array.from({length: 20}, (_, index) => `line ${index}\n`).join('')));
		log.write(Buffer.from('\u001B[31mhunter2'));
		expect(log.end()).toEqual({
			path: join(directory, 'one.log'),
			lines: [...[13, 14, 15, 16, 17, 18, 19].map(index => `line ${index}`), '␛[31m‹secret›'],
		});
	});

	test('has the error, not what the runtime prints around it', () => {
		const {log} = open();
		const places = '    at Module._load (node:internal/modules/cjs/loader:1104:12)\n'.repeat(30);
		log.write(
			Buffer.from(`boot.js:3\n  throw err;\n  ^\n\nError: Cannot find module 'x'\n${places}}\n\nNode.js v24.0.0\n`),
		);
		expect(log.end().lines).toEqual(['boot.js:3', '  throw err;', "Error: Cannot find module 'x'"]);
	});

	test('is that of the latest process alone', () => {
		const {log} = open();
		log.write(Buffer.from('first\nunfinished'));
		log.begin();
		log.write(Buffer.from('second\n'));
		expect(log.end().lines).toEqual(['second']);
	});

	test('has what the budget keeps out of the file', async () => {
		const {directory, log} = open();
		log.write(Buffer.from(`${'x'.repeat(1000)}\n`.repeat(300)));
		log.write(Buffer.from('the end\n'));
		expect(log.end().lines.at(-1)).toBe('the end');
		await log.close();
		expect(readFileSync(join(directory, 'one.log'), 'utf8')).not.toContain('the end');
	});
});

test('words that look like tokens do not reach the file either', async () => {
	const {directory, log} = open();
	log.write(Buffer.from('401: Bearer abcdefghijkl\n'));
	expect(log.end().lines).toEqual(['401: Bearer ‹redacted 12 chars›']);
	await log.close();
	expect(readFileSync(join(directory, 'one.log'), 'utf8')).not.toContain('abcdefghijkl');
});

test('file and folder are for their owner only', async () => {
	const {directory, log} = open();
	log.write(Buffer.from('x\n'));
	await log.close();
	expect([statSync(directory).mode & 0o777, statSync(join(directory, 'one.log')).mode & 0o777]).toEqual([0o700, 0o600]);
});

test('a server that says nothing leaves no file', async () => {
	const {directory, log} = open();
	await log.close();
	expect(() => readdirSync(directory)).toThrow('ENOENT');
});

test('a folder that cannot be made is tried once, not for every line', async () => {
	const {directory, clock, log} = open();
	writeFileSync(directory, 'in the way');
	log.write(Buffer.from('x\n'));
	await clock.advance(100);
	await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('FSReqPromise');
	rmSync(directory);
	log.write(Buffer.from('y\n'));
	await log.close();
	expect(existsSync(directory)).toBe(false);
});

test('more than the budget of a second is dropped and counted', async () => {
	const {directory, log, clock} = open();
	log.write(Buffer.from(`${'x'.repeat(1000)}\n`.repeat(300)));
	await clock.advance(1000);
	log.write(Buffer.from('later\n'));
	await log.close();
	const lines = readFileSync(join(directory, 'one.log'), 'utf8').trimEnd().split('\n');
	expect(lines.slice(-2)).toEqual(['… 38000 characters dropped', 'later']);
});

test('two files of about 1 MiB are kept', async () => {
	const {directory, log, clock} = open();
	for (let second = 0; second < 15; second++) {
		log.write(Buffer.from(`${'x'.repeat(999)}\n`.repeat(260)));
		await clock.advance(1000);
	}

	await log.close();
	expect(readdirSync(directory).sort()).toEqual(['one.log', 'one.log.1']);
	expect(statSync(join(directory, 'one.log.1')).size).toBeLessThan(1_400_000);
});

describe('the file name of a server', () => {
	test.each([
		['files', 'files'],
		['my.server-1', 'my.server-1'],
	])('%s is %s', (server, name) => {
		expect(logFileName(server)).toBe(name);
	});

	test.each(['..', '../../etc/passwd', 'a/b', '.hidden', 'a\0b', 'é'.repeat(200), ''])(
		'%j stays in the folder',
		server => {
			expect(logFileName(server)).toMatch(/^[A-Za-z0-9_-]{0,80}~[0-9a-f]{8}$/u);
		},
	);

	test('two names never share a file', () => {
		expect(logFileName('a/b')).not.toBe(logFileName('a b'));
	});
});
