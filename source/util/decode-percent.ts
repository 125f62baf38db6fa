/** A text with its percent signs decoded as UTF-8 (RFC 3986 §2.1), bytes that are none as U+FFFD. Takes time proportional to the text. */
export function decodePercent(text: string): string {
	return text.replace(/(?:%[\da-f]{2})+/giu, run => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}
