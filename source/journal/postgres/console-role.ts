import {z} from 'zod';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {databaseProblem, hintChannel, hostOf, type JournalDatabase, openConnection} from './connection.ts';
import {databaseTime} from './node-names.ts';
import {postgresDialect} from '../tables/dialect.ts';
import {prepareDatabase} from './prepare-database.ts';
import {type Query, readRows} from '../tables/query.ts';

/** What a console reads, by the names of its views. No view has bodies, headers, records of calls or what was filled into forms: they may hold secrets. */
const views = {
	console_requests: `SELECT id, kind, node, profile, arguments_hash, request, whole, state, outcome, answered_by, answered_at_node,
		requested_at, expires_at, settled_at FROM requests`,
	console_events: `SELECT id, time, profile, route, event, delivery_id, status, outcome, reason, ms, ${postgresDialect.nodeName} FROM events
		ORDER BY sequence DESC`,
	console_runs: `SELECT id, event_id, profile, job, state, reason, changed_at, ${postgresDialect.nodeName} FROM runs ORDER BY sequence DESC`,
	console_calls: `SELECT id, time, run, rule, profile, server, read_only, outcome, code, ms, resolution, resolved_by, ${postgresDialect.nodeName}
		FROM calls ORDER BY sequence DESC`,
	console_failed_deliveries:
		'SELECT id, profile, route, job, target, failures, first_at, last_at, reason, event_id FROM failed_deliveries',
} as const;

/** An open transaction of a console holds what its gateway waits for. */
const idleMilliseconds = 5000;
const mostMessageCharacters = 2000;

/** True for a request whose row has all of it: neither its arguments nor a text were cut. */
const isWhole = `(coalesce(whole, request)::json ->> 'cutBytes')::bigint = 0 AND coalesce(whole, request) !~ '‹[0-9,]+ more›'`;

/** True for a request with characters that a reader may take for others: a row has them as they are sent, and this answer asks nobody twice. */
const isMarked = (request: string) => `coalesce((${request}::json ->> 'markedCharacters')::bigint, 0) > 0`;

/**
The answer of a console, with the rights of whoever owns the function: the same conditions as the answer of a gateway, once only, and by the name of the
role that has logged in. What the request does not show whole, or has marked characters, can only be denied (docs/approvals.md, Several gateways). One statement decides, so that an
answer that does not count locks no row that a gateway may write to.
*/
const answerFunction = (schema: string) => `
	CREATE OR REPLACE FUNCTION answer_approval(id text, arguments_hash text, verdict text, message text DEFAULT NULL) RETURNS text
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, "${schema}", pg_temp AS $answer$
	DECLARE
		asked requests%ROWTYPE;
	BEGIN
		PERFORM set_config('synchronous_commit', 'on', true);
		PERFORM set_config('idle_in_transaction_session_timeout', '${idleMilliseconds}', true);
		IF verdict IS NULL OR verdict NOT IN ('allow', 'deny') THEN
			RAISE EXCEPTION 'The verdict has to be allow or deny';
		END IF;
		UPDATE requests SET state = 'settled', settled_at = ${databaseTime}, answered_by = session_user,
			outcome = CASE verdict WHEN 'allow' THEN 'approved' ELSE 'denied' END,
			answer = CASE verdict WHEN 'allow' THEN '{"scope":"once"}'
				ELSE json_strip_nulls(json_build_object('message', left(message, ${mostMessageCharacters})))::text END
		WHERE requests.id = answer_approval.id AND kind = 'approval' AND state = 'pending' AND expires_at > ${databaseTime}
			AND requests.arguments_hash = answer_approval.arguments_hash AND (verdict = 'deny' OR (${isWhole} AND NOT ${isMarked('request')}));
		IF FOUND THEN
			PERFORM pg_notify('${hintChannel}', '${schema} requests');
			RETURN 'resolved';
		END IF;
		SELECT * INTO asked FROM requests WHERE requests.id = answer_approval.id AND kind = 'approval';
		IF NOT FOUND OR asked.state <> 'pending' OR asked.expires_at <= ${databaseTime} THEN
			RETURN 'already settled';
		END IF;
		IF asked.arguments_hash IS DISTINCT FROM answer_approval.arguments_hash THEN
			RETURN 'changed';
		END IF;
		RETURN CASE WHEN ${isMarked('asked.request')} THEN 'has marked characters' ELSE 'not shown whole' END;
	END $answer$`;

const functionName = 'answer_approval(text, text, text, text)';

/** What a role may do once it has the rights of a console. */
type GrantedConsole = {
	readonly role: string;
	readonly views: readonly string[];
	readonly functions: readonly string[];
};

