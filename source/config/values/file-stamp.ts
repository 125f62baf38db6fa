import {statSync} from 'node:fs';

/** The stamp of no file. */
export const absentStamp = 'absent';

/** Tells one content of a file from another without reading it; `absentStamp` when there is none. */
export function fileStamp(path: string): string {
	const stats = statSync(path, {throwIfNoEntry: false});
	return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : absentStamp;
}
