import {watch} from 'chokidar';
import {fileStamp} from '../values/text-file.ts';

/** A file that is being watched. */
export type FileWatch = {
	/** Resolves when changes are seen from now on. */
	readonly ready: Promise<void>;
	readonly close: () => Promise<void>;
};

/**
Calls `onChange` when the file was written, replaced, made or removed, also when it is not there yet. The writes of one save are one call.
When watching fails `onChange` is simply not called any more; a reload by hand still works.
`since` is the stamp of the content that is known already: what changed between then and the first look is seen too.
*/
export function watchFile(path: string, onChange: () => void, since = fileStamp(path)): FileWatch {
	let state: 'open' | 'closed' = 'open';
	const watcher = watch(path, {ignoreInitial: true});
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
