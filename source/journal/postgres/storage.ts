import {type Hint, type WhenEmpty} from '../operations/operation-values.ts';
import {type OperationName, type StorageReply, type StorageRequest} from '../operations/operations.ts';
import {type RunRequests} from '../operations/request-batches.ts';
import {type Owner} from '../rows/node-rows.ts';
import {postgresDialect} from '../tables/dialect.ts';
import {type Clock} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {acceptAtOnce, acceptEvents, LostRace} from './accept-events.ts';
import {
	type Connection,
	databaseFault,
	databaseProblem,
	hostOf,
	type JournalDatabase,
	openConnection,
	openConnectionPool,
	sqlState,
	unusable,
} from './connection.ts';
import {createReads, createWrites} from './operations.ts';
import {prepareDatabase, rightsRemedy} from './prepare-database.ts';
import {createEventFileTable} from '../tables/event-files.ts';
import {type Query} from '../tables/query.ts';
import {createQueueReservation, type QueueReservation} from './queue-reservation.ts';
import {createWindowTable} from '../tables/waiting-runs.ts';
import {type AcceptedEvent} from './write-events.ts';
import {createWriteQueue, type RunTransaction} from './write-queue.ts';

/** A journal in a PostgreSQL database. */
type PostgresStorage = {
	/**
	Consecutive writes share one transaction on one connection: all of them are on disk, or none. Reads see the writes before them.
	Rejects with `storage_unavailable` when the connection ended meanwhile: what was asked may be on disk or not.
	*/
	readonly run: RunRequests;
	/** Milliseconds by which the clock of the database is ahead of this process; 0 before a gateway has entered. */
	readonly clockAhead: () => number;
	/** Resolves once all requests have a reply and the connections are closed. */
	readonly close: () => Promise<void>;
};

/** Carries out a request whose arguments were checked where it was made. */
type UncheckedOperation = (now: number, ...args: readonly unknown[]) => Promise<unknown>;

/**
Connects, and creates the tables of a new journal. Rejects with `storage_unavailable`, whose texts never have the password of the address.
`onLost` is called once when the connection that writes ends by itself or answers nothing any more; then it serves no more.
*/
export async function openPostgresStorage(options: {
	readonly database: JournalDatabase;
	readonly clock: Pick<Clock, 'now' | 'after'>;
	readonly onLost: (problem: Problem) => void;
	/** Called when another gateway or command says that something changed. */
	readonly onHint?: ((hint: Hint) => void) | undefined;
	/** Gives up a connection that is not there yet. */
	readonly signal?: AbortSignal | undefined;
	/** Default: create. */
	readonly whenEmpty?: WhenEmpty | undefined;
}): Promise<PostgresStorage> {
	const {database, clock, onLost} = options;
	let phase: 'opening' | 'open' | 'closed' = 'opening';
	let lostWhileOpening: Problem | undefined;
	const lose = (caught: unknown) => {
		const problem = databaseProblem(caught, database, unusable(database));
		if (phase === 'opening') {
			lostWhileOpening = problem;
		} else if (phase === 'open') {
			phase = 'closed';
			reservation.close();
			void connection.close();
			void pool.close();
			onLost(problem);
		}
	};

	const connection = await openChecked({...options, onLost: caught => lose(caught)});
	const pool = await openConnectionPool(database, Math.max(1, database.pool - 1));
	const owner: Owner = {instanceId: null, clockAhead: 0};
	const toReply = (caught: unknown) => toRefusal(caught, database);
	const reservation = createQueueReservation(connection.query, {owner, clock, between: work => writes.between(work)});
	const writes = createWriteQueue(createTransactions(connection.query, {owner, reservation}, clock), {toReply, lose});
	const reads = createReader(pool, owner, toReply);
	if (lostWhileOpening) {
		await Promise.all([connection.close(), pool.close()]);
		throw lostWhileOpening;
	}

	phase = 'open';
	const run: RunRequests = requests => {
		if (phase !== 'open') {
			return Promise.reject(databaseProblem(new Error('the connection ended'), database, unusable(database)));
		}

		return Promise.all(
			requests.map(request =>
				reads.has(request.name) ? writes.settled().then(() => reads.run(request)) : writes.add(request),
			),
		);
	};

	return {
		run,
		clockAhead: () => owner.clockAhead,
		async close() {
			const wasOpen = phase === 'open';
			phase = 'closed';
			reservation.close();
			if (wasOpen) {
				await writes.settled();
				await Promise.all([connection.close(), pool.close()]);
			}
		},
	};
}

/** The connection that writes, to a database that can be used. */
async function openChecked({
	database,
	whenEmpty,
	...options
}: {readonly database: JournalDatabase; readonly whenEmpty?: WhenEmpty | undefined} & Parameters<
	typeof openConnection
>[1]): Promise<Connection> {
	let connection: Connection | undefined;
	try {
		connection = await openConnection(database, options);
		await prepareDatabase(connection.query, database, whenEmpty);
		return connection;
	} catch (caught) {
		await connection?.close();
		throw databaseProblem(caught, database, unusable(database));
	}
}

