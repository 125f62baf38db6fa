import {StringDecoder} from 'node:string_decoder';
import {Problem} from '../../util/problem.ts';

/** Splits a stream of bytes into lines. */
export type LineBuffer = {
	/** The lines completed by this chunk, without their ends. Throws Problem `call_failed` beyond the limit. */
	readonly push: (chunk: Buffer) => string[];
};

const lineFeed = 10;

/**
Creates a line buffer that holds at most `limitBytes` of an unfinished line. It keeps text and no chunk: the memory of hundreds of chunks, freed
at once after a large message, would stay with the allocator.
*/
export function createLineBuffer(limitBytes: number): LineBuffer {
	const decoder = new StringDecoder('utf8');
	let pieces: string[] = [];
	let pieceBytes = 0;
	return {
		push(chunk) {
			const lines: string[] = [];
			let start = 0;
			for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
				pieces.push(decoder.end(chunk.subarray(start, end)));
				const line = pieces.join('');
				lines.push(line.endsWith('\r') ? line.slice(0, -1) : line);
				pieces = [];
				pieceBytes = 0;
				start = end + 1;
			}

			if (start < chunk.length) {
				pieces.push(decoder.write(chunk.subarray(start)));
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
