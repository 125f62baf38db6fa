/** What a server is told it may compress with. */
export const acceptedEncodings = 'gzip, deflate';

/** The body of an answer without the compression that its `content-encoding` names; one of another kind was not asked for and stays as it is. */
export function decodedBody(
	body: ReadableStream<Uint8Array>,
	contentEncoding: string | null,
): ReadableStream<Uint8Array> {
	const format = formatOf(contentEncoding ?? '');
	return format === undefined ? body : body.pipeThrough(new DecompressionStream(format));
}

function formatOf(contentEncoding: string): 'gzip' | 'deflate' | undefined {
	switch (contentEncoding.trim().toLowerCase()) {
		case 'gzip':
		case 'x-gzip':
			return 'gzip';
		case 'deflate':
			return 'deflate';
		default:
			return undefined;
	}
}
