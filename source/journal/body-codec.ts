import {constants, zstdCompressSync, zstdDecompressSync} from 'node:zlib';
import {z} from 'zod';

/** How the bytes of a body are kept. */
export const bodyEncoding = z.enum(['plain', 'zstd']);

/** A body as it lies in its row. */
export type PackedBody = {
	readonly bytes: Uint8Array;
	readonly encoding: z.infer<typeof bodyEncoding>;
};

/** Below this size compressing costs more than the disk it saves. */
const worthCompressingBytes = 2048;

/** Compresses a body over 2 KB at the fastest level, unless that makes it no smaller. */
export function packBody(body: Uint8Array): PackedBody {
	if (body.length <= worthCompressingBytes) {
		return {bytes: body, encoding: 'plain'};
	}

	const bytes = zstdCompressSync(body, {params: {[constants.ZSTD_c_compressionLevel]: 1}});
	return bytes.length < body.length ? {bytes, encoding: 'zstd'} : {bytes: body, encoding: 'plain'};
}

/** The body as it came. */
export function unpackBody(packed: PackedBody): Uint8Array {
	switch (packed.encoding) {
		case 'plain':
			return packed.bytes;
		case 'zstd':
			return new Uint8Array(zstdDecompressSync(packed.bytes));
	}
}
