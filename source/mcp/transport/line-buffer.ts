import {Problem} from '../../util/problem.ts';

/** Splits a stream of bytes into lines. */
export type LineBuffer = {
	/** The lines completed by this chunk, without their ends. Throws Problem `call_failed` beyond the limit. */
	readonly push: (chunk: Buffer) => string[];
};

const lineFeed = 10;

/** Creates a line buffer that holds at most `limitBytes` of an unfinished line. */
export function createLineBuffer(limitBytes: number): LineBuffer {
	let pieces: Buffer[] = [];
	let pieceBytes = 0;
	return {
		push(chunk) {
			const lines: string[] = [];
			let start = 0;
			for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
				const line = Buffer.concat([...pieces, chunk.subarray(start, end)]).toString('utf8');
				lines.push(line.endsWith('\r') ? line.slice(0, -1) : line);
				pieces = [];
				pieceBytes = 0;
				start = end + 1;
			}

			if (start < chunk.length) {
				pieces.push(chunk.subarray(start));
				pieceBytes += chunk.length - start;
			}

			if (pieceBytes > limitBytes) {
				pieces = [];
				throw new Problem('call_failed', {message: `The server sent a message of more than ${limitBytes} bytes`});
			}

			return lines;
		},
	};
}
