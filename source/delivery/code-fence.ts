/** A code fence that was opened and not closed. */
export type OpenFence = {
	/** What closes it: ` ``` `. */
	readonly marker: string;
	/** The line that opened it: ` ```typescript `. */
	readonly line: string;
};

/** A line that may open or close a fence. Markers longer than 16 signs are text. */
const fenceLine = /^ {0,3}(`{3,16}(?!`)|~{3,16}(?!~))(.*)$/u;

/** The fence that is open after a line (CommonMark: a fence is closed by at least as many of the same signs and nothing behind them). */
export function nextFence(line: string, open: OpenFence | undefined): OpenFence | undefined {
	const match = fenceLine.exec(line);
	const marker = match?.[1] ?? '';
	const info = match?.[2] ?? '';
	if (open) {
		return marker.startsWith(open.marker) && info.trim() === '' ? undefined : open;
	}

	// Backticks behind the opening ones make it inline code.
	return marker === '' || (marker.startsWith('`') && info.includes('`')) ? undefined : {marker, line: line.trim()};
}

/** The fence that is open after a text. */
export function fenceAfter(text: string, open: OpenFence | undefined): OpenFence | undefined {
	return text.split('\n').reduce<OpenFence | undefined>((fence, line) => nextFence(line, fence), open);
}
