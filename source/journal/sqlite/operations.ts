import {type DatabaseSync} from 'node:sqlite';
import {Problem, toProblem} from '../../util/problem.ts';
import {
	type OperationName,
	type StorageReply,
	type StorageRequest,
	type StorageOperations,
} from '../operations/operations.ts';
import {type Owner} from '../rows/node-rows.ts';
import {sqliteDialect} from '../tables/dialect.ts';
import {createReads, createWrites, type Reads, type Writes} from '../tables/operations.ts';
import {createTables, takeWindow} from '../tables/transactions.ts';
import {createAccept} from './accept-event.ts';
import {EmptyFile, missingTables, openDatabase, type OpenOptions, rollBack} from './database.ts';
import {OtherLog, isDamage} from './database-file.ts';
import {createQuery, createQueryNow} from './query.ts';
import {createRetention} from './retention.ts';

/** The open file and its operations. */
export type Storage = {
	/**
	Carries out requests in order. Consecutive writes share one transaction, and one wait for the disk: they are all on disk when this resolves, or
	none of them is. A read sees the writes before it. Requests that come meanwhile wait, so that nothing comes between BEGIN and COMMIT.
	*/
	readonly run: (requests: readonly StorageRequest[]) => Promise<readonly StorageReply[]>;
	/** Closes the file behind the requests that came before. */
	readonly close: () => Promise<void>;
};

type Operations = {
	readonly reads: Reads & Pick<StorageOperations, 'listRefusingTables'>;
	readonly writes: Writes &
		Pick<StorageOperations, 'enterNode' | 'removeSlice' | 'reserveSpending' | 'takeTasks'> & {
			readonly acceptEvent: ReturnType<typeof createAccept>;
		};
};

/** The operations of a file, which one gateway at a time has: its clock is that of the process. */
function createOperations(database: DatabaseSync): Operations {
	const owner: Owner = {instanceId: null, clockAhead: 0};
	const queryNow = createQueryNow(database);
	const query = createQuery(database, queryNow);
	const tables = createTables({query, dialect: sqliteDialect, owner});
	const retention = createRetention(database);
	const time = async (now: number) => now;
	return {
		reads: {...createReads(tables, time), listRefusingTables: async () => missingTables(database)},
		writes: {
			...createWrites(tables, time),
			acceptEvent: createAccept(queryNow, tables, owner),
			reserveSpending: (_, request) => tables.spending.reserve(request),
			takeTasks: (now, asked) => tables.tasks.take(asked, now),
			enterNode: (now, instance) => tables.nodes.enter(instance, now, 'all others'),
			removeSlice: async (now, limits) => retention.removeSlice(now, limits),
			async takeDueWindow(_, window) {
				// No other gateway can have extended it.
				await takeWindow(tables, window);
				return undefined;
			},
		},
	};
}

/** An operation as a request reaches it: its arguments were checked where it was called. */
type UncheckedOperation = (now: number, ...args: readonly unknown[]) => unknown;

/** Opens or creates the file at `path` in this thread. Throws `storage_unavailable`. Once the file turns out to be damaged, nothing touches it any more. */
export function openStorage(path: string, options?: OpenOptions): Storage {
	const {file, groups} = openDatabase(path, opened => ({file: opened, groups: createGroups(opened.database)}), options);
	let damage: StorageReply | undefined;
	const unlessDamaged = async (requests: readonly StorageRequest[], run: Storage['run']) => {
		const replies = damage === undefined ? await run(requests) : toAll(requests, damage);
		damage ??= replies.find(reply => reply.kind === 'problem' && reply.fault === 'damaged');
		if (damage !== undefined) {
			file.closeAsIs();
		}

		return replies;
	};

	const runChecked: Storage['run'] = async requests => {
		try {
			file.check();
		} catch (caught) {
			return toAll(requests, toRefusal(caught));
		}

		const replies: StorageReply[] = [];
		for (const group of groups.of(requests)) {
			replies.push(...(await unlessDamaged(group.requests, group.run)));
		}

		return replies;
	};

	let last: Promise<unknown> = Promise.resolve();
	const inTurn = <Value>(work: () => Value | Promise<Value>): Promise<Value> => {
		const done = last.then(work);
		last = done.catch(() => undefined);
		return done;
	};

	return {
		run: requests => inTurn(() => unlessDamaged(requests, runChecked)),
		close: () => inTurn(file.close),
	};
}

/** Divides requests into groups that are run together. */
function createGroups(database: DatabaseSync) {
	const {reads, writes} = createOperations(database);
	const operations = {...reads, ...writes} as Readonly<Record<OperationName, UncheckedOperation>>;
	const runOne = ({name, args, now}: StorageRequest) => operations[name](now, ...args);

	const runWrites: Storage['run'] = async requests => {
		try {
			database.exec('BEGIN IMMEDIATE');
			const values: unknown[] = [];
			for (const request of requests) {
				const value = runOne(request);
				values.push(value instanceof Promise ? await value : value);
			}

			database.exec('COMMIT');
			return values.map(toReply);
		} catch (caught) {
			rollBack(database);
			return toAll(requests, toRefusal(caught));
		}
	};

	const runRead = async (request: StorageRequest): Promise<StorageReply> => {
		try {
			return toReply(await runOne(request));
		} catch (caught) {
			return toRefusal(caught);
		}
	};

	const runReads: Storage['run'] = async requests => {
		const replies: StorageReply[] = [];
		for (const request of requests) {
			replies.push(await runRead(request));
		}

		return replies;
	};

	return {
		of: (requests: readonly StorageRequest[]) =>
			inRuns(requests, ({name}) => Object.hasOwn(reads, name)).map(({isRead, requests: some}) => ({
				requests: some,
				run: isRead ? runReads : runWrites,
			})),
	};
}

function toAll(requests: readonly StorageRequest[], reply: StorageReply): readonly StorageReply[] {
	return requests.map(() => reply);
}

/** Divides requests into runs of reads and of writes, in their order. */
function inRuns(requests: readonly StorageRequest[], isReadOf: (request: StorageRequest) => boolean) {
	const runs: Array<{readonly isRead: boolean; readonly requests: StorageRequest[]}> = [];
	for (const request of requests) {
		const isRead = isReadOf(request);
		const last = runs.at(-1);
		if (last?.isRead === isRead) {
			last.requests.push(request);
		} else {
			runs.push({isRead, requests: [request]});
		}
	}

	return runs;
}

function toReply(value: unknown): StorageReply {
	return {kind: 'value', value};
}

/** A problem in a form that can be sent from one thread to another. `damaged`: the file is no journal, or not one that this version can read. */
export function toRefusal(caught: unknown): StorageReply & {readonly kind: 'problem'} {
	const {code, message, detail, remedy, cause} = toProblem(caught, 'storage_unavailable');
	const why = {kind: 'problem', message, ...(detail !== undefined && {detail})} as const;
	if (code === 'schema_newer') {
		return {...why, code, fault: 'refused'};
	}

	const isOther = cause instanceof OtherLog || cause instanceof EmptyFile;
	const isDamagedFile = isDamage(caught) || cause instanceof Problem;
	return {...why, ...(isOther && {remedy}), fault: isDamagedFile ? 'damaged' : 'refused'};
}
