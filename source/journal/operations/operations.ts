import {type Operation} from './operation.ts';
import {recordOperations} from './record-operations.ts';
import {taskOperations} from './task-operations.ts';
import {workOperations} from './work-operations.ts';

/** Every operation of a journal: a new one is an entry here, and a function of the storage (`tables/operations.ts`). */
export const operations = {...workOperations, ...recordOperations, ...taskOperations};

type Operations = typeof operations;

export type OperationName = keyof Operations;

/** The operations of a storage: the first parameter is the current time of the process, in milliseconds since the epoch. */
export type StorageOperations = {
	readonly [Name in OperationName]: Operations[Name] extends Operation<infer _Kind, infer _Called, infer Stored>
		? (now: number, ...params: Parameters<Stored>) => Promise<ReturnType<Stored>>
		: never;
};

/** The operations that only read. */
export type ReadName = {
	[Name in OperationName]: Operations[Name]['kind'] extends 'read' ? Name : never;
}[OperationName];

/** A request to the storage: the name of an operation, its arguments, and the current time in milliseconds since the epoch. Cloneable. */
export type StorageRequest = {readonly name: OperationName; readonly args: readonly unknown[]; readonly now: number};

/** The reply to a request. Cloneable. */
export type StorageReply =
	| {readonly kind: 'value'; readonly value: unknown}
	| {
			readonly kind: 'problem';
			/** Absent: `storage_unavailable`. */
			readonly code?: 'schema_newer';
			readonly message: string;
			readonly detail?: string;
			/** The remedy, where it is not about the file. */
			readonly remedy?: string;
			readonly fault: 'damaged' | 'refused';
	  };
