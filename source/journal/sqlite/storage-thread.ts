import {Worker} from 'node:worker_threads';
import {atMost, type Clock, type Timer} from '../../util/clock.ts';
import {ownProgram} from '../../util/own-program.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {createByteBuffers} from './byte-buffers.ts';
import {type OpenOptions} from './database.ts';
import {type StorageReply, type StorageRequest} from '../operations/operations.ts';
import {diskSilence, type RunRequests, toStorageProblem} from '../operations/request-batches.ts';

/** Requests with one reply. The last one closes the file. */
export type StorageBatch = {
	readonly id: number;
	readonly requests: readonly StorageRequest[];
	/** Where the bytes of the requests lie; the reply brings it back. */
	readonly buffer?: ArrayBuffer;
	readonly isLast: boolean;
};

/** The first message to the thread. */
export type FileToOpen = {readonly path: string} & OpenOptions;

/** Messages from the thread. */
export type StorageMessage =
	| {readonly kind: 'opened'}
	| {readonly kind: 'refused'; readonly problem: StorageReply & {readonly kind: 'problem'}}
	| BatchReply;

/** The reply to a batch: `values` when none of its requests was refused. */
type BatchReply = {readonly id: number; readonly buffer?: ArrayBuffer} & (
	| {readonly kind: 'values'; readonly values: readonly unknown[]}
	| {readonly kind: 'replies'; readonly replies: readonly StorageReply[]}
);

/** The journal's file, open in a thread of its own: no wait for the disk holds up anything else. */
type StorageThread = {
	/** Rejects with `storage_unavailable` when the thread ended or was given up meanwhile: what was asked may be on disk or not. */
	readonly run: RunRequests;
	/** Closes the file after what was asked, and ends the thread. */
	readonly close: () => Promise<void>;
};

/** Longer than a disk takes that still works, however busy. */
const patienceMilliseconds = 60_000;

/** The thread as it is started. */
export type StorageWorker = Worker;

/** Starts a thread that loads what it needs, and touches no file before `openStorageThread` names one. */
export function startStorageThread(program = ownProgram('storage-worker', import.meta.url)): StorageWorker {
	// A descriptor that is closed with the thread would end the locks that the next one holds on the same file.
	const worker = new Worker(program, {trackUnmanagedFds: false});
	// One that dies before it is used is replaced.
	worker.on('error', () => undefined);
	return worker;
}

/**
Opens or creates the file at `path` in a thread. Rejects with `storage_unavailable`. `onLost` is called once when the thread dies or has answered
nothing for a minute; then it serves no more.
*/
export async function openStorageThread(
	options: {
		readonly path: string;
		readonly clock: Clock;
		readonly onLost: (problem: Problem) => void;
		/** Gives up a thread that has not opened the file yet. */
		readonly signal?: AbortSignal;
		/** The program that the thread runs. */
		readonly program?: URL;
		/** One that was started ahead. */
		readonly thread?: StorageWorker | undefined;
	} & OpenOptions,
): Promise<StorageThread> {
	const {path, clock, onLost, former = 'unknown', whenEmpty = 'create', signal, thread, program} = options;
	const worker = thread && isAlive(thread) ? thread : startStorageThread(program);
	worker.postMessage({path, former, whenEmpty} satisfies FileToOpen, []);
	const ended = new Promise<void>(resolve => worker.on('exit', () => resolve()));
	let phase: 'opening' | 'open' | 'closing' | 'lost' = 'opening';
	const lost = Promise.withResolvers<void>();
	const lose = (problem: Problem) => {
		lost.resolve();
		const wasOpen = phase === 'open';
		phase = 'lost';
		batches.refuse(problem);
		// A thread that hangs in a call of the system ends when that returns.
		void worker.terminate();
		if (wasOpen) {
			onLost(problem);
		}
	};

	const batches = createPendingBatches(clock, lose);
	const buffers = createByteBuffers();
	worker.on('error', caught => lose(toProblem(caught, 'storage_unavailable')));
	worker.on('exit', () => phase !== 'lost' && lose(endedProblem()));
	let lastId = 0;
	const send = async (requests: readonly StorageRequest[], isLast: boolean) => {
		if (phase !== 'open') {
			throw endedProblem();
		}

		lastId++;
		const gathered = buffers.gather(requests);
		const transferred = gathered.buffer ? [gathered.buffer] : [];
		worker.postMessage({id: lastId, ...gathered, isLast} satisfies StorageBatch, transferred);
		// Only now: nobody would answer what could not be sent.
		return batches.add(lastId);
	};

	const giveUp = () => lose(endedProblem());
	signal?.addEventListener('abort', giveUp);
	await whenOpened(worker, signal).finally(() => signal?.removeEventListener('abort', giveUp));
	phase = 'open';
	worker.on('message', (reply: BatchReply) => {
		if (reply.buffer) {
			buffers.giveBack(reply.buffer);
		}

		batches.take(reply);
	});
	return {
		run: requests => send(requests, false),
		async close() {
			if (phase === 'open') {
				const last = send([], true);
				phase = 'closing';
				await last.catch(() => undefined);
			}

			// A thread that hangs is not waited for, also where it hangs while it closes the file.
			await atMost(patienceMilliseconds, Promise.race([ended, lost.promise]), clock);
			void worker.terminate();
		},
	};
}

function isAlive({threadId}: StorageWorker): boolean {
	return threadId !== -1;
}

function endedProblem(): Problem {
	return new Problem('storage_unavailable', {detail: 'the thread of the journal ended'});
}

/** Resolves when the thread has opened the file. Rejects with `storage_unavailable`. */
function whenOpened(worker: Worker, signal: AbortSignal | undefined): Promise<void> {
	return new Promise((resolve, reject) => {
		signal?.addEventListener('abort', () => reject(endedProblem()), {once: true});
		worker.once('message', (message: StorageMessage) => {
			if (message.kind === 'refused') {
				reject(toStorageProblem(message.problem));
			} else {
				resolve();
			}
		});
		worker.once('error', caught => reject(toProblem(caught, 'storage_unavailable')));
		worker.once('exit', () => reject(endedProblem()));
	});
}

function repliesOf(reply: BatchReply): readonly StorageReply[] {
	switch (reply.kind) {
		case 'values':
			return reply.values.map(value => ({kind: 'value', value}));
		case 'replies':
			return reply.replies;
	}
}

/** The batches without a reply of the thread. */
type PendingBatches = {
	/** Resolves with the replies. */
	readonly add: (id: number) => Promise<readonly StorageReply[]>;
	readonly take: (reply: BatchReply) => void;
	/** Rejects all of them. */
	readonly refuse: (problem: Problem) => void;
};

/** Creates an empty list. `onSilence` is called when nothing was answered for too long. */
function createPendingBatches(clock: Clock, onSilence: (problem: Problem) => void): PendingBatches {
	const waiting = new Map<number, PromiseWithResolvers<readonly StorageReply[]>>();
	let timer: Timer | undefined;
	const watch = () => {
		timer?.cancel();
		timer = waiting.size === 0 ? undefined : clock.after(patienceMilliseconds, () => onSilence(diskSilence()));
	};

	return {
		add(id) {
			const replies = Promise.withResolvers<readonly StorageReply[]>();
			waiting.set(id, replies);
			if (waiting.size === 1) {
				watch();
			}

			return replies.promise;
		},
		take(reply) {
			waiting.get(reply.id)?.resolve(repliesOf(reply));
			waiting.delete(reply.id);
			watch();
		},
		refuse(problem) {
			waiting.forEach(({reject}) => reject(problem));
			waiting.clear();
			watch();
		},
	};
}
