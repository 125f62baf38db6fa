import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';

/** The program of a PostgreSQL server on its data. It ends with the process that started it. */
type ServerProcess = {
	/** Resolves when it takes connections. */
	readonly start: () => Promise<void>;
	/** Without effect on one that has ended by itself. */
	readonly stop: (how?: 'cleanly' | 'at once') => Promise<void>;
	/** Ends it at once, if it runs. */
	readonly end: () => Promise<void>;
};

/** Creates it; nothing is started yet. */
export function createServerProcess({
	program,
	data,
	account,
}: {
	readonly program: string;
	readonly data: string;
	readonly account: {readonly uid?: number; readonly gid?: number};
}): ServerProcess {
	let server: ChildProcess | undefined;
	return {
		async start() {
			// The process that started it may end in any way: then its input is over.
			const script = 'exec 3<&0; "$0" -D "$1" </dev/null 3<&- & read -r _ <&3; kill -QUIT $! 2>/dev/null; wait $!';
			server = spawn('sh', ['-c', script, program, data], {
				...account,
				cwd: dirname(data),
				stdio: ['pipe', 'ignore', 'ignore'],
			});
			await untilReady(data);
		},
		async stop(how = 'cleanly') {
			const ending = server && new Promise(resolve => server?.once('exit', resolve));
			if (isRunning(processId(data))) {
				process.kill(processId(data), how === 'at once' ? 'SIGQUIT' : 'SIGINT');
			}

			while (existsSync(join(data, 'postmaster.pid')) && isRunning(processId(data))) {
				await sleep(10);
			}

			server?.stdin?.end();
			await ending;
		},
		async end() {
			server?.stdin?.end();
			await (server?.exitCode === null && once(server, 'exit'));
		},
	};
}

async function untilReady(data: string): Promise<void> {
	const file = join(data, 'postmaster.pid');
	for (let tries = 0; tries < 3000; tries++) {
		if (existsSync(file) && /^ready/mu.test(readFileSync(file, 'utf8'))) {
			return;
		}

		await sleep(10);
	}

	throw new Error('The PostgreSQL server did not start');
}

/** A file that is just being removed has none. */
function processId(data: string): number {
	try {
		return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
	} catch {
		return Number.NaN;
	}
}

function isRunning(id: number): boolean {
	try {
		return Number.isInteger(id) && process.kill(id, 0);
	} catch {
		return false;
	}
}
