import {statSync} from 'node:fs';

/** Tells one content of a file from another without reading it; `absent` when there is none. */
export function fileStamp(path: string): string {
	const stats = statSync(path, {throwIfNoEntry: false});
	return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : 'absent';
}
