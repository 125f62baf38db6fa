import {Problem} from '../util/problem.ts';

const lineFeed = 10;
const blankLines = ['\n\n', '\r\n\r\n', '\r\r'].map(text => Buffer.from(text));

/**
Passes a body through and fails with Problem `call_failed` when a message in it exceeds `limitBytes`:
the whole body, or one event of a `text/event-stream`.
*/
export function capBody(
	body: ReadableStream<Uint8Array>,
	options: {readonly limitBytes: number; readonly eventStream: boolean},
): ReadableStream<Uint8Array> {
	const {limitBytes, eventStream} = options;
	const reader = body.getReader();
	let pending = 0;
	let endsLine = false;

	const count = (chunk: Uint8Array) => {
		const restart = eventStream ? afterLastBlankLine(chunk, endsLine) : undefined;
		endsLine = chunk.at(-1) === lineFeed;
		pending = restart === undefined ? pending + chunk.length : chunk.length - restart;
		return pending <= limitBytes;
	};

	// A plain stream: a transform with its pipe costs several times as much, on every call.
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				const {done, value} = await reader.read();
				if (done) {
					controller.close();
				} else if (count(value)) {
					controller.enqueue(value);
				} else {
					const message = `The server sent a message of more than ${limitBytes} bytes`;
					const problem = new Problem('call_failed', {message});
					controller.error(problem);
					await reader.cancel(problem);
				}
			},
			cancel: reason => reader.cancel(reason),
		},
		{highWaterMark: 0},
	);
}

/** The start of the last event that begins inside the chunk; undefined when none does. */
function afterLastBlankLine(chunk: Uint8Array, precededByLineFeed: boolean): number | undefined {
	const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
	const ends = blankLines.map(blank => {
		const at = bytes.lastIndexOf(blank);
		return at === -1 ? -1 : at + blank.length;
	});
	const last = Math.max(...ends);
	if (last >= 0) {
		return last;
	}

	const startsWithBlank = bytes[0] === lineFeed || (bytes[0] === 13 && bytes[1] === lineFeed);
	return precededByLineFeed && startsWithBlank ? 0 : undefined;
}
