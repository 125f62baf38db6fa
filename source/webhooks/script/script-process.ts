import {type ChildProcessWithoutNullStreams, spawn} from 'node:child_process';
import {type Readable} from 'node:stream';
import {type Clock} from '../../util/clock.ts';
import {errorText} from '../../util/problem.ts';

/** A program to run once. */
type ProcessRequest = {
	readonly command: string;
	readonly args: readonly string[];
	readonly directory: string;
	/** The complete environment. */
	readonly environment: Readonly<Record<string, string>>;
	/** Written to its stdin; the program may ignore it. */
	readonly input: string;
	readonly milliseconds: number;
	/** More output on stdout ends the program. */
	readonly outputBytes: number;
};

/** The end of a program. `code` is null after a signal; `errors` is the start of its stderr. */
export type ProcessEnd =
	| {readonly kind: 'ended'; readonly code: number | null; readonly output: string; readonly errors: string}
	| {readonly kind: 'not-started'; readonly reason: string}
	| {readonly kind: 'timed-out'}
	| {readonly kind: 'too-much-output'}
	| {readonly kind: 'aborted'};

/** Dependencies for running a process. */
type ProcessOptions = {
	readonly clock: Clock;
	readonly signal: AbortSignal;
	/** Called before a program starts; the returned function registers its process group and returns the function that removes it. */
	readonly guard: () => (group: number) => () => void;
};

const errorTailBytes = 4096;
/** The time to wait for pending output after the exit: a process outside the group may hold the pipes open. */
const drainMilliseconds = 200;

/** Runs a program without a shell, in its own process group, which never outlives it. Never rejects. */
export function runProcess(request: ProcessRequest, options: ProcessOptions): Promise<ProcessEnd> {
	const {command, args, directory, environment, input} = request;
	return new Promise(resolve => {
		try {
			const register = options.guard();
			const child = spawn(command, [...args], {
				cwd: directory,
				env: {...environment},
				stdio: ['pipe', 'pipe', 'pipe'],
				detached: true,
				windowsHide: true,
			});
			const release = child.pid === undefined ? () => {} : register(child.pid);
			follow(child, {request, ...options, release, resolve});
			// The program may have closed its input, or exited already.
			child.stdin.on('error', () => {});
			child.stdin.end(input);
		} catch (error) {
			resolve({kind: 'not-started', reason: errorText(error)});
		}
	});
}

function follow(
	child: ChildProcessWithoutNullStreams,
	options: {
		readonly request: ProcessRequest;
		readonly clock: Clock;
		readonly signal: AbortSignal;
		readonly release: () => void;
		readonly resolve: (end: ProcessEnd) => void;
	},
): void {
	const {request, clock, signal, release, resolve} = options;
	let isRunning = true;
	let isFinished = false;
	/** Once: the id may belong to another process later. */
	const endGroup = () => {
		if (isRunning) {
			isRunning = false;
			killGroup(child);
			release();
		}
	};

	const finish = (end: ProcessEnd) => {
		if (isFinished) {
			return;
		}

		isFinished = true;
		timer.cancel();
		signal.removeEventListener('abort', onAbort);
		endGroup();
		child.stdin.destroy();
		child.stdout.destroy();
		child.stderr.destroy();
		resolve(end);
	};

	const onAbort = () => finish({kind: 'aborted'});
	const timer = clock.after(request.milliseconds, () => finish({kind: 'timed-out'}));
	const output = collect(child.stdout, request.outputBytes, () => finish({kind: 'too-much-output'}));
	const errors = collect(child.stderr, errorTailBytes, () => {});
	child.once('error', error => finish({kind: 'not-started', reason: errorText(error)}));
	child.once('exit', code => {
		const end = () => finish({kind: 'ended', code, output: output(), errors: errors()});
		// Remaining children hold its stdout open.
		endGroup();
		const drain = clock.after(drainMilliseconds, end);
		child.once('close', () => {
			drain.cancel();
			end();
		});
	});
	if (signal.aborted) {
		onAbort();
	} else {
		signal.addEventListener('abort', onAbort, {once: true});
	}
}

/** Collects up to `limit` bytes and keeps reading, so that a full pipe does not block the writer. */
function collect(stream: Readable, limit: number, onOver: () => void): () => string {
	const chunks: Buffer[] = [];
	let size = 0;
	stream.on('error', () => {});
	stream.on('data', (chunk: Buffer) => {
		if (size + chunk.length > limit) {
			onOver();
		}

		if (size < limit) {
			chunks.push(chunk.subarray(0, limit - size));
			size += chunk.length;
		}
	});
	return () => Buffer.concat(chunks).toString('utf8');
}

function killGroup({pid}: ChildProcessWithoutNullStreams): void {
	try {
		if (pid !== undefined) {
			process.kill(-pid, 'SIGKILL');
		}
	} catch {
		// The group is already empty.
	}
}
