/** Limits of a form of several parts (docs/webhooks.md, Limits). */
export const multipartLimits = {parts: 100, headerBytes: 8192, boundaryCharacters: 70} as const;

/** One part of a form. A part with `fileName` is a file; the name is text, never a path. */
export type FormPart = {
	readonly name: string;
	readonly fileName: string | undefined;
	readonly contentType: string | undefined;
	/** A view of the body. */
	readonly content: Uint8Array;
	/** The position of the content in the body. */
	readonly start: number;
};

/** The parts in the order sent, or why the body is no such form, in words that are safe to show. */
export type PartsReading =
	| {readonly kind: 'parts'; readonly parts: readonly FormPart[]}
	| {readonly kind: 'malformed'; readonly reason: string};

/** Refuses a body; caught by `readParts`. */
class Malformed extends Error {}

/**
Reads `multipart/form-data` (RFC 7578, with the names as browsers write them) from a complete body in one pass. Text before the first
boundary and after the final one is skipped. Never throws.
*/
export function readParts(body: Uint8Array, contentType: string): PartsReading {
	try {
		return {kind: 'parts', parts: partsOf(asBuffer(body), boundaryOf(contentType))};
	} catch (caught) {
		if (caught instanceof Malformed) {
			return {kind: 'malformed', reason: caught.message};
		}

		throw caught;
	}
}

function partsOf(body: Buffer, boundary: string): readonly FormPart[] {
	const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
	const lineBreakBytes = 2;
	const isAtStart = body.subarray(0, delimiter.length - lineBreakBytes).equals(delimiter.subarray(lineBreakBytes));
	const first = isAtStart ? -lineBreakBytes : body.indexOf(delimiter);
	if (!isAtStart && first === -1) {
		throw new Malformed('it does not contain its boundary');
	}

	const parts: FormPart[] = [];
	let at = first + delimiter.length;
	while (!isFinal(body, at)) {
		if (parts.length === multipartLimits.parts) {
			throw new Malformed(`it has more than ${multipartLimits.parts} parts`);
		}

		const from = endOfLine(body, at);
		const head = readHead(body, from);
		// The blank line of a part without content may be followed by the boundary at once.
		const end = body.indexOf(delimiter, head.end - lineBreakBytes);
		if (end === -1) {
			throw new Malformed('the final boundary is missing');
		}

		const start = head.end;
		parts.push({...readDisposition(head.text, boundary), content: body.subarray(start, Math.max(start, end)), start});
		at = end + delimiter.length;
	}

	return parts;
}

function isFinal(body: Buffer, at: number): boolean {
	return body[at] === hyphen && body[at + 1] === hyphen;
}

const [hyphen, space, tab] = [0x2d, 0x20, 0x09];

/** The end of the line of a boundary, where only blanks may stand (RFC 2046, 5.1.1). */
function endOfLine(body: Buffer, at: number): number {
	let end = at;
	while (body[end] === space || body[end] === tab) {
		end++;
	}

	if (end >= body.length) {
		throw new Malformed('the final boundary is missing');
	}

	if (body.subarray(end, end + 2).toString('latin1') !== '\r\n') {
		throw new Malformed('its boundary is followed by text');
	}

	return end + 2;
}

/** The headers of a part that begins at `from`, and where its content begins. */
function readHead(body: Buffer, from: number): {readonly text: string; readonly end: number} {
	const {headerBytes} = multipartLimits;
	const head = body.subarray(from, from + headerBytes + blankLine.length);
	const length = head.indexOf(blankLine);
	if (length === -1) {
		throw new Malformed(
			head.length > headerBytes
				? `the headers of a part exceed ${headerBytes} bytes`
				: 'the headers of a part do not end',
		);
	}

	const text = decode(head.subarray(0, length), 'utf-8');
	if (text === undefined) {
		throw new Malformed('the headers of a part are not UTF-8');
	}

	return {text, end: from + length + blankLine.length};
}

const blankLine = Buffer.from('\r\n\r\n');

