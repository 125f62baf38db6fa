import {readFile, realpath, stat} from 'node:fs/promises';
import {sep} from 'node:path';
import {Problem} from '../../util/problem.ts';

/** The image types that models accept. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** An image, with the type detected from its bytes. */
export type ImageFile = {readonly bytes: Uint8Array; readonly mediaType: ImageType};

/** More than models accept. */
export const largestImageBytes = 5 * 1024 * 1024;

/** The image in these bytes; undefined when models would not accept it. A declared type is ignored. Pure. */
export function toImage(bytes: Uint8Array): ImageFile | undefined {
	const mediaType = bytes.length <= largestImageBytes ? imageType(bytes) : undefined;
	return mediaType && {bytes, mediaType};
}

function imageType(bytes: Uint8Array): ImageType | undefined {
	const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
	if (head.startsWith('\u0089PNG\r\n\u001A\n')) {
		return 'image/png';
	}

	if (head.startsWith('\u00FF\u00D8\u00FF')) {
		return 'image/jpeg';
	}

	if (/^GIF8[79]a/u.test(head)) {
		return 'image/gif';
	}

	return /^RIFF.{4}WEBP/su.test(head) ? 'image/webp' : undefined;
}

/** Reads an image below `folder`, links resolved. Throws `invalid_arguments` for a path outside of it and for other files. */
export async function readImage(path: string, folder: string): Promise<ImageFile> {
	const [real, root] = await Promise.all([path, folder].map(one => realpath(one).catch(() => undefined)));
	if (real === undefined || root === undefined || !real.startsWith(root + sep)) {
		throw new Problem('invalid_arguments', {message: 'Only images in tool results can be read by path'});
	}

	const {size} = await stat(real);
	const image = size <= largestImageBytes ? toImage(await readFile(real)) : undefined;
	if (!image) {
		throw new Problem('invalid_arguments', {message: 'The file is not a PNG, JPEG, GIF or WebP of at most 5 MB'});
	}

	return image;
}
