import {Writable} from 'node:stream';
import {describe, expect, test} from 'vitest';
import {guardOutput, type GuardedStream} from '../../../source/tui/terminal/stdout-guard.ts';

function openStream() {
	const written: string[] = [];
	const stream: GuardedStream = {
		write(text: unknown) {
			written.push(String(text));
			return true;
		},
	};
	return {stream, written};
}

describe('a guarded stream', () => {
	test('reports its lines instead of writing them', () => {
		const {stream, written} = openStream();
		const lines: string[] = [];
		guardOutput([stream], line => void lines.push(line));
		stream.write('one\ntw');
		stream.write(Buffer.from('o\n\n'));
		expect([written, lines]).toEqual([[], ['one', 'two']]);
	});

	test('catches console, which writes through it', () => {
		const lines: string[] = [];
		const guard = guardOutput([process.stderr], line => void lines.push(line));
		process.stderr.write('stray\n');
		guard.release();
		expect(lines).toEqual(['stray']);
	});

	test('makes what is reported safe and drops colours', () => {
		const {stream} = openStream();
		const lines: string[] = [];
		guardOutput([stream], line => void lines.push(line));
		stream.write('\u001B[31mred\u001B[39m \u202Eevil\r\n');
		expect(lines).toEqual(['red ‹U+202E›evil']);
	});

	test('calls back what waits for the write', async () => {
		const {stream} = openStream();
		guardOutput([stream], () => {});
		await new Promise<void>(resolve => stream.write('x', () => resolve()));
		expect(stream.write('x', 'utf8')).toBe(true);
	});

	test('does not loop when the listener writes to it', () => {
		const {stream} = openStream();
		const lines: string[] = [];
		guardOutput([stream], line => {
			lines.push(line);
			stream.write('again\n');
		});
		stream.write('once\n');
		expect(lines).toEqual(['once']);
	});

	test('reports an endless line in parts', () => {
		const {stream} = openStream();
		const lines: string[] = [];
		guardOutput([stream], line => void lines.push(line));
		stream.write('x'.repeat(5000));
		expect(lines).toHaveLength(1);
	});

	test('has its write back afterwards, and an unfinished line is reported', () => {
		const {stream, written} = openStream();
		const lines: string[] = [];
		const guard = guardOutput([stream], line => void lines.push(line));
		stream.write('unfinished');
		guard.release();
		stream.write('after');
		expect([lines, written]).toEqual([['unfinished'], ['after']]);
	});
});

test('a stream of Node can be guarded', () => {
	const stream = new Writable({write: (_chunk, _encoding, done) => done()});
	const lines: string[] = [];
	// The overloads of `write` in Node's types are narrower than what it takes.
	const guarded = stream as unknown as GuardedStream;
	guardOutput([guarded], line => void lines.push(line));
	guarded.write('line\n');
	expect(lines).toEqual(['line']);
});
