import {type Clock, type Timer} from '../../util/clock.ts';
import {Problem, type ProblemOptions, toProblem} from '../../util/problem.ts';
import {type OperationName, type StorageReply, type StorageRequest} from './operations.ts';

/** Carries out requests, in this thread or in another. Rejects with `storage_unavailable` when nobody knows what became of them. */
export type RunRequests = (requests: readonly StorageRequest[]) => Promise<readonly StorageReply[]>;

/** Collects the requests of a turn in one batch, so that their writes share one wait for the disk. */
export type RequestBatches = {
	/**
	Asks for an operation in the next batch and resolves with its result: of a write, once it is on disk.
	Rejects with `storage_unavailable` when any write of its transaction failed: nothing was written then.
	*/
	readonly ask: (name: OperationName, ...args: readonly unknown[]) => Promise<unknown>;
	/** The same for a write that nobody waits for: it goes with the next request, or after a few milliseconds with others of its kind. Rejects also while too many of them are not on disk. */
	readonly askBehind: RequestBatches['ask'];
	/** Sends what waits and refuses later requests; resolves once all have a reply. */
	readonly close: () => Promise<void>;
};

type When = 'at-once' | 'behind';

type Waiting = {
	readonly request: StorageRequest;
	readonly resolve: (value: unknown) => void;
	readonly reject: (problem: Problem) => void;
};

/** While more requests arrive, a batch waits this many turns: under load, one wait for the disk then serves far more of them. */
const maxTurns = 4;

/** Time for which writes that nobody waits for are gathered: each message and each wait for the disk costs more than the row. */
const behindMilliseconds = 5;

/** Nobody is held up by these writes, so a disk that hangs would let them fill the memory: beyond this they are refused. */
const maxBehindBytes = 32 * 1024 * 1024;

/** Creates the batches. One is sent after the input of the turn was handled (`clock.soon`); a single request waits no longer than that. */
export function createRequestBatches(run: RunRequests, clock: Clock): RequestBatches {
	let waiting: Waiting[] = [];
	let sent: Promise<void> = Promise.resolve();
	let phase: 'open' | 'closed' = 'open';
	let due: 'at-once' | Timer | undefined;

	const gather = (before: number, turnsLeft: number) => {
		if (waiting.length > before && turnsLeft > 0) {
			const joined = waiting.length;
			clock.soon(() => gather(joined, turnsLeft - 1));
		} else {
			send();
		}
	};

	const send = () => {
		cancelTimer();
		due = undefined;
		const batch = waiting;
		waiting = [];
		if (batch.length > 0) {
			sent = Promise.all([sent, settle(batch, run)]).then(() => undefined);
		}
	};

	const cancelTimer = () => typeof due === 'object' && due.cancel();

	const schedule = (when: When) => {
		if (when === 'behind') {
			due ??= clock.after(behindMilliseconds, send);
		} else if (due !== 'at-once') {
			cancelTimer();
			due = 'at-once';
			const joined = waiting.length;
			clock.soon(() => gather(joined, maxTurns));
		}
	};

	const askWhen =
		(when: When): RequestBatches['ask'] =>
		(name, ...args) =>
			new Promise<unknown>((resolve, reject) => {
				if (phase === 'closed') {
					reject(new Problem('storage_unavailable', {detail: 'the journal is closed'}));
				} else {
					waiting.push({request: {name, args, now: clock.now()}, resolve, reject});
					schedule(when);
				}
			});

	return {
		ask: askWhen('at-once'),
		askBehind: whileRoom(askWhen('behind')),
		close() {
			phase = 'closed';
			send();
			return sent;
		},
	};
}

/** Refuses requests while those without a reply hold too much memory. */
function whileRoom(ask: RequestBatches['ask']): RequestBatches['ask'] {
	let waitingBytes = 0;
	return async (name, ...args) => {
		if (waitingBytes >= maxBehindBytes) {
			throw new StorageProblem('refused', {detail: 'too much waits for the disk'});
		}

		const bytes = bytesOf(args);
		waitingBytes += bytes;
		try {
			return await ask(name, ...args);
		} finally {
			waitingBytes -= bytes;
		}
	};
}

