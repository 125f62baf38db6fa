import {constants, zstdCompressSync, zstdDecompressSync} from 'node:zlib';
import {z} from 'zod';

/** How the bytes of a column are stored. */
export const packedEncoding = z.enum(['plain', 'zstd']);

/** Bytes as they are stored in their row. */
type PackedBytes = {
	readonly bytes: Uint8Array;
	readonly encoding: z.infer<typeof packedEncoding>;
};

/** Below this size, compressing costs more than the disk space it saves. */
const worthCompressingBytes = 2048;

/** Compresses anything over 2 KB at the fastest level, unless the result is no smaller. */
export function packBytes(whole: Uint8Array): PackedBytes {
	if (whole.length <= worthCompressingBytes) {
		return {bytes: whole, encoding: 'plain'};
	}

	const bytes = zstdCompressSync(whole, {params: {[constants.ZSTD_c_compressionLevel]: 1}});
	return bytes.length < whole.length ? {bytes, encoding: 'zstd'} : {bytes: whole, encoding: 'plain'};
}

/** The bytes as they were before. */
export function unpackBytes(packed: PackedBytes): Uint8Array {
	switch (packed.encoding) {
		case 'plain':
			return packed.bytes;
		case 'zstd':
			return new Uint8Array(zstdDecompressSync(packed.bytes));
	}
}
