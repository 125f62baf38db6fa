import {type ChildProcess, spawn} from 'node:child_process';
import {fileURLToPath} from 'node:url';

/** Sees to it that child trees end even when the gateway is killed. */
export type ChildWatcher = {
	/**
	To be called just before a child is started, so that the watcher is up by then: a process that is killed right after the start has reported the
	group already. The returned function ends that process group when this process goes away; what it returns takes the group off the list.
	*/
	readonly guard: () => (group: number) => () => void;
	/** Lets the watcher go. Groups still on its list are ended. */
	readonly close: () => void;
};

const restartLimit = 3;

/**
Opens the watcher: one small process that holds a pipe from this one and learns the groups (docs/tool-servers.md, States).
It starts before the first child, leads a group of its own so that no Ctrl-C reaches it, and does not keep this process alive.
*/
export function createChildWatcher(): ChildWatcher {
	const groups = new Set<number>();
	let watcher: ChildProcess | undefined;
	let restarts = 0;
	let closed = false;

	const report = (line: string) => {
		watcher?.stdin?.write(`${line}\n`);
	};

	const start = () => {
		const child = spawn(process.execPath, [watcherProgram()], {
			stdio: ['pipe', 'ignore', 'ignore'],
			detached: true,
			env: {},
		});
		watcher = child;
		child.on('error', () => {});
		child.stdin.on('error', () => {});
		child.on('exit', () => {
			watcher = undefined;
			if (!closed && groups.size > 0 && restarts < restartLimit) {
				restarts++;
				start();
			}
		});
		child.unref();
		for (const group of groups) {
			report(`+${group}`);
		}
	};

	return {
		guard() {
			if (!watcher && !closed) {
				start();
			}

			return group => {
				groups.add(group);
				report(`+${group}`);
				return () => {
					if (groups.delete(group)) {
						report(`-${group}`);
					}
				};
			};
		},
		close() {
			closed = true;
			watcher?.stdin?.end();
			watcher = undefined;
		},
	};
}

/** The program beside this file: TypeScript in the source tree, JavaScript once it is built. */
function watcherProgram(): string {
	const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
	return fileURLToPath(new URL(`./child-watcher-process${extension}`, import.meta.url));
}
