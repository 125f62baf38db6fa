/*
Reads a mail as a mail program does, from RFC 5322 (header folding, line length), RFC 2045 (transfer encodings),
RFC 2046 (multipart) and RFC 2047 (encoded words). Only what a text mail needs.
*/

/** A mail: headers by lower-case name, and its first `text/plain` part, decoded. */
export type MailMessage = {readonly headers: ReadonlyMap<string, string>; readonly text: string | undefined};

/** Reads the bytes between DATA and the final dot. */
export function readMail(raw: string): MailMessage {
	const [head = '', ...rest] = raw.split('\r\n\r\n');
	const headers = new Map(
		head
			.replaceAll(/\r\n[ \t]+/g, ' ')
			.split('\r\n')
			.map(line => [
				line.slice(0, line.indexOf(':')).toLowerCase(),
				decodedWords(line.slice(line.indexOf(':') + 1).trim()),
			]),
	);
	return {headers, text: plainText(headers, rest.join('\r\n\r\n'))};
}

/** The faults in the form of a mail. */
export function mailFaults(raw: string): string[] {
	const lines = raw.split('\r\n');
	const [head = ''] = raw.split('\r\n\r\n');
	return [
		...(/(^|[^\r])\n|\r(?!\n)/.test(raw) ? ['a bare CR or LF'] : []),
		...(lines.some(line => Buffer.byteLength(line, 'latin1') > 998) ? ['a line of more than 998 octets'] : []),
		...(/[^\x00-\x7f]/.test(head) ? ['a header that is not ASCII'] : []),
	];
}

function plainText(headers: ReadonlyMap<string, string>, body: string): string | undefined {
	const type = headers.get('content-type') ?? 'text/plain';
	if (type.startsWith('multipart/')) {
		const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1] ?? '';
		const parts = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1);
		return parts.map(part => readMail(part.replace(/^\r\n/, '')).text).find(text => text !== undefined);
	}

	return type.startsWith('text/plain') ? decoded(body, headers.get('content-transfer-encoding') ?? '7bit') : undefined;
}

/** `body` has one character per octet; the text is UTF-8 and its lines end with LF. */
function decoded(body: string, encoding: string): string {
	const octets = {
		base64: () => Buffer.from(body, 'base64'),
		'quoted-printable': () => unquoted(body.replaceAll(/=\r\n/g, '')),
	}[encoding.toLowerCase()];
	return (octets?.() ?? Buffer.from(body, 'latin1')).toString('utf8').replaceAll('\r\n', '\n').replace(/\n$/, '');
}

function unquoted(text: string): Buffer {
	const octets = text.replaceAll(/=([0-9A-F]{2})/gi, (_found, hex: string) =>
		String.fromCodePoint(Number.parseInt(hex, 16)),
	);
	return Buffer.from(octets, 'latin1');
}

function decodedWords(value: string): string {
	return value
		.replaceAll(/\?=\s+=\?/g, '?==?')
		.replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_found, encoding: string, text: string) =>
			(encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : unquoted(text.replaceAll('_', ' '))).toString(
				'utf8',
			),
		);
}
