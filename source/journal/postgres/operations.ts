import {type StorageOperations} from '../operations/operations.ts';
import {type Owner} from '../rows/node-rows.ts';
import {postgresDialect} from '../tables/dialect.ts';
import {
	createReads as readsOf,
	createWrites as writesOf,
	type DatabaseName,
	type Reads,
	type Writes,
} from '../tables/operations.ts';
import {type Query} from '../tables/query.ts';
import {createTables} from '../tables/transactions.ts';
import {type Clock} from '../../util/clock.ts';
import {sendHint} from './connection.ts';
import {createDocumentTable} from './documents.ts';
import {lockName, measureClock, readTime} from './node-names.ts';
import {createOtherWork} from './other-work.ts';
import {findRefusingTables} from './prepare-database.ts';
import {createQuotaTable} from './quotas.ts';
import {createRequestTable} from './requests.ts';
import {createRetention} from './retention.ts';
import {readVersion} from './schema-version.ts';

/** Writes of a database that run inside a transaction. */
type DatabaseWrite =
	| 'replaceDocument'
	| 'askRequest'
	| 'answerRequest'
	| 'endRequest'
	| 'setRequestTime'
	| 'claimCall'
	| 'cancelAbandonedRequests';

/** Writes that an engine carries out in its own way. */
type EngineWrite = 'enterNode' | 'takeTasks';

/** The operations that run inside a transaction, but `acceptEvent`: the events of a transaction are accepted together. */
export function createWrites(
	query: Query,
	owner: Owner,
	clock: Pick<Clock, 'now'>,
): Writes & Pick<StorageOperations, EngineWrite | DatabaseWrite> {
	const tables = createTables({query, dialect: postgresDialect, owner});
	const documents = createDocumentTable(query);
	const requests = createRequestTable(query, owner);
	const measure = async (): Promise<number> => {
		const {time, clockAhead} = await measureClock(query, clock);
		owner.clockAhead = clockAhead;
		return time;
	};

	return {
		...writesOf(tables, measure),
		async enterNode(_, instance) {
			await lockName(query, instance);
			// Another version may have changed the tables since this connection was opened.
			await readVersion(query);
			return tables.nodes.enter(instance, await measure(), 'those of its name');
		},
		replaceDocument: (now, change) => documents.replace(change, now),
		askRequest: (_, request) => requests.insert(request),
		answerRequest: (_, answer) => requests.answer(answer),
		endRequest: (_, id, end) => requests.end(id, end),
		setRequestTime: (_, id, left) => requests.setTime(id, left),
		cancelAbandonedRequests: () => requests.cancelAbandoned(),
		claimCall: (_, claim) => requests.claim(claim),
		async takeTasks(_, asked) {
			const taken = await tables.tasks.take(asked, await measure());
			await requests.adopt(taken.flatMap(({approval}) => (approval ? [approval.id] : [])));
			return taken;
		},
	};
}

/** Operations on a connection that no write waits for. */
type ReadEngineName = 'listRefusingTables' | 'removeSlice' | 'reserveSpending';

/** The operations that only read, and those whose only statement is a transaction of its own: no write waits for them. */
export function createReads(
	query: Query,
	owner: Owner,
): Reads & Pick<StorageOperations, Exclude<DatabaseName, DatabaseWrite> | ReadEngineName> {
	const retention = createRetention(query);
	const tables = createTables({query, dialect: postgresDialect, owner});
	const readOtherWork = createOtherWork(query, owner, tables.unreadable);
	const documents = createDocumentTable(query);
	const requests = createRequestTable(query, owner);
	const quotas = createQuotaTable(query);
	return {
		...readsOf(tables, () => readTime(query)),
		listRefusingTables: () => findRefusingTables(query),
		listRequests: (_, asked) => requests.list(asked),
		findFullRequest: (_, id) => requests.findFull(id),
		removeSlice: (now, limits) => retention.removeSlice(now + owner.clockAhead, limits),
		listOtherWork: (_, asked) => readOtherWork(asked),
		// Each statement is a transaction: a row that other gateways wait for is locked for no longer.
		reserveSpending: (_, asked) => tables.spending.reserve(asked),
		takeQuotaBlock: (_, route, asked) => quotas.takeBlock(route, asked),
		listDocuments: (_, known) => documents.list(known),
		announce: (_, hint) => sendHint(query, hint),
	};
}
