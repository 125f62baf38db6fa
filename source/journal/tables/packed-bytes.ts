import {constants, zstdCompressSync, zstdDecompressSync} from 'node:zlib';
import {z} from 'zod';

/** The encoding of bytes in their row. */
const packedEncoding = z.enum(['plain', 'zstd']);

/** Bytes as they are stored in their row. */
export type PackedBytes = {
	readonly bytes: Uint8Array;
	readonly encoding: z.infer<typeof packedEncoding>;
};

/** Below this size, compressing costs more than the disk space it saves. */
const worthCompressingBytes = 2048;

/** Compresses anything over 2 KB at the fastest level, unless the result is no smaller. */
export function packBytes(content: Uint8Array): PackedBytes {
	if (content.length <= worthCompressingBytes) {
		return {bytes: content, encoding: 'plain'};
	}

	const bytes = zstdCompressSync(content, {params: {[constants.ZSTD_c_compressionLevel]: 1}});
	return bytes.length < content.length ? {bytes, encoding: 'zstd'} : {bytes: content, encoding: 'plain'};
}

/** A column of bytes or a text, and that of its encoding; without one it is stored as it is. */
export const contentColumn = z.union([z.instanceof(Uint8Array), z.string()]).nullable();
export const encodingColumn = packedEncoding.nullable();

/** The content of such columns as it was before. */
export function unpackBytes(
	content: z.output<typeof contentColumn>,
	encoding: z.output<typeof encodingColumn>,
): Uint8Array | undefined {
	const bytes = typeof content === 'string' ? Buffer.from(content) : content;
	return bytes ? new Uint8Array(encoding === 'zstd' ? zstdDecompressSync(bytes) : bytes) : undefined;
}

/** The same of a text. */
export function unpackText(...columns: Parameters<typeof unpackBytes>): string | undefined {
	const [content] = columns;
	const bytes = typeof content === 'string' ? undefined : unpackBytes(...columns);
	return typeof content === 'string' ? content : bytes && Buffer.from(bytes).toString('utf8');
}
