import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {Writable} from 'node:stream';
import {text} from 'node:stream/consumers';
import {describe, expect, onTestFinished, test} from 'vitest';
import {createLineWriter} from '../../../source/commands/cli/line-writer.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

/** A stream whose reader takes a chunk only when the test says so. */
function slowStream() {
	const taken: string[] = [];
	const waiting: Array<() => void> = [];
	const stream = new Writable({
		write(chunk, _encoding, done) {
			taken.push(String(chunk));
			waiting.push(done);
		},
	});
	const drain = async () => {
		while (waiting.length > 0) {
			waiting.shift()?.();
			await new Promise(resolve => setImmediate(resolve));
		}
	};

	return {stream, taken, drain};
}

const megabyte = 'x'.repeat(1024 * 1024);

describe('lines', () => {
	test('arrive at a reader', async () => {
		const child = spawn('cat', {stdio: ['pipe', 'pipe', 'ignore']});
		const writer = createLineWriter(child.stdin, {clock: systemClock});
		writer.write('one');
		writer.write('two');
		await writer.finish();
		child.stdin.end();
		expect(await text(child.stdout)).toBe('one\ntwo\n');
	});

	test('to a reader that is gone are lost without an error', async () => {
		const child = spawn('sh', ['-c', 'exec <&-; echo closed; exec sleep 60'], {stdio: ['pipe', 'pipe', 'ignore']});
		onTestFinished(() => void child.kill('SIGKILL'));
		await once(child.stdout, 'data');
		const writer = createLineWriter(child.stdin, {clock: systemClock});
		for (let count = 0; count < 10; count++) {
			writer.write('nobody hears');
			await new Promise(resolve => setImmediate(resolve));
		}

		await expect(writer.finish()).resolves.toBeUndefined();
	});

	test('that a slow reader does not take are counted, and the gap is reported', async () => {
		const {stream, taken, drain} = slowStream();
		const writer = createLineWriter(stream, {clock: createFakeClock(), leftOut: lines => `${lines} left out`});
		for (let count = 0; count < 8; count++) {
			writer.write(megabyte);
		}

		await drain();
		writer.write('after');
		await drain();
		expect(taken.map(text => text.slice(0, 20).trim()).slice(-2)).toEqual(['4 left out', 'after']);
	});

	test('are not waited for longer than a second', async () => {
		const {stream} = slowStream();
		const clock = createFakeClock();
		const writer = createLineWriter(stream, {clock});
		writer.write('stuck');
		const finished = writer.finish();
		await clock.advance(1000);
		await expect(finished).resolves.toBeUndefined();
	});

	test('leave no timer behind', async () => {
		const clock = createFakeClock();
		const writer = createLineWriter(new Writable({write: (_chunk, _encoding, done) => done()}), {clock});
		writer.write('line');
		await writer.finish();
		expect(clock.open()).toBe(0);
	});
});
