import {type ChildProcess, fork, spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {createInterface} from 'node:readline';

/** The work of a side. */
export type CallOrder = {readonly callers: number; readonly calls: number};

/** The times of its calls and of all of them together, in milliseconds. */
export type CallTimes = {
	readonly times: readonly number[];
	readonly milliseconds: number;
	readonly processorMilliseconds: number;
};

/** A client in a process of its own. */
export type CallSide = {
	readonly measure: (order: CallOrder) => Promise<CallTimes>;
	readonly stop: () => Promise<void>;
};

/** The flags of Sluice itself (`bin.ts`), for every process alike. */
export const flags = ['--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'];

/** The bare client, or Sluice with no rules, with 200 rules for many tools, and with 200 for the tool that is called. */
export type SideKind = 'bare' | 'sluice' | 'sluice-rules-of-many' | 'sluice-rules-of-one';

/** Starts one of the sides against a server. */
export function startSide(kind: SideKind, url: string): Promise<CallSide> {
	return startCaller('call-side.ts', [kind, url]);
}

/** Starts a program of this folder that takes orders (`takeOrders`). */
export async function startCaller(program: string, args: readonly string[]): Promise<CallSide> {
	const child = fork(join(import.meta.dirname, program), args, {
		execArgv: flags,
		serialization: 'advanced',
	});
	await hear(child);
	return {
		async measure(order) {
			child.send(order);
			return (await hear(child)) as CallTimes;
		},
		async stop() {
			if (child.connected) {
				const gone = once(child, 'exit');
				child.disconnect();
				await gone;
			}
		},
	};
}

/** The next message of a child; rejects when it ends instead. */
function hear(child: ChildProcess): Promise<unknown> {
	return new Promise((resolve, reject) => {
		const onExit = () => reject(new Error('a client ended'));
		child.once('exit', onExit);
		child.once('message', message => {
			child.off('exit', onExit);
			resolve(message);
		});
	});
}

/** The server both sides talk to, in a process of its own. */
export async function startServer() {
	const program = join(import.meta.dirname, 'echo-server.ts');
	const child = spawn(process.execPath, [...flags, program], {stdio: ['ignore', 'pipe', 'inherit']});
	for await (const line of createInterface({input: child.stdout})) {
		return {url: line, pid: child.pid ?? 0, stop: () => child.kill('SIGKILL')};
	}

	throw new Error('the server said nothing');
}
