import {type CallEnd, type RunRow, type UndoneClaim} from '../rows/records.ts';
import {type UndoneEvent} from '../rows/accept-rows.ts';
import {type RequestEnd} from '../rows/request-rows.ts';

/** The parameters and the result of an operation. */
type Signature = (...params: never) => unknown;

/** An operation that undoes a write which was reported as failed, though it may be on disk; without effect when it is not. */
export type Undo =
	| readonly [name: 'undoAccept', undone: UndoneEvent]
	| readonly [name: 'moveQueuedRuns', ids: readonly string[], change: Pick<RunRow, 'state' | 'reason'>]
	| readonly [name: 'undoClaim', undone: UndoneClaim, reason: string]
	| readonly [name: 'releaseInboxItem', id: string]
	| readonly [name: 'removeRunNote', id: string]
	| readonly [name: 'undoMessages', ids: readonly string[], reason: string]
	| readonly [name: 'endRequest', id: string, end: RequestEnd]
	| readonly [name: 'finishCall', id: string, end: CallEnd];

/** A wait for a journal that is away may be given up: the promise rejects with the reason of the signal then. */
export type Waiting = {readonly signal?: AbortSignal | undefined};

/** Wait of a claim for a journal that is away: as long as `journal.patience` says, without a bound, or none. */
type ClaimWait = Waiting & {readonly wait: 'patience' | 'unbounded' | 'none'};

/** Value that a storage returns besides the result: changes of the failed deliveries, or false where another gateway has taken over and nothing was written. */
type Returned = 'changes' | 'uncertain' | 'written';

/**
Kind of an operation. `read`: without a journal it finds `whenClosed`, or rejects where that is absent. `awaited`: rejects while no journal is open.
`retried`: tried until it is on disk. `end`: the same, and nobody waits for it. `recovery`: an end of what an earlier process left, which the next start finds again. `claimed`: waits for a journal as `claim` says. `behind`: nobody waits for it, and it is
dropped while no journal is open. `own`: for the journal itself; `unreported`: the same, without a report of its writes.
*/
type Kind = 'read' | 'awaited' | 'retried' | 'end' | 'recovery' | 'claimed' | 'behind' | 'own' | 'unreported';

/** An operation of the journal. `Stored` is what reaches the storage, where that differs: flat values, made by `encode`. */
export type Operation<
	Is extends Kind = Kind,
	Called extends Signature = Signature,
	Stored extends Signature = Signature,
> = {
	readonly kind: Is;
	/** Exists for the compiler alone. */
	readonly signatures?: {readonly called: Called; readonly stored: Stored};
	readonly whenClosed?: unknown;
	readonly encode?: (...params: never) => readonly unknown[];
	readonly returns?: Returned;
	readonly undo?: (...params: never) => Undo | undefined;
	readonly claim?: (...params: never) => ClaimWait;
};

type Options<Called extends Signature, Stored extends Signature> = {
	readonly encode?: (...params: Parameters<Called>) => Parameters<Stored>;
	readonly returns?: Returned;
	readonly undo?: (...params: Parameters<Called>) => Undo | undefined;
};

/** A read. `whenClosed` may depend on what is asked. */
export function read<Called extends Signature>(
	options: {readonly whenClosed?: ReturnType<Called> | ((...params: Parameters<Called>) => ReturnType<Called>)} = {},
): Operation<'read', Called, Called> {
	return {kind: 'read', ...options};
}

/** A write that its caller waits for. */
export function awaited<Called extends Signature, Stored extends Signature = Called>(
	options: Options<Called, Stored> = {},
): Operation<'awaited', Called, Stored> {
	return {kind: 'awaited', ...options};
}

/** A write that is repeated until it is on disk. */
export function retried<Called extends Signature, Stored extends Signature = Called>(
	options: Options<Called, Stored> = {},
): Operation<'retried', Called, Stored> {
	return {kind: 'retried', ...options};
}

/** The end of something, repeated until it is on disk; nobody waits for it. */
export function end<Called extends Signature, Stored extends Signature = Called>(
	options: Options<Called, Stored> = {},
): Operation<'end', Called, Stored> {
	return {kind: 'end', ...options};
}

/** The end of what an earlier process left: one that is given up is found again by the next start. */
export function recovery<Called extends Signature>(): Operation<'recovery', Called, Called> {
	return {kind: 'recovery'};
}

/** A write that must be on disk before something is done. */
export function claimed<Called extends Signature, Stored extends Signature = Called>(
	options: Options<Called, Stored> & {readonly claim: (...params: Parameters<Called>) => ClaimWait},
): Operation<'claimed', Called, Stored> {
	return {kind: 'claimed', ...options};
}

/** A write that nobody waits for: it goes with the next request. */
export function behind<Called extends Signature, Stored extends Signature>(
	options: Options<Called, Stored>,
): Operation<'behind', Called, Stored> {
	return {kind: 'behind', ...options};
}

/** A write of the journal itself. */
export function own<Called extends Signature, Stored extends Signature = Called>(
	options: Options<Called, Stored> = {},
): Operation<'own', Called, Stored> {
	return {kind: 'own', ...options};
}

/** The same, of which its caller reports. */
export function unreported<Called extends Signature>(): Operation<'unreported', Called, Called> {
	return {kind: 'unreported'};
}

/** Why what was written with a write that was reported as failed is undone. */
export const undoReason = 'the journal could not be written';