/** About how much memory the values of a row hold: bytes, or columns with texts. */
function bytesOf(values: readonly unknown[]): number {
	return values.reduce<number>((sum, value) => {
		if (typeof value === 'string' || value instanceof Uint8Array) {
			return sum + value.length;
		}

		return sum + (Array.isArray(value) ? bytesOf(value) : 0);
	}, 0);
}

/** Asks for writes: `onWrite` is called after each, with its problem, or with undefined once it is on disk. */
export function reportWrites(
	{ask, askBehind}: Pick<RequestBatches, 'ask' | 'askBehind'>,
	onWrite: (problem: Problem | undefined) => void,
): {readonly write: RequestBatches['ask']; readonly writeBehind: RequestBatches['ask']} {
	const reported =
		(askAs: RequestBatches['ask']): RequestBatches['ask'] =>
		(name, ...args) => {
			const written = askAs(name, ...args);
			written.then(
				() => onWrite(undefined),
				(caught: unknown) => onWrite(toProblem(caught, 'storage_unavailable')),
			);
			return written;
		};
	return {write: reported(ask), writeBehind: reported(askBehind)};
}

/** Never rejects. */
async function settle(batch: readonly Waiting[], run: RunRequests): Promise<void> {
	try {
		const replies = await run(batch.map(({request}) => request));
		batch.forEach(({resolve, reject}, index) => {
			const reply = replies[index];
			if (reply?.kind === 'value') {
				resolve(reply.value);
			} else {
				reject(toStorageProblem(reply));
			}
		});
	} catch (caught) {
		const problem = toProblem(caught, 'storage_unavailable');
		batch.forEach(({reject}) => reject(problem));
	}
}

/** The problem of a refused request. */
export function toStorageProblem(reply: (StorageReply & {readonly kind: 'problem'}) | undefined): StorageProblem {
	const {fault = 'refused', code, message, detail, remedy} = reply ?? {};
	return new StorageProblem(fault, {message, detail, remedy}, code);
}

/**
A problem of the storage. `refused`: it answered, and nothing was written; `damaged`: the same, because the content of the file cannot be read;
`silent`: the disk hangs, and nobody knows whether anything was written; `taken-over`: another gateway has declared this one dead, and nothing was written.
*/
export class StorageProblem extends Problem {
	readonly fault: 'refused' | 'damaged' | 'silent' | 'taken-over';

	constructor(
		fault: StorageProblem['fault'],
		options: ProblemOptions,
		code: 'storage_unavailable' | 'schema_newer' = 'storage_unavailable',
	) {
		super(code, options);
		this.fault = fault;
	}
}

/** True for a problem that says that the file is damaged. */
export function isDamaged(caught: unknown): boolean {
	return caught instanceof StorageProblem && caught.fault === 'damaged';
}

/** True for a problem with which the storage answered: nothing was written. Any other leaves open whether the write is on disk. */
export function isRefused(caught: unknown): boolean {
	return caught instanceof StorageProblem && caught.fault !== 'silent';
}

/** The problem of a disk that hangs. */
export function diskSilence(): StorageProblem {
	return new StorageProblem('silent', {message: 'The disk of the journal does not answer'});
}

/** True for the problem of a disk that hangs. */
export function isDiskSilence(caught: unknown): boolean {
	return caught instanceof StorageProblem && caught.fault === 'silent';
}

/** The problem of work that was begun before another gateway declared this one dead. */
export function takenOver(message = 'Another gateway has taken over what this one had begun'): StorageProblem {
	return new StorageProblem('taken-over', {message});
}

/** True for that problem: trying again does not help. */
export function isTakenOver(caught: unknown): boolean {
	return caught instanceof StorageProblem && caught.fault === 'taken-over';
}
