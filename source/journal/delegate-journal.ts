import {Problem} from '../util/problem.ts';
import {forEachOperation} from './create-journal.ts';
import {type ConfirmedJournal, type Journal} from './journal.ts';
import {type Operation, type Undo} from './operations/operation.ts';
import {type OperationName} from './operations/operations.ts';
import {isRefused} from './operations/request-batches.ts';
import {type RetriedWrites} from './retried-writes.ts';

type Access = {
	readonly current: () => ConfirmedJournal | undefined;
	/** The problem of a write while nothing is open. */
	readonly refusal: () => Problem | undefined;
	/** Called with every error of the open journal. */
	readonly failed: (caught: unknown) => void;
	readonly retried: Pick<RetriedWrites, 'write' | 'claim'>;
};

type Params = readonly unknown[];

/**
The journal that is open at each call, if any. While none is, reads find what their entry says, what somebody waits for is refused, ends and claims wait
for it, and the rest is dropped: the fault is reported once, not for every row. A write that was refused, though it may be on disk, is undone before
anything else is written.
*/
export function delegateJournal(access: Access, close: Journal['close']): Journal {
	const {current} = access;
	const functions = forEachOperation<Journal>(
		(name, operation) =>
			(...params) =>
				delegate(access, {name, operation, params}),
	);
	return {...functions, prune: () => current()?.prune(), close};
}

/** A call of an operation, whose parameters were checked where it was made. */
type Call = {readonly name: OperationName; readonly operation: Operation; readonly params: Params};

function delegate(access: Access, call: Call): unknown {
	const {name, operation, params} = call;
	const {current, retried} = access;
	const work = (journal: ConfirmedJournal) => callOf(journal, name, params);
	switch (operation.kind) {
		case 'read':
			return read(access, call);
		case 'retried':
			return retried.write(work);
		case 'end':
			return fireAndForget(retried.write(work));
		case 'recovery':
			return fireAndForget(retried.write(work, 'recovery'));
		case 'behind': {
			const journal = current();
			return journal && void work(journal);
		}

		case 'claimed': {
			const {wait, signal} = (operation.claim as (...given: Params) => ReturnType<NonNullable<Operation['claim']>>)(
				...params,
			);
			return wait === 'none' ? write(access, call) : retried.claim(work, {signal, wait, undo: undoOf(call)});
		}

		case 'awaited':
		case 'own':
		case 'unreported':
			return write(access, call);
	}
}

async function callOf(journal: ConfirmedJournal, name: OperationName, params: Params): Promise<unknown> {
	return (journal[name] as (...given: Params) => unknown)(...params);
}

async function read(access: Access, call: Call): Promise<unknown> {
	const {operation, params} = call;
	if (access.current() || !('whenClosed' in operation)) {
		return write(access, call);
	}

	const {whenClosed} = operation;
	return typeof whenClosed === 'function' ? (whenClosed as (...given: Params) => unknown)(...params) : whenClosed;
}

async function write({current, refusal, failed, retried}: Access, call: Call): Promise<unknown> {
	const journal = current();
	if (!journal) {
		throw refusal() ?? new Problem('storage_unavailable');
	}

	try {
		return await callOf(journal, call.name, call.params);
	} catch (caught) {
		failed(caught);
		const undo = isRefused(caught) ? undefined : undoOf(call);
		if (undo) {
			fireAndForget(retried.write(undo));
		}

		throw caught;
	}
}

/** The operation that undoes the write; absent where none can. */
function undoOf({operation, params}: Call): ((journal: ConfirmedJournal) => Promise<unknown>) | undefined {
	const undo = operation.undo as ((...given: Params) => Undo | undefined) | undefined;
	const [name, ...given] = undo?.(...params) ?? [];
	return name && (journal => callOf(journal, name, given));
}

/** Writes that are given up are reported together. */
function fireAndForget(written: Promise<unknown>): void {
	void written.catch(() => undefined);
}
