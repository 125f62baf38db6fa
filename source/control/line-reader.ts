/** Cuts a byte stream into lines. */
export type LineReader = {
	readonly push: (chunk: Buffer) => void;
};

const lineFeed = 0x0a;

/**
Opens a reader that hands out each finished line without its line feed. A line past `maximumBytes` is reported once through `onTooLong`;
the reader then swallows everything: the stream cannot be trusted any more.
*/
export function createLineReader(options: {
	readonly maximumBytes: number;
	readonly onLine: (line: string) => void;
	readonly onTooLong: () => void;
}): LineReader {
	let pieces: Buffer[] = [];
	let length = 0;
	let broken = false;

	const keep = (piece: Buffer) => {
		length += piece.length;
		if (length <= options.maximumBytes) {
			pieces.push(piece);
		} else if (!broken) {
			broken = true;
			pieces = [];
			options.onTooLong();
		}
	};

	const finish = () => {
		if (broken) {
			return;
		}

		const line = Buffer.concat(pieces).toString('utf8');
		pieces = [];
		length = 0;
		options.onLine(line);
	};

	return {
		push(chunk) {
			let rest = chunk;
			for (let end = rest.indexOf(lineFeed); end !== -1; end = rest.indexOf(lineFeed)) {
				keep(rest.subarray(0, end));
				finish();
				rest = rest.subarray(end + 1);
			}

			keep(rest);
		},
	};
}
