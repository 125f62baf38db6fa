import {z} from 'zod';
import {
	type AnswerOutcome,
	answerText,
	type CallClaim,
	type CallClaimOutcome,
	endColumns,
	endRow,
	maxListedRequests,
	readFullRequest,
	type RequestAnswer,
	type RequestEnd,
	type RequestQuery,
	requestRow,
	type RequestRow,
	type TimeLeft,
	type WrittenRequest,
} from '../rows/request-rows.ts';
import {type FullRequest} from '../../state/approval-event.ts';
import {isAbandoned, isOwnerAlive, type Owner} from '../rows/node-rows.ts';
import {sendHint} from './connection.ts';
import {databaseTime} from './node-names.ts';
import {type Query, readRows} from '../tables/query.ts';

/**
Requests that wait for a person at any gateway of the journal (docs/postgresql.md, Several gateways), by the clock of the database. The first end of a
request stands. Write inside a transaction. Statements on many rows leave out those that another transaction is just changing.
*/
export type RequestTable = {
	/** A request can be answered from now on, for as long as its own times say. */
	readonly insert: (request: WrittenRequest) => Promise<void>;
	/** The answer counts if the request still waits, with these arguments, and its time is not over. */
	readonly answer: (answer: RequestAnswer) => Promise<AnswerOutcome>;
	/** Changes the time of a request of this gateway that still waits. */
	readonly setTime: (id: string, left: TimeLeft) => Promise<void>;
	/** Ends a request that still waits, and removes its filled-in form: the gateway that asked has it, or needs it no more. */
	readonly end: (id: string, end: RequestEnd) => Promise<void>;
	/** One statement decides whether a call may be sent. Its request is claimed by it alone; the same call may ask again. */
	readonly claim: (claim: CallClaim) => Promise<CallClaimOutcome>;
	/** Nobody waits any more for the answer to what a gateway asked that is gone, and nobody takes what was filled in for it. */
	readonly cancelAbandoned: () => Promise<void>;
	/** From now on this gateway waits for the answers to these requests, which are about tasks; one that was given counts for it. */
	readonly adopt: (ids: readonly string[]) => Promise<void>;
	/** Known requests as they are now, and the others that wait, oldest first. */
	readonly list: (query: RequestQuery) => Promise<readonly RequestRow[]>;
	readonly findFull: (id: string) => Promise<FullRequest | undefined>;
};

/**
The transaction of a console that answers holds the row, for as long as its role likes. Nothing else is written while this connection waits for it: then
the write is refused, and the end of a request is tried again.
*/
const waitBriefly = 'SET LOCAL lock_timeout = 2000';

const endNames = 'outcome, answer, answered_by AS "by", answered_at_node AS "byNode"';
const rowNames = `id, kind, node, arguments_hash AS "argumentsHash", ${endNames},
	${databaseTime} - requested_at AS age, coalesce(left_milliseconds, expires_at - ${databaseTime}) AS "left",
	left_milliseconds IS NOT NULL AS "isSuspended"`;

/** True for a request that can be answered: its time is not over, or stands still. */
const isInTime = `(left_milliseconds IS NOT NULL OR expires_at > ${databaseTime})`;

/** The columns of an end besides its own: what was answered while the time stood still was in time. */
const settledTime = `settled_at = ${databaseTime}, left_milliseconds = NULL,
	expires_at = CASE WHEN left_milliseconds IS NULL THEN expires_at ELSE ${databaseTime} END`;

/** A filled-in form may hold a secret, or anything else that stays with the gateway that asked. */
const isFilledIn = `kind = 'question' AND outcome = 'answered' AND answer IS NOT NULL`;

/** The caller of a task is not gone with its gateway. */
const isOfNoTask = `NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.approval_id = requests.id AND tasks.state = 'waiting')`;

const listing = `
	SELECT ${rowNames}, NULL AS request, requested_at FROM requests WHERE id = ANY($1::text[])
	UNION ALL (
		SELECT ${rowNames}, request, requested_at FROM requests
		WHERE state = 'pending' AND profile = $2 AND node <> $3 AND ${isInTime} AND NOT (id = ANY($1::text[]))
		ORDER BY requested_at, id LIMIT ${maxListedRequests}
	)
	ORDER BY requested_at, id
`;

/**
A change of a document that is compared here waits for the end of this transaction, and this for a change under way: by the lock of its row,
or of the table where it has none yet (`DocumentTable.replace`).
*/
const claiming = `
	WITH alive AS (
		SELECT 1 WHERE ${isOwnerAlive('$7')}
	), known AS (
		SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) AS known (profile, name, version)
	), stored AS (
		SELECT profile, name, version FROM documents WHERE (profile, name) IN (SELECT profile, name FROM known)
		ORDER BY profile, name FOR SHARE
	), unchanged AS (
		SELECT 1 FROM alive WHERE NOT EXISTS (
			SELECT 1 FROM known LEFT JOIN stored USING (profile, name) WHERE coalesce(stored.version, 0) <> known.version
		)
	), claimed AS (
		UPDATE requests SET state = 'claimed', call = $4 WHERE id = $5 AND arguments_hash = $6 AND outcome = 'approved'
			AND owner IS NOT DISTINCT FROM $7 AND settled_at <= expires_at AND (state = 'settled' OR state = 'claimed' AND call = $4) AND EXISTS (SELECT 1 FROM unchanged)
		RETURNING 1
	)
	SELECT EXISTS (SELECT 1 FROM alive) AS "isAlive", EXISTS (SELECT 1 FROM unchanged) AS "isUnchanged",$5::text IS NULL OR EXISTS (SELECT 1 FROM claimed) AS "isAllowed"
`;

