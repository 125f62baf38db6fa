import {existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createLogWriter} from '../../../source/util/limits/log-writer.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

function createWriter(maxBytes = 1_000_000) {
	const directory = join(temporaryDirectory(), 'logs');
	const path = join(directory, 'one.log');
	const clock = createFakeClock();
	const failures: unknown[] = [];
	const writer = createLogWriter({path, clock, maxBytes, onFailure: error => failures.push(error)});
	onTestFinished(writer.close);
	return {directory, path, clock, failures, writer};
}

test('lines wait for a moment and are written together', async () => {
	const {path, clock, writer} = createWriter();
	writer.write('a');
	writer.write('b');
	await clock.advance(99);
	expect(existsSync(path)).toBe(false);
	await clock.advance(1);
	await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8')).toBe('a\nb\n');
});

test('a long block does not wait', async () => {
	const {path, writer} = createWriter();
	writer.write('x'.repeat(70_000));
	await expect.poll(() => existsSync(path) && statSync(path).size).toBe(70_001);
});

test('folder and file are for their owner only, a file that was there too', async () => {
	const {directory, path, writer} = createWriter();
	mkdirSync(directory, {mode: 0o700});
	writeFileSync(path, 'former\n', {mode: 0o644});
	writer.write('x');
	await writer.close();
	expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['former\nx\n', 0o600]);
});

test('no file grows beyond the bound, by bytes, and the last two are kept', async () => {
	const {path, writer} = createWriter(100);
	Array.from({length: 30}, (_, index) => writer.write(`é ${String(index).padStart(6, '0')}`));
	await writer.close();
	const kept = [`${path}.1`, path].map(file => readFileSync(file, 'utf8'));
	expect(kept.map(text => Buffer.byteLength(text)).filter(bytes => bytes > 100)).toEqual([]);
	const numbers = kept.join('').match(/\d+/gu)?.map(Number) ?? [];
	expect(numbers.length).toBeGreaterThan(9);
	expect(numbers).toEqual(Array.from(numbers, (_, index) => 30 - numbers.length + index));
});

test('after a failure writing pauses for ten seconds, then goes on with what waits', async () => {
	const {directory, path, clock, failures, writer} = createWriter();
	writeFileSync(directory, 'in the way');
	writer.write('lost');
	await clock.advance(100);
	await expect.poll(() => failures).toMatchObject([{code: 'EEXIST'}]);
	rmSync(directory);
	writer.write('waits');
	await clock.advance(9999);
	expect(existsSync(path)).toBe(false);
	await clock.advance(1);
	await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8')).toContain('waits\n');
	expect(failures).toHaveLength(1);
});

test('more than a slow disk may leave waiting is dropped', async () => {
	const {path, writer} = createWriter(100_000_000);
	const megabyte = 'x'.repeat(1_048_575);
	Array.from({length: 20}, () => writer.write(megabyte));
	await writer.close();
	expect(statSync(path).size).toBe(8 * 1_048_576);
});

test('a closed writer drops lines in silence', async () => {
	const {path, writer} = createWriter();
	writer.write('a');
	await writer.close();
	writer.write('b');
	await writer.close();
	expect(readFileSync(path, 'utf8')).toBe('a\n');
});
