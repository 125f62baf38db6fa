import {toProblem} from '../util/problem.ts';
import {type ConfirmedJournal, type Journal, type JournalOptions} from './journal.ts';
import {type Operation} from './operations/operation.ts';
import {type InterruptedSends} from './operations/operation-values.ts';
import {type OperationName, operations} from './operations/operations.ts';
import {type FailedDeliveryChange} from './rows/records.ts';
import {createRequestBatches, reportWrites, type RunRequests, takenOver} from './operations/request-batches.ts';

/** Carries out the requests of a journal (docs/architecture.md, Modules). */
type Storage = {
	readonly run: RunRequests;
	/** Absent: it goes by the clock of this machine. */
	readonly clockAhead?: () => number;
	readonly close: () => Promise<void>;
};

/** An operation as it is called, whichever it is: its callers are checked by the types of the journal. */
type AnyFunction = (...params: readonly unknown[]) => unknown;

/** A function for each operation. */
export function forEachOperation<Functions>(
	create: (name: OperationName, operation: Operation) => AnyFunction,
): Pick<Functions, OperationName & keyof Functions> {
	const entries = Object.entries(operations) as ReadonlyArray<[OperationName, Operation]>;
	const functions: unknown = Object.fromEntries(
		entries.map(([name, operation]) => [name, create(name, operation)] as const),
	);
	// Each function is that of its entry in the table from which the type is made.
	return functions as Pick<Functions, OperationName & keyof Functions>;
}

/** The journal of a storage that is open; closing it closes the storage. */
export function createJournal(storage: Storage, options: JournalOptions): ConfirmedJournal {
	const {clock, limits, report, onWrite = () => undefined, onFailedDelivery = () => undefined} = options;
	const batches = createRequestBatches(reportRefusals(storage.run, options), clock);
	const {write, writeBehind} = reportWrites(batches, onWrite);
	const lost = (caught: unknown) => report?.(toProblem(caught, 'storage_unavailable'));
	const publish = (changes: readonly FailedDeliveryChange[]) => changes.forEach(onFailedDelivery);
	const journal = forEachOperation<ConfirmedJournal>((name, {kind, encode, returns}) => {
		const ask = kind === 'read' || kind === 'unreported' ? batches.ask : kind === 'behind' ? writeBehind : write;
		// Each operation encodes its own parameters.
		const toStored = encode as ((...params: readonly unknown[]) => readonly unknown[]) | undefined;
		const run = (params: readonly unknown[]) => ask(name, ...(toStored?.(...params) ?? params));
		if (kind === 'behind') {
			return (...params) => void run(params).catch(lost);
		}

		return returns === undefined
			? (...params) => run(params)
			: (...params) => run(params).then(stored => resultOf(returns, stored, publish));
	});
	let closed: Promise<void> | undefined;
	return {
		...journal,
		clockAhead: () => storage.clockAhead?.() ?? 0,
		prune() {
			const refused = (caught: unknown) => onWrite(toProblem(caught, 'storage_unavailable'));
			const removeNext = () => {
				if (closed === undefined) {
					journal.removeSlice(limits()).then(isMore => isMore && removeNext(), refused);
				}
			};

			removeNext();
		},
		close: () => (closed ??= batches.close().then(storage.close)),
	};
}

/** The result of what a storage returned. Rejects when nothing was written, because another gateway has taken over. */
function resultOf(
	returns: NonNullable<Operation['returns']>,
	stored: unknown,
	publish: (changes: readonly FailedDeliveryChange[]) => void,
): unknown {
	switch (returns) {
		case 'changes':
			publish(stored as readonly FailedDeliveryChange[]);
			return undefined;
		case 'uncertain': {
			const {uncertain, changes} = stored as InterruptedSends;
			publish(changes);
			return uncertain;
		}

		case 'written':
			if (stored !== true) {
				throw takenOver();
			}

			return undefined;
	}
}

function reportRefusals(
	run: RunRequests,
	{clock, onRefusal}: Pick<JournalOptions, 'clock' | 'onRefusal'>,
): RunRequests {
	return onRefusal
		? async requests => {
				const replies = await run(requests);
				if (replies.some(({kind}) => kind === 'problem')) {
					clock.soon(onRefusal);
				}

				return replies;
			}
		: run;
}

/** The same for one whose caller waits for no end: one that fails is reported. */
export function fireAndForget(journal: ConfirmedJournal, {report}: Pick<JournalOptions, 'report'>): Journal {
	const lost = (caught: unknown) => report?.(toProblem(caught, 'storage_unavailable'));
	const functions = forEachOperation<Journal>((name, {kind}) => {
		const called = journal[name] as (...params: readonly unknown[]) => Promise<unknown>;
		return kind === 'end' || kind === 'recovery' ? (...params) => void called(...params).catch(lost) : called;
	});
	return {...journal, ...functions};
}