const claimRow = z.object({isAlive: z.boolean(), isUnchanged: z.boolean(), isAllowed: z.boolean()});
const settledRow = z
	.object({argumentsHash: z.string(), ...endColumns})
	.transform(({argumentsHash, ...written}) => ({argumentsHash, end: endRow.parse(written)}));
const fullRow = z.object({whole: z.string().nullable()});

/** The statements of the table. */
export function createRequestTable(query: Query, owner: Owner): RequestTable {
	return {
		...createClaims(query, owner),
		async insert({kind, request, node, profile, argumentsHash, fullRequest}) {
			const {id, requestedAt, expiresAt, left = 0} = request;
			await query(
				`INSERT INTO requests (id, kind, node, profile, arguments_hash, request, whole, owner, state, requested_at, expires_at, left_milliseconds)
				SELECT $1, $2, $3, $4, $5, $6, $7, $8, 'pending', now, now + $9::bigint, $10::bigint FROM (SELECT ${databaseTime} AS now) AS clock
				ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at, left_milliseconds = excluded.left_milliseconds
					WHERE requests.state = 'pending' AND requests.owner IS NOT DISTINCT FROM excluded.owner`,
				[
					id,
					kind,
					node,
					profile,
					argumentsHash,
					JSON.stringify(request),
					fullRequest ? JSON.stringify(fullRequest) : null,
					owner.instanceId,
					expiresAt === null ? left : expiresAt - requestedAt,
					expiresAt === null ? left : null,
				],
			);
			await sendHint(query, 'requests');
		},
		async answer({id, argumentsHash, end}) {
			await query(waitBriefly);
			const settled = await query(
				`UPDATE requests SET state = 'settled', outcome = $3, answer = $4, answered_by = $5, answered_at_node = $6,
					${settledTime}
				WHERE id = $1 AND state = 'pending' AND arguments_hash = $2 AND ${isInTime} RETURNING 1`,
				[id, argumentsHash, end.kind, answerText(end), end.by ?? null, end.byNode ?? null],
			);
			if (settled.length > 0) {
				await sendHint(query, 'requests');
				return {kind: 'resolved'};
			}

			const text = `SELECT arguments_hash AS "argumentsHash", ${endNames} FROM requests WHERE id = $1`;
			const [found] = await readRows(settledRow, query(text, [id]));
			if (found && !found.end && found.argumentsHash !== argumentsHash) {
				return {kind: 'changed'};
			}

			return {kind: 'already-settled', end: found && (found.end ?? {kind: 'timed_out'})};
		},
		async end(id, end) {
			await query(waitBriefly);
			const ended = await query(
				`UPDATE requests SET state = 'settled', outcome = $2, answer = $3, answered_by = $4, ${settledTime}
				WHERE id = $1 AND state = 'pending' RETURNING 1`,
				[id, end.kind, answerText({...end, values: undefined}), end.by ?? null],
			);
			await (ended.length > 0 && sendHint(query, 'requests'));
			await query(`UPDATE requests SET answer = NULL WHERE id = $1 AND ${isFilledIn}`, [id]);
		},
		list: ({known, profile, node}) => readRows(requestRow, query(listing, [known, profile, node])),
		async findFull(id) {
			const text = `SELECT whole FROM requests WHERE id = $1 AND state = 'pending'`;
			const [found] = await readRows(fullRow, query(text, [id]));
			return found && found.whole !== null ? readFullRequest(found.whole) : undefined;
		},
	};
}

/** The statements of the gateway that asked: they change the time of its requests, and end them when a call is made, or it is gone. */
function createClaims(
	query: Query,
	owner: Owner,
): Pick<RequestTable, 'claim' | 'cancelAbandoned' | 'adopt' | 'setTime'> {
	return {
		async setTime(id, {milliseconds, time}) {
			await query(waitBriefly);
			const changed = await query(
				`UPDATE requests SET expires_at = ${databaseTime} + $2::bigint, left_milliseconds = $3
				WHERE id = $1 AND state = 'pending' AND owner IS NOT DISTINCT FROM $4 RETURNING 1`,
				[id, milliseconds, time === 'suspended' ? milliseconds : null, owner.instanceId],
			);
			await (changed.length > 0 && sendHint(query, 'requests'));
		},
		async cancelAbandoned() {
			await query(
				`UPDATE requests SET state = 'settled', outcome = 'cancelled', ${settledTime}
				WHERE id IN (SELECT id FROM requests WHERE state = 'pending' AND ${isAbandoned} AND ${isOfNoTask} FOR UPDATE SKIP LOCKED)`,
			);
			await query(
				`UPDATE requests SET answer = NULL
				WHERE id IN (SELECT id FROM requests WHERE ${isFilledIn} AND ${isAbandoned} FOR UPDATE SKIP LOCKED)`,
			);
		},
		async adopt(ids) {
			await (ids.length > 0 &&
				query(
					`UPDATE requests SET owner = $2, node = coalesce((SELECT name FROM nodes WHERE incarnation = $2), node)
					WHERE id = ANY($1::text[]) AND state <> 'claimed'`,
					[ids, owner.instanceId],
				));
		},
		async claim({callId, documents, request}) {
			const [claimed] = await readRows(
				claimRow,
				query(claiming, [
					documents.map(({profile}) => profile),
					documents.map(({name}) => name),
					documents.map(({version}) => version),
					callId,
					request?.id ?? null,
					request?.argumentsHash ?? null,
					owner.instanceId,
				]),
			);
			if (!claimed?.isAlive) {
				return 'dead';
			}

			if (!claimed.isUnchanged) {
				return 'changed';
			}

			return claimed.isAllowed ? 'claimed' : 'not-allowed';
		},
	};
}
