import {watch} from 'chokidar';
import {fileStamp} from '../values/text-file.ts';

/** A watched file. */
export type FileWatch = {
	/** Resolves when changes are detected from now on. */
	readonly ready: Promise<void>;
	readonly close: () => Promise<void>;
};

/** The system watches a file by its folder, where the journal writes all the time; a look at one file each second costs nothing beside that. */
const pollMilliseconds = 1000;

/**
Calls `onChange` when the file is written, replaced, created or removed, even if it does not exist yet. The writes of one save cause one call.
When watching fails, `onChange` is no longer called; a manual reload still works.
`since` is the stamp of the known content, so that changes before the first check are detected too.
*/
export function watchFile(path: string, onChange: () => void, since = fileStamp(path)): FileWatch {
	let state: 'open' | 'closed' = 'open';
	const watcher = watch(path, {ignoreInitial: true, usePolling: true, interval: pollMilliseconds});
	const changed = () => {
		if (state === 'open') {
			onChange();
		}
	};

	const ready = new Promise<void>(resolve => {
		watcher.on('ready', () => {
			resolve();
			if (fileStamp(path) !== since) {
				changed();
			}
		});
	});
	watcher.on('add', changed).on('change', changed).on('unlink', changed);
	watcher.on('error', () => undefined);
	return {
		ready,
		async close() {
			state = 'closed';
			await watcher.close();
		},
	};
}
