import {type ChildProcess, spawn} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {ownProgram} from '../../util/own-program.ts';

/** Ends child process groups even when the gateway is killed. */
export type ChildWatcher = {
	/**
	Call it just before a child is started, so that the watcher runs by then: even if this process is killed right after the start, the watcher has
	the group. The returned function adds a process group to the list, to be ended when this process exits; its result removes the group.
	*/
	readonly guard: () => (group: number) => () => void;
	/** Stops the watcher. Groups still on its list are ended. */
	readonly close: () => void;
};

const restartLimit = 3;

/**
Starts the watcher: one small process that reads the groups from a pipe (docs/connections.md, States).
It starts before the first child, leads a process group so that Ctrl-C does not reach it, and does not keep this process alive.
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
		const child = spawn(process.execPath, [fileURLToPath(ownProgram('child-watcher-process', import.meta.url))], {
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