/** PostgreSQL's code for a right that was taken from the role. */
const insufficientPrivilege = '42501';

function toRefusal(caught: unknown, database: JournalDatabase): StorageReply & {readonly kind: 'problem'} {
	const {code, message, detail} = databaseProblem(caught, database);
	const remedy = remedyOf(caught, database);
	return {
		kind: 'problem',
		...(code === 'schema_newer' && {code}),
		message,
		...(detail !== undefined && {detail}),
		remedy,
		fault: 'refused',
	};
}

function remedyOf(caught: unknown, database: JournalDatabase): string {
	if (caught instanceof Problem) {
		return caught.remedy;
	}

	return sqlState(caught) === insufficientPrivilege
		? rightsRemedy(database)
		: `Look at the log of PostgreSQL on ${hostOf(database)}, and at its disk space`;
}

/** A transaction that met another one is tried again at once. */
const maxAttempts = 5;

function createTransactions(
	query: Query,
	{owner, reservation}: {readonly owner: Owner; readonly reservation: QueueReservation},
	clock: Pick<Clock, 'now'>,
): RunTransaction {
	const operations = createWrites(query, owner, clock) as Readonly<Record<string, UncheckedOperation>>;
	const toAccepted = (request: StorageRequest) => toAcceptedEvent(request, owner);
	const windows = createWindowTable({query, owner});
	const files = createEventFileTable({query, dialect: postgresDialect});
	const carryOut = async (requests: readonly StorageRequest[]): Promise<readonly unknown[]> => {
		const results: unknown[] = [];
		for (const group of groupAccepted(requests)) {
			const [first] = group;
			if (first && isAccept(first)) {
				results.push(...(await acceptEvents(query, {windows, files, owner, reservation}, group.map(toAccepted))));
			} else if (first) {
				results.push(await operations[first.name]?.(first.now, ...first.args));
			}
		}

		return results;
	};

	/** Most events come without other writes: then their statement needs no other ones around it. */
	const acceptAlone = async (requests: readonly StorageRequest[]) =>
		requests.every(isAccept) ? acceptAtOnce(query, {owner, reservation}, requests.map(toAccepted)) : undefined;

	return async requests => {
		for (let attempt = 1; ; attempt++) {
			try {
				await reservation.reserve(requests.filter(isAccept).map(toAccepted));
				const outcomes = await acceptAlone(requests);
				if (outcomes) {
					reservation.note(requests);
					return outcomes;
				}

				await query('BEGIN');
				const results = await carryOut(requests);
				await query('COMMIT');
				reservation.note(requests);
				return results;
			} catch (caught) {
				reservation.forget();
				const isConflict = caught instanceof LostRace || databaseFault(caught) === 'conflict';
				// A connection that is lost has nothing to roll back.
				if (!isConflict && databaseFault(caught) === 'lost') {
					throw caught;
				}

				await query('ROLLBACK');
				if (!isConflict || attempt === maxAttempts) {
					throw caught;
				}
			}
		}
	};
}

/** Events that follow each other are accepted together, anything else alone. */
function groupAccepted(requests: readonly StorageRequest[]): ReadonlyArray<readonly StorageRequest[]> {
	const groups: StorageRequest[][] = [];
	for (const request of requests) {
		const last = groups.at(-1);
		if (isAccept(request) && last?.[0] && isAccept(last[0])) {
			last.push(request);
		} else {
			groups.push([request]);
		}
	}

	return groups;
}

function isAccept({name}: StorageRequest): boolean {
	return name === 'acceptEvent';
}

/** The arguments were checked where the event was accepted. */
function toAcceptedEvent({args, now}: StorageRequest, {clockAhead}: Owner): AcceptedEvent {
	const [rows, body, ...contents] = args as readonly [
		AcceptedEvent['rows'],
		AcceptedEvent['body'],
		...AcceptedEvent['contents'],
	];
	const claim = rows.claim && {...rows.claim, expiresAt: rows.claim.expiresAt + clockAhead};
	return {rows: {...rows, claim}, body, contents, now: now + clockAhead};
}

/** Reads, and removals of old rows, on any connection: one that the server ended meanwhile is replaced, and it is tried once more. */
function createReader({query}: Connection, owner: Owner, toReply: (caught: unknown) => StorageReply) {
	const operations = createReads(query, owner) as Readonly<Partial<Record<OperationName, UncheckedOperation>>>;
	const read = async ({name, args, now}: StorageRequest): Promise<StorageReply> => ({
		kind: 'value',
		value: await operations[name]?.(now, ...args),
	});
	return {
		has: (name: OperationName) => Object.hasOwn(operations, name),
		async run(request: StorageRequest): Promise<StorageReply> {
			try {
				return await read(request).catch((caught: unknown) => {
					if (databaseFault(caught) !== 'lost') {
						throw caught;
					}

					return read(request);
				});
			} catch (caught) {
				return toReply(caught);
			}
		},
	};
}