/**
Gives a role of the database what a console needs, and makes that where it is missing: it may read the views and answer approvals, nothing else. Rejects
with `console_not_granted`; then nothing is changed.
*/
export async function grantConsole(
	database: JournalDatabase,
	role: string,
	signal: AbortSignal,
): Promise<GrantedConsole> {
	let close: () => Promise<void> = async () => undefined;
	try {
		const connection = await openConnection(database, {onLost: () => undefined, signal});
		({close} = connection);
		const {query} = connection;
		await prepareDatabase(query, database);
		await query('BEGIN');
		// Of two that do this at once, the second finds it done.
		await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`sluice tables ${database.schema}`]);
		await checkRole(query, role);
		await makeConsole(query, database);
		await grant(query, database, role);
		await refuseMore(query, database, role);
		await query('COMMIT');
		return {role, views: Object.keys(views), functions: ['answer_approval']};
	} catch (caught) {
		throw toFailure(caught, database);
	} finally {
		await close();
	}
}

async function makeConsole(query: Query, {schema}: JournalDatabase): Promise<void> {
	for (const [name, text] of Object.entries(views)) {
		await query(`CREATE OR REPLACE VIEW ${name} AS ${text}`);
		await query(`REVOKE ALL ON ${name} FROM PUBLIC`);
	}

	await query(answerFunction(schema));
	await query(`REVOKE ALL ON FUNCTION ${functionName} FROM PUBLIC`);
}

async function grant(query: Query, {schema}: JournalDatabase, role: string): Promise<void> {
	const name = `"${role.replaceAll('"', '""')}"`;
	await query(`GRANT USAGE ON SCHEMA "${schema}" TO ${name}`);
	await query(`GRANT SELECT ON ${Object.keys(views).join(', ')} TO ${name}`);
	await query(`GRANT EXECUTE ON FUNCTION ${functionName} TO ${name}`);
}

const roleRow = z.object({name: z.string(), isSuper: z.boolean()});

/** What the role is, and what it can make itself by SET ROLE: it has the rights of both. */
const memberOf = `SELECT oid, rolname AS name, rolsuper AS "isSuper" FROM pg_roles WHERE pg_has_role($1, oid, 'MEMBER')`;

async function checkRole(query: Query, role: string): Promise<void> {
	const shown = safeText(role, {maximumCharacters: 100});
	const found = await query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
	if (found.length === 0) {
		throw new Problem('console_not_granted', {
			message: `The database has no role ${shown}`,
			remedy: 'Create it first, with `createuser --pwprompt ROLE` or CREATE ROLE, then repeat this command',
		});
	}

	const roles = await readRows(roleRow, query(`${memberOf} ORDER BY rolname <> $1, rolname`, [role]));
	const superuser = roles.find(({isSuper}) => isSuper);
	if (superuser) {
		throw tooMuch(role, superuser.name, 'is a superuser');
	}
}

const rightRow = z.object({name: z.string(), relation: z.string().nullable()});

/** Whoever may write to the tables, or put functions beside those of the answer, owns every gateway, and needs no function for it. */
async function refuseMore(query: Query, {schema}: JournalDatabase, role: string): Promise<void> {
	const text = `
		WITH member AS (${memberOf})
		SELECT name, relname AS relation FROM member, pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
		WHERE nspname = $2 AND CASE
			WHEN relkind = 'r' THEN has_table_privilege(member.oid, pg_class.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')
				OR has_any_column_privilege(member.oid, pg_class.oid, 'SELECT, INSERT, UPDATE')
			WHEN relkind = 'v' THEN has_table_privilege(member.oid, pg_class.oid, 'INSERT, UPDATE, DELETE, TRIGGER')
			ELSE false END
		UNION ALL SELECT name, NULL FROM member WHERE has_schema_privilege(member.oid, $2, 'CREATE')
		ORDER BY 2, 1 LIMIT 1`;
	const [more] = await readRows(rightRow, query(text, [role, schema]));
	if (more) {
		const what = more.relation === null ? `may create objects in schema ${schema}` : `has rights on ${more.relation}`;
		throw tooMuch(role, more.name, what);
	}
}

function tooMuch(role: string, holder: string, what: string): Problem {
	const [shown, shownHolder] = [role, holder].map(name => safeText(name, {maximumCharacters: 100}));
	return new Problem('console_not_granted', {
		message: `The role ${shown} may do more than a console: it ${role === holder ? '' : `belongs to ${shownHolder}, which `}${what}`,
		remedy:
			'Name a role that has no rights on the schema of the journal and its tables, by itself or by a role that it belongs to',
	});
}

function toFailure(caught: unknown, database: JournalDatabase): Problem {
	if (caught instanceof Problem) {
		return caught;
	}

	const {detail = ''} = databaseProblem(caught, database);
	return new Problem('console_not_granted', {
		message: `The database on ${hostOf(database)} did not grant the rights (${safeText(detail)})`,
		remedy: `Let the role of journal.url own the schema ${database.schema}, then repeat this command`,
	});
}
