import {createHash} from 'node:crypto';
import {mkdir, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {randomId} from '../util/random-id.ts';
import {type SaveMedia} from './tool-result.ts';

/** File extensions by media type. Anything else is saved as `.bin`: a server must not choose the program that opens a file. */
const endings: Readonly<Record<string, string>> = {
	'image/png': 'png',
	'image/jpeg': 'jpg',
	'image/gif': 'gif',
	'image/webp': 'webp',
	'audio/mpeg': 'mp3',
	'audio/wav': 'wav',
	'audio/ogg': 'ogg',
	'application/pdf': 'pdf',
	'text/plain': 'txt',
};

/** Saves media in `directory` (created when needed), named by their content: the same image is saved once. */
export function createMediaFolder(directory: string): SaveMedia {
	return async ({bytes, mimeType}) => {
		const ending = Object.hasOwn(endings, mimeType) ? endings[mimeType] : 'bin';
		const path = join(directory, `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${ending}`);
		const temporary = `${path}.${randomId()}.tmp`;
		await mkdir(directory, {recursive: true, mode: 0o700});
		await writeFile(temporary, bytes, {mode: 0o600, flush: true});
		await rename(temporary, path);
		return path;
	};
}
