import {Writable} from 'node:stream';
import {expect, test} from 'vitest';
import {openProgramOutput} from '../../../source/commands/cli/program-output.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

/** A stream that takes nothing before the test says so. */
function slowStream(isTTY = false) {
	const waiting: Array<(error?: Error) => void> = [];
	let taken = '';
	const stream = new Writable({
		write(chunk: Buffer, _encoding, done) {
			waiting.push(error => {
				taken += error ? '' : chunk.toString();
				done(error);
			});
		},
	});
	const settle = (error?: Error) => waiting.shift()?.(error);
	return {stream: Object.assign(stream, {isTTY}), settle, taken: () => taken};
}

function open(isTTY = false) {
	const stdout = slowStream(isTTY);
	const stderr = slowStream();
	const clock = createFakeClock();
	const output = openProgramOutput({stdout: stdout.stream, stderr: stderr.stream}, clock);
	return {output, stdout, stderr, clock};
}

async function stateOf(promise: Promise<number>): Promise<number | 'open'> {
	await new Promise(resolve => setImmediate(resolve));
	return Promise.race([promise, Promise.resolve('open' as const)]);
}

function systemError(code: string): Error {
	return Object.assign(new Error(code), {code});
}

test('a reader may take its time, on both streams', async () => {
	const {output, stdout, stderr, clock} = open();
	output.stdout('document');
	output.stderr('message');
	const drained = output.drain(0);
	await clock.advance(86_400_000);
	expect(await stateOf(drained)).toBe('open');
	stdout.settle();
	stdout.settle();
	expect(await stateOf(drained)).toBe('open');
	stderr.settle();
	await clock.settle();
	stderr.settle();
	await clock.settle();
	stdout.settle();
	expect(await drained).toBe(0);
	expect([stdout.taken(), stderr.taken()]).toEqual(['document', 'message']);
});

test('nothing is waited for when nothing waits', async () => {
	const {output, clock} = open();
	expect([await output.drain(2), clock.open()]).toEqual([2, 0]);
});

test('a program that was asked to stop waits a second, and then says how it ended', async () => {
	const {output, clock} = open();
	output.stdout('never taken');
	output.stop('SIGTERM');
	const drained = output.drain(0);
	await clock.advance(999);
	expect(await stateOf(drained)).toBe('open');
	await clock.advance(1);
	expect([await drained, clock.open()]).toEqual([143, 0]);
});

test.each([
	[0, 130],
	[1, 1],
])('a signal ends the waiting at once, and %i becomes %i', async (code, expected) => {
	const {output, clock} = open();
	output.stdout('never taken');
	const drained = output.drain(code);
	expect(await stateOf(drained)).toBe('open');
	output.stop('SIGINT');
	expect([await drained, clock.open()]).toEqual([expected, 0]);
});

test('a program that was asked to stop and whose output was taken ends as it ends', async () => {
	const {output, stdout, clock} = open();
	output.stdout('taken');
	output.stop('SIGTERM');
	const drained = output.drain(0);
	stdout.settle();
	await clock.settle();
	stdout.settle();
	expect([await drained, clock.open()]).toEqual([0, 0]);
});

test.each(['EPIPE', 'ECONNRESET'])('a reader that left (%s) changes no exit code and gets no more', async code => {
	const {output, stdout, stderr} = open();
	output.stdout('document');
	stdout.settle(systemError(code));
	await new Promise(resolve => setImmediate(resolve));
	output.stdout('more');
	expect([await output.drain(1), stderr.stream.writableLength]).toEqual([1, 0]);
});

test.each([
	[0, 1],
	[2, 2],
])('output that could not be written is reported, and %i becomes %i', async (code, expected) => {
	const {output, stdout, stderr} = open();
	output.stdout('document');
	stdout.settle(systemError('ENOSPC'));
	expect(await output.drain(code)).toBe(expected);
	stderr.settle();
	expect(stderr.taken()).toBe('sluice: The output could not be written (ENOSPC)\n');
});

test('what a window has left over on a terminal is not waited for', async () => {
	const {output} = open(true);
	output.stdout('a frame');
	expect(await output.drain(0)).toBe(0);
});
