import {type ChildProcessWithoutNullStreams, spawn} from 'node:child_process';
import {statSync} from 'node:fs';
import {resolve} from 'node:path';
import {type JSONRPCMessage, parseJSONRPCMessage, serializeMessage, type Transport} from '@modelcontextprotocol/client';
import {type Clock, sleep} from '../../util/clock.ts';
import {programOfLine} from '../../config/servers/server-transport.ts';
import {parseJson} from '../../util/json-text.ts';
import {shellWord} from '../../util/named-commands.ts';
import {errorText, Problem, systemErrorCode, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {endGroup} from './end-group.ts';
import {isLogMessage} from '../protocol/log-message.ts';
import {createLineBuffer} from './line-buffer.ts';
import {type ServerLog} from './server-log.ts';

export type StdioTransportOptions = {
	readonly command: string;
	readonly args: readonly string[];
	/** The folder it starts in; undefined: that of this process. */
	readonly workingDirectory?: string | undefined;
	/** The complete environment of the child. */
	readonly environment: Readonly<Record<string, string>>;
	readonly clock: Clock;
	readonly log: ServerLog;
	/** Called before the child starts; the returned function adds its group to the watcher and returns a function that removes it. */
	readonly guard: () => (group: number) => () => void;
	/** The largest message in bytes. */
	readonly messageLimitBytes: number;
	/** Normalises a message of the server, when possible; one that it made itself is valid. */
	readonly received?: (value: unknown) => unknown;
};

/** A stdio transport, and how its process ended. */
export type StdioTransport = Transport & {readonly ended: () => Problem | undefined};

/** The time to wait for pending output after the process has exited. */
const drainMilliseconds = 200;

/** The time to wait for the exit of a process that reads no more, with its output. */
const exitMilliseconds = 2 * drainMilliseconds;

/**
Runs a server as a child process in its own group and exchanges JSON lines with it. Its stderr goes to the log, as does
stdout that is not a message. `start` rejects with Problem `command_not_found`; `close` ends the whole group and never rejects.
*/
export function createStdioTransport(options: StdioTransportOptions): StdioTransport {
	let child: ChildProcessWithoutNullStreams | undefined;
	let ended: Problem | undefined;
	let closing: Promise<void> | undefined;
	let markExited: () => void = () => {};
	const exited = new Promise<void>(resolve => {
		markExited = resolve;
	});

	let isFinished = false;
	const finished = Promise.withResolvers<void>();
	const finish = (problem: Problem) => {
		ended ??= problem;
		if (!isFinished) {
			isFinished = true;
			finished.resolve();
			transport.onclose?.();
		}
	};

	/** A process that ended reads no more, which is seen before its exit is. */
	const asEnded = async (caught: unknown): Promise<never> => {
		if (toProblem(caught).code === 'server_exited') {
			await Promise.race([finished.promise, sleep(options.clock, exitMilliseconds)]);
		}

		throw ended ?? caught;
	};

	const end = async (group: number, running: ChildProcessWithoutNullStreams, release: () => void) => {
		await endGroup({clock: options.clock, group, closeInput: () => running.stdin.end(), exited});
		release();
		// A grandchild outside the group may hold the pipes open.
		running.stdout.destroy();
		running.stderr.destroy();
		finish(new Problem('server_exited', {message: 'The connection was closed'}));
	};

	let close: () => Promise<void> = async () => finish(new Problem('server_exited'));
	const transport: StdioTransport = {
		async start() {
			options.log.begin();
			const {running, release} = await spawnServer(options);
			const group = running.pid ?? 0;
			child = running;
			close = () => end(group, running, release);
			running.once('exit', (code, signal) => {
				markExited();
				const problem = exitProblem(code, signal);
				options.log.note(problem.message);
				void sleep(options.clock, drainMilliseconds).then(() => finish(problem));
				running.once('close', () => finish(problem));
			});
			readMessages(running, options, transport, problem => {
				ended ??= problem;
			});
		},
		send: message => writeMessage(child, message).catch(asEnded),
		close() {
			closing ??= close();
			return closing;
		},
		ended: () => ended,
	};
	return transport;
}

function spawnServer(options: StdioTransportOptions): Promise<{
	readonly running: ChildProcessWithoutNullStreams;
	/** Removes the group from the watcher's list. */
	readonly release: () => void;
}> {
	const {command, args, workingDirectory, environment, guard} = options;
	return new Promise((resolve, reject) => {
		const fail = (error: unknown) => {
			reject(
				new Problem('command_not_found', {...spawnFailure(options, error), detail: errorText(error), cause: error}),
			);
		};

		try {
			const watchGroup = guard();
			const child = spawn(command, [...args], {
				cwd: workingDirectory,
				env: {...environment},
				stdio: ['pipe', 'pipe', 'pipe'],
				detached: true,
				shell: false,
				windowsHide: true,
			});
			// At once: if this process is killed before the next turn, the watcher must already have the group.
			const release = child.pid === undefined ? () => undefined : watchGroup(child.pid);
			child.once('error', error => {
				release();
				fail(error);
			});
			child.once('spawn', () => resolve({running: child, release}));
			child.stdin.on('error', error => options.log.note(`input: ${error.message}`));
		} catch (error) {
			// Throws at once for a command with a NUL byte, for example.
			fail(error);
		}
	});
}

/** True for a command that is the path of a file; without a slash the system looks for it in PATH (execvp(3)). */
function isPlainFile(command: string, folder: string): boolean {
	return command.includes('/') && statSync(resolve(folder, command), {throwIfNoEntry: false})?.isFile() === true;
}

/** The reason that a command did not start, with a remedy if it is a full command line. */
function spawnFailure(
	{command, workingDirectory = '.'}: Pick<StdioTransportOptions, 'command' | 'workingDirectory'>,
	error: unknown,
): {readonly message: string; readonly remedy?: string} {
	const message = `The command ${safeText(command, {maximumCharacters: 200})}`;
	const code = systemErrorCode(error);
	if (code === 'EACCES' && isPlainFile(command, workingDirectory)) {
		return {message: `${message} is not executable`, remedy: `Run \`chmod +x ${shellWord(command)}\``};
	}

	if (code !== 'ENOENT') {
		return {message: `${message} cannot be run`};
	}

	const program = programOfLine(command);
	return program === undefined
		? {message: `${message} was not found`}
		: {
				message: `${message} was not found: it contains spaces, but must be the program alone`,
				remedy: `Set \`command: ${safeText(program, {maximumCharacters: 60})}\`, and put the rest into \`args\``,
			};
}

function readMessages(
	running: ChildProcessWithoutNullStreams,
	options: StdioTransportOptions,
	transport: Transport,
	onFault: (problem: Problem) => void,
): void {
	const lines = createLineBuffer(options.messageLimitBytes);
	running.stderr.on('data', (chunk: Buffer) => options.log.write(chunk));
	const onData = (chunk: Buffer) => {
		try {
			for (const line of lines.push(chunk)) {
				readLine(line, options, transport);
			}
		} catch (error) {
			// The rest of that message is read, so that the process can end, and dropped.
			running.stdout.off('data', onData).resume();
			const problem = toProblem(error);
			onFault(problem);
			options.log.note(problem.message);
			transport.onerror?.(problem);
			void transport.close();
		}
	};

	running.stdout.on('data', onData);
}

function readLine(line: string, options: StdioTransportOptions, transport: Transport): void {
	let message: JSONRPCMessage;
	try {
		const value = parseJson(line);
		if (isLogMessage(value)) {
			return;
		}

		const received = options.received ? options.received(value) : value;
		message = received === value ? parseJSONRPCMessage(value) : (received as JSONRPCMessage);
	} catch {
		options.log.write(Buffer.from(`${line}\n`));
		return;
	}

	transport.onmessage?.(message);
}

function writeMessage(child: ChildProcessWithoutNullStreams | undefined, message: JSONRPCMessage): Promise<void> {
	return new Promise((resolve, reject) => {
		if (!child?.stdin.writable) {
			reject(closedStdin());
			return;
		}

		child.stdin.write(serializeMessage(message), error => {
			if (error) {
				reject(systemErrorCode(error) === 'EPIPE' ? closedStdin() : error);
			} else {
				resolve();
			}
		});
	});
}

function closedStdin(): Problem {
	return new Problem('server_exited', {message: 'The stdin of the server is closed'});
}

function exitProblem(code: number | null, signal: NodeJS.Signals | null): Problem {
	const how = signal === null ? `with code ${code ?? 'unknown'}` : `by ${signal}`;
	return new Problem('server_exited', {message: `The server ended ${how}`});
}