const headerPattern = /^([!#$%&'*+\-.^_`|~\w]+):[ \t]*(.*)$/u;
const controlPattern = /[\0-\u0008\u000A-\u001F\u007F]/u;

/** The headers by lower-case name. Folded lines, control characters and a header that occurs twice are refused. */
function readHeaders(text: string, boundary: string): ReadonlyMap<string, string> {
	const headers = new Map<string, string>();
	for (const line of text.split('\r\n')) {
		const [, name = '', value = ''] = headerPattern.exec(line) ?? [];
		if (name === '' || controlPattern.test(line) || line.startsWith(`--${boundary}`)) {
			throw new Malformed('a header of a part is malformed');
		}

		if (headers.has(name.toLowerCase())) {
			throw new Malformed('a part has a header twice');
		}

		headers.set(name.toLowerCase(), value.trim());
	}

	return headers;
}

const plainEncodings: ReadonlySet<string> = new Set(['', '7bit', '8bit', 'binary']);

/** Name, file name and type of a part, from its headers. */
function readDisposition(text: string, boundary: string): Pick<FormPart, 'name' | 'fileName' | 'contentType'> {
	const headers = readHeaders(text, boundary);
	const disposition = readParameters(headers.get('content-disposition') ?? '');
	const name = disposition?.parameters.get('name');
	if (disposition?.value !== 'form-data' || name === undefined) {
		throw new Malformed('a part has no name');
	}

	const contentType = headers.get('content-type');
	if (contentType !== undefined && /^multipart\//iu.test(contentType)) {
		throw new Malformed('a part consists of parts itself');
	}

	if (!plainEncodings.has(headers.get('content-transfer-encoding')?.toLowerCase() ?? '')) {
		throw new Malformed('the transfer encoding of a part is not supported');
	}

	return {name: decodeName(name), fileName: fileNameOf(disposition.parameters), contentType};
}

function fileNameOf(parameters: ReadonlyMap<string, string>): string | undefined {
	const plain = parameters.get('filename');
	const extended = parameters.get('filename*');
	return extended === undefined ? plain && decodeName(plain) : decodeExtended(extended);
}

/** Browsers escape three characters of a name and leave all others as they are (https://html.spec.whatwg.org/#multipart-form-data). */
function decodeName(name: string): string {
	return name.replaceAll(/%(0A|0D|22)/giu, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

/** A name as RFC 8187 writes it, which older libraries send. */
function decodeExtended(value: string): string {
	const [, encoded] = /^utf-8'[^']*'(.*)$/iu.exec(value) ?? [];
	try {
		if (encoded !== undefined) {
			return decodeURIComponent(encoded);
		}
	} catch {
		// Its escapes are not UTF-8.
	}

	throw new Malformed('a file name is not encoded in UTF-8');
}

const parameterPattern = /[ \t]*;[ \t]*([!#$%&'*+\-.^_`|~\w]+)=(?:"([^"]*)"|([^\s";]+))/uy;

/** The value of a header in lower case, and its parameters by lower-case name; undefined when they are malformed or occur twice. */
function readParameters(
	header: string,
): {readonly value: string; readonly parameters: ReadonlyMap<string, string>} | undefined {
	const end = header.indexOf(';');
	const value = (end === -1 ? header : header.slice(0, end)).trim().toLowerCase();
	const parameters = new Map<string, string>();
	for (let at = end === -1 ? header.length : end; at < header.length; ) {
		parameterPattern.lastIndex = at;
		const [whole, name = '', quoted, plain] = parameterPattern.exec(header) ?? [];
		if (whole === undefined || parameters.has(name.toLowerCase())) {
			return undefined;
		}

		parameters.set(name.toLowerCase(), quoted ?? plain ?? '');
		at += whole.length;
	}

	return {value, parameters};
}

/** The boundary of a form. RFC 2046 allows 70 characters; which ones is left to the sender, as long as they can be seen. */
function boundaryOf(contentType: string): string {
	const boundary = readParameters(contentType)?.parameters.get('boundary');
	if (boundary === undefined || boundary === '') {
		throw new Malformed('its content type names no boundary');
	}

	if (boundary.length > multipartLimits.boundaryCharacters) {
		throw new Malformed(`its boundary exceeds ${multipartLimits.boundaryCharacters} characters`);
	}

	if (!/^[ -~]*[!-~]$/u.test(boundary)) {
		throw new Malformed('its boundary has characters that a boundary may not have');
	}

	return boundary;
}

/** The text of a part, in the character set that its type names, else UTF-8; undefined when it is not such text. */
export function textOfPart({content, contentType}: Pick<FormPart, 'content' | 'contentType'>): string | undefined {
	return decode(content, readParameters(contentType ?? '')?.parameters.get('charset') ?? 'utf-8');
}

function decode(bytes: Uint8Array, charset: string): string | undefined {
	try {
		return new TextDecoder(charset, {fatal: true, ignoreBOM: true}).decode(bytes);
	} catch {
		return undefined;
	}
}

function asBuffer({buffer, byteOffset, byteLength}: Uint8Array): Buffer {
	return Buffer.from(buffer, byteOffset, byteLength);
}
