import {type Clock} from '../util/clock.ts';
import {type Problem} from '../util/problem.ts';
import {type Operation} from './operations/operation.ts';
import {type JournalLimits} from './operations/operation-values.ts';
import {type OperationName, type operations} from './operations/operations.ts';
import {type FailedDeliveryChange} from './rows/records.ts';

export {type Waiting} from './operations/operation.ts';
export {
	type AnsweredRun,
	type OutgoingMessageEnd,
	type OutgoingMessageRow,
	type CallEnd,
	type CallRecord,
	type CallRow,
	type ClaimOutcome,
	type DecisionRecord,
	type DecisionRow,
	type EventRecord,
	type EventRow,
	type FailedDelivery,
	type RuleUse,
	type FailedDeliveryChange,
	type RunEnd,
	type RunRecord,
	type RunResult,
	type RunRow,
	type WindowName,
	type WindowRow,
} from './rows/records.ts';
export {
	answerWaits,
	type OutgoingMessage,
	type OutgoingMessageState,
	type DueMessages,
	type FailureNotice,
	type MessageAttempts,
	type SendProgress,
	type StoredMessage,
} from './rows/message-records.ts';
export {type AcceptRequest} from './rows/accept-rows.ts';

type Operations = typeof operations;
type Kinds = Operations[OperationName]['kind'];

/** The operations of these kinds. */
type NameOf<Kind extends Kinds> = {
	[Name in OperationName]: Operations[Name]['kind'] extends Kind ? Name : never;
}[OperationName];

type CalledOf<Name extends OperationName> =
	Operations[Name] extends Operation<infer _Kind, infer Called, infer _Stored> ? Called : never;

/** The parameters and the result of an operation. */
export type ParamsOf<Name extends OperationName> = Parameters<CalledOf<Name>>;
export type ResultOf<Name extends OperationName> = ReturnType<CalledOf<Name>>;

type Awaited<Name extends OperationName> = (...params: ParamsOf<Name>) => Promise<ResultOf<Name>>;
type Unawaited<Name extends OperationName> = (...params: ParamsOf<Name>) => void;

type Own = {
	/** Starts to remove rows over the limits of age and size, in slices, one per turn. Call it at start and then every hour. */
	readonly prune: () => void;
	/** Commits pending writes and closes the file. */
	readonly close: () => Promise<void>;
};

/**
The only durable storage. No other module knows its tables.
A promise resolves once its write is on disk, or rejects with `storage_unavailable`. Writes without a promise join the same transactions;
when one fails, `report` is called. Reads resolve with committed rows only, newest first, and at most `limit` of them; they reject with `storage_unavailable`.
*/
export type Journal = {
	readonly [Name in keyof Operations as Exclude<Name, NameOf<'own' | 'unreported'>>]: Name extends NameOf<
		'end' | 'recovery' | 'behind'
	>
		? Unawaited<Name>
		: Awaited<Name>;
} & Own;

/** Documents that all gateways on a database share, such as stored rules. A journal in a file has none: they are files beside it (docs/configuration.md, State directory). */
export type JournalDocuments = Pick<Journal, 'listDocuments' | 'replaceDocument' | 'announce'>;

export type JournalOptions = {
	readonly clock: Clock;
	/** Read for every slice of rows that are pruned. */
	readonly limits: () => JournalLimits;
	/** Called with the problem of a failed write that no caller awaits. */
	readonly report?: (problem: Problem) => void;
	/** Called after each write, also one that is reported: with its problem, or with undefined once it is on disk. A removal of old rows only has problems. */
	readonly onWrite?: (problem: Problem | undefined) => void;
	/** Called when the storage refused a request, a read or a write, after it was rejected. */
	readonly onRefusal?: () => void;
	/** Called once a change of the failed deliveries is on disk. */
	readonly onFailedDelivery?: (change: FailedDeliveryChange) => void;
};

/** A journal whose caller attends to every end: the promise rejects with `storage_unavailable` when it was not written. */
export type ConfirmedJournal = {
	readonly [Name in keyof Operations]: Name extends NameOf<'behind'> ? Unawaited<Name> : Awaited<Name>;
} & Own & {
		/** Milliseconds by which the journal's clock is ahead of this process, as of the last heartbeat. */
		readonly clockAhead: () => number;
	};
