import {
	type CallRow,
	type EventRow,
	type FailedDelivery,
	type FailedDeliveryChange,
	type RunRow,
} from '../rows/records.ts';
import {type OutgoingMessage} from '../rows/message-records.ts';

/** The retention limits of the journal (docs/configuration.md, How values are read). */
export type JournalLimits = {readonly maxAgeDays: number; readonly maxBytes: number};

/** Messages that were being sent when a process ended, and where deliveries fail since. */
export type InterruptedSends = {
	readonly uncertain: readonly OutgoingMessage[];
	readonly changes: readonly FailedDeliveryChange[];
};

/** The positions up to which events, runs and calls were read. */
type LastLook = {readonly event: number; readonly run: number; readonly call: number};

/** Query for the work of other gateways: rows `after` the last poll, except known ones, and rows that were open then. `openRuns` are shown as waiting or running. */
export type OtherWorkQuery = {
	readonly after?: LastLook;
	/** Calls under way: those that began since the last poll, or all of them, since that was long ago. */
	readonly underWay: 'new' | 'all';
	readonly knownCalls: readonly string[];
	readonly openCalls: readonly string[];
	readonly knownEvents: readonly string[];
	readonly openEvents: readonly string[];
	readonly knownRuns: ReadonlyArray<Pick<RunRow, 'id' | 'state' | 'reason'>>;
	readonly openRuns: readonly string[];
};

/** Oldest first, each with its gateway. An open event or call is not over. Runs are also those that another gateway had and has no more; then they have no `node`. */
export type OtherWork = {
	readonly last: LastLook;
	/** One that is not open and has no end was left by a gateway that is gone. Large arguments are left out. */
	readonly calls: ReadonlyArray<CallRow & {readonly isOpen: boolean}>;
	/** Where deliveries fail now, at all gateways. */
	readonly failedDeliveries: readonly FailedDelivery[];
	readonly events: ReadonlyArray<EventRow & {readonly isOpen: boolean}>;
	readonly runs: readonly RunRow[];
};

/** A part of the requests that a route may have in a window, for one gateway alone. `wanted`: so many wait for it there. */
export type QuotaQuery = {readonly limit: number; readonly wanted: number; readonly windowMilliseconds: number};

/** `granted`: 0 when nothing is left. The window ends so many milliseconds after it was granted, by the clock of the database. */
export type QuotaBlock = {readonly granted: number; readonly leftMilliseconds: number};

/** A table of the journal that is missing, or that this role may not read and write. Absent `remedy`: what is to be done is about the file. */
export type RefusingTable = {
	readonly table: string;
	readonly why: 'missing' | 'rights';
	readonly remedy?: string | undefined;
};

/** The choice where there is no journal: `create` makes one; `refuse`: there was one. */
export type WhenEmpty = 'create' | 'refuse';

/** Topics announced to all gateways on a database at once; the next poll would find the changes too. */
export type Hint = 'documents' | 'requests';
