import {type CallRow, type DecisionRow, type EventRow, type OutgoingMessageRow} from './records.ts';

/** Selects rows before a time, in milliseconds since the epoch. */
export type OlderQuery = {readonly before: number; readonly limit: number};

/** The newest rows before a time, newest first, at most so many of each kind. Large arguments are left out. */
export type OlderRows = {
	readonly events: readonly EventRow[];
	readonly calls: readonly CallRow[];
	readonly decisions: readonly DecisionRow[];
	/** By the time of their last change. */
	readonly messages: readonly OutgoingMessageRow[];
};
