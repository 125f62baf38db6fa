/** The text, or its start and end with a line between them that says how much was left out; never longer than `maximumCharacters` (UTF-16 units). */
export function cutMiddle(text: string, maximumCharacters: number): string {
	if (text.length <= maximumCharacters) {
		return text;
	}

	const mark = (cut: number) => `\n… ${cut.toLocaleString('en-US')} characters cut …\n`;
	const room = maximumCharacters - mark(text.length).length;
	const head = text.slice(0, Math.ceil(room / 2)).replace(/[\uD800-\uDBFF]$/u, '');
	const tail = text.slice(text.length - Math.floor(room / 2)).replace(/^[\uDC00-\uDFFF]/u, '');
	return `${head}${mark(text.length - head.length - tail.length)}${tail}`;
}
