import {closeSync, openSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openTerminalOutput, openWorkerWriter, restoreSequence} from '../../../source/tui/terminal/terminal-output.ts';
import {type TerminalStream} from '../../../source/tui/terminal/non-blocking-stdout.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

/** A stream over a file, as `process.stdout` is one over a terminal. */
function openStream() {
	const path = join(temporaryDirectory(), 'screen');
	const fd = openSync(path, 'w');
	const queued: string[] = [];
	const blocking: boolean[] = [];
	const stream = {
		fd,
		columns: 80,
		rows: 24,
		writableLength: 0,
		_handle: {fd, setBlocking: (value: boolean) => void blocking.push(value)},
		write(text: string) {
			queued.push(text);
			return true;
		},
	};
	return {
		// Only what is used of a terminal.
		stream: stream as unknown as TerminalStream,
		queued,
		blocking,
		onFile: () => readFileSync(path, 'utf8'),
		close: () => closeSync(fd),
		wait: (bytes: number) => void (stream.writableLength = bytes),
	};
}

test('the terminal is made non-blocking', () => {
	const {stream, blocking} = openStream();
	openTerminalOutput({stdout: stream, stderr: openStream().stream, writer: 'non-blocking'});
	expect(blocking).toEqual([false]);
});

test('nothing is drawn while bytes wait for the terminal', () => {
	const {stream, wait} = openStream();
	const {isBlocked} = openTerminalOutput({stdout: stream, stderr: openStream().stream, writer: 'non-blocking'});
	const before = isBlocked();
	wait(1);
	expect([before, isBlocked()]).toEqual([false, true]);
});

test('the dashboard goes on with the write that was there, even when it is replaced later', () => {
	const {stream, queued} = openStream();
	const output = openTerminalOutput({stdout: stream, stderr: openStream().stream, writer: 'non-blocking'});
	stream.write = () => true;
	output.stream.write('frame');
	expect([queued, output.stream.columns]).toEqual([['frame'], 80]);
});

test('the terminal is given back once, past the queue, and later frames are dropped', () => {
	const {stream, queued, onFile} = openStream();
	const output = openTerminalOutput({stdout: stream, stderr: openStream().stream, writer: 'non-blocking'});
	output.restore();
	output.restore();
	output.stream.write('frame');
	expect([onFile(), queued]).toEqual([restoreSequence, []]);
});

test.each(['\u001B[?1049l', '\u001B[?25h', '\u001B[?2004l', '\u001B[0m'])('giving back includes %j', sequence => {
	expect(restoreSequence).toContain(sequence);
});

test('a terminal that is gone does not keep the process from leaving', () => {
	const {stream, close} = openStream();
	const output = openTerminalOutput({stdout: stream, stderr: openStream().stream, writer: 'non-blocking'});
	close();
	expect(() => output.restore()).not.toThrow();
});

test('the thread writes in order and reports what it has written', async () => {
	const {stream, onFile} = openStream();
	const writer = openWorkerWriter(stream.fd);
	writer.write('one ');
	const waiting = writer.waiting();
	await new Promise<void>(resolve => writer.write('two', resolve));
	expect([waiting, onFile(), writer.waiting()]).toEqual([4, 'one two', 0]);
	writer.close();
});
