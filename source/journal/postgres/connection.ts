import type pg from 'pg';
import {errorText, Problem} from '../../util/problem.ts';
import {type Hint} from '../operations/operation-values.ts';
import {type Query} from '../tables/query.ts';

/** Where a journal is: the address of its database, the schema of its tables, and how many connections a gateway may have. */
export type JournalDatabase = {readonly url: string; readonly schema: string; readonly pool: number};

/** A connection with the settings that the journal needs. */
export type Connection = {
	readonly query: Query;
	/** Ends it, whatever it is doing. */
	readonly close: () => Promise<void>;
};

/** Both are longer than a database takes that works, and shorter than the first opening of a journal waits (`openRecoverableJournal`). */
const connectMilliseconds = 8000;
const statementMilliseconds = 30_000;
/** The server ends a statement first, unless it does not answer any more. */
const silenceMilliseconds = statementMilliseconds + 10_000;
/** A gateway that freezes within a transaction holds up what others write for so long; far shorter than a lease, or theirs would end meanwhile. */
const idleMilliseconds = 4000;

/**
Settings of every connection, whatever the database or the role have set: nothing is answered before it is on disk, a row that somebody else has just
changed is read again as it is then, and a process that is gone holds nothing for long.
*/
function sessionSettings(schema: string): string {
	return `
		SET search_path = "${schema}"; SET synchronous_commit = on; SET client_min_messages = warning;
		SET default_transaction_isolation = 'read committed';
		SET statement_timeout = ${statementMilliseconds}; SET idle_in_transaction_session_timeout = ${idleMilliseconds};
		SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3`;
}

/** `pg`, which only those load who have a journal there. */
async function loadDriver(): Promise<typeof pg> {
	return (await import('pg')).default;
}

/** Where gateways tell each other of changes; what they say begins with the schema of their journal. */
export const hintChannel = 'sluice';

const hints = ['documents', 'requests'] as const satisfies readonly Hint[];

/** Tells the others on the journal of this connection: at once, or when its transaction is on disk. PostgreSQL sends equal notifications of one transaction once. */
export async function sendHint(query: Query, hint: Hint): Promise<void> {
	await query(`SELECT pg_notify('${hintChannel}', current_schema() || ' ' || $1::text)`, [hint]);
}

/**
Connects. `onLost` is called once when the connection ends by itself, `onHint` with what others announce. Rejects with `storage_unavailable`.
*/
export async function openConnection(
	database: JournalDatabase,
	{
		onLost,
		onHint,
		signal,
	}: {
		readonly onLost: (caught: unknown) => void;
		readonly onHint?: ((hint: Hint) => void) | undefined;
		readonly signal?: AbortSignal | undefined;
	},
): Promise<Connection> {
	const driver = await loadDriver();
	const client = new driver.Client(clientOptions(driver, database));
	const close = () => client.end().catch(() => undefined);
	const abort = () => void close();
	signal?.addEventListener('abort', abort);
	try {
		checkProof(client, database.url);
		client.on('error', onLost);
		await client.connect();
		await client.query(sessionSettings(database.schema));
		await (onHint && listen(client, database, onHint));
		return {query: queryOf(client), close};
	} catch (caught) {
		await close();
		throw caught;
	} finally {
		signal?.removeEventListener('abort', abort);
	}
}

async function listen(client: pg.Client, {schema}: JournalDatabase, onHint: (hint: Hint) => void): Promise<void> {
	client.on('notification', ({payload}) => {
		// A newer version may say more.
		const hint = hints.find(one => payload === `${schema} ${one}`);
		if (hint) {
			onHint(hint);
		}
	});
	await client.query(`LISTEN ${hintChannel}`);
}

/** Creates the connections of reads; the first of them is made by the first read. */
export async function openConnectionPool(database: JournalDatabase, maxConnections: number): Promise<Connection> {
	const driver = await loadDriver();
	const pool = new driver.Pool({
		...clientOptions(driver, database),
		max: maxConnections,
		// The pool waits for the promise, though the type of the option is void.
		onConnect: client => client.query(sessionSettings(database.schema)) as unknown as void,
	});
	// One that ends while nobody uses it is replaced.
	pool.on('error', () => undefined);
	return {query: queryOf(pool), close: () => pool.end().catch(() => undefined)};
}

function clientOptions(driver: typeof pg, {url, schema}: JournalDatabase): pg.ClientConfig {
	checkUrl(url);
	checkSchema(schema);
	const {INT8, TEXT} = driver.types.builtins;
	return {
		connectionString: url,
		application_name: 'sluice',
		connectionTimeoutMillis: connectMilliseconds,
		query_timeout: silenceMilliseconds,
		keepAlive: true,
		types: {
			// Times and counts are far below 2^53.
			getTypeParser(type, format) {
				const own: Readonly<Record<number, (text: string) => unknown>> = {[INT8]: Number, [TEXT]: readText};
				return own[type] ?? driver.types.getTypeParser(type, format);
			},
		},
	};
}

/** Names of statements, so that each connection prepares a statement once. Their number is that of the texts in this folder. */
const statementNames = new Map<string, string>();

function queryOf(connection: Pick<pg.Client, 'query'> | Pick<pg.Pool, 'query'>): Query {
	return async (text, values) => {
		const {rows} = await connection.query<object>(
			values ? {name: nameOf(text), text, values: values.map(toStored)} : text,
		);
		return rows;
	};
}

function nameOf(text: string): string {
	const name = statementNames.get(text) ?? `sluice_${statementNames.size}`;
	statementNames.set(text, name);
	return name;
}

/** PostgreSQL stores no U+0000 in a text, and a sender may write it: U+001A and a digit stand for both. */
const mark = '\u001A';

/** A text as PostgreSQL can store it. Records need none of this: JSON escapes both characters. */
function storedText(text: string): string {
	return text.includes('\0') || text.includes(mark)
		? text.replaceAll(mark, `${mark}1`).replaceAll('\0', `${mark}0`)
		: text;
}

/** The text as it was before. */
function readText(text: string): string {
	return text.includes(mark) ? text.replaceAll(`${mark}0`, '\0').replaceAll(`${mark}1`, mark) : text;
}

function toStored(value: unknown): unknown {
	if (typeof value === 'string') {
		return storedText(value);
	}

	return Array.isArray(value) ? value.map(toStored) : value;
}

const urlRemedy =
	'Set journal.url to postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters percent-encoded';

/** A password with a character that ends it early would stand in the name of the database, which errors show. */
function checkUrl(url: string): void {
	// A reference with no value stays as it is written (docs/configuration.md, Variables).
	const variable = /^\$\{(?:env:)?(\w+)\}$/u.exec(url)?.[1];
	if (variable !== undefined) {
		throw new Problem('storage_unavailable', {
			message: `journal.url is the variable ${variable}, which is not set`,
			remedy: `Set ${variable} to postgres://USER:PASSWORD@HOST:PORT/DATABASE in .env of the state directory, and start again`,
		});
	}

	const parsed = URL.parse(url);
	const isOurs = parsed !== null && ['postgres:', 'postgresql:'].includes(parsed.protocol);
	if (!isOurs || /@/u.test(parsed.pathname + parsed.search + parsed.hash)) {
		throw new Problem('storage_unavailable', {
			message: 'journal.url is not the address of a PostgreSQL database',
			remedy: urlRemedy,
		});
	}
}

/** It stands in statements, so that it has to be a plain name. */
function checkSchema(schema: string): void {
	if (!/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/u.test(schema)) {
		throw new Problem('storage_unavailable', {
			message: 'journal.schema is not an allowed name',
			remedy: 'Set journal.schema to a name of lower-case letters, digits and underscores that begins with a letter',
		});
	}
}

/** Throws unless the server is on this machine or has to prove who it is: the full journal goes there. */
function checkProof({host, ssl}: {readonly host: string; readonly ssl?: unknown}, url: string): void {
	const isHere = host.startsWith('/') || /^(?:localhost|127\.[0-9.]+|::1|\[::1\])$/u.test(host);
	const isProven =
		URL.parse(url)?.searchParams.get('sslmode') === 'verify-full' &&
		typeof ssl === 'object' &&
		ssl !== null &&
		!('rejectUnauthorized' in ssl || 'checkServerIdentity' in ssl);
	if (!isHere && !isProven) {
		throw new Problem('storage_unavailable', {
			message:
				'The database of the journal is on another machine, and journal.url does not have its certificate checked',
			remedy: 'Add ?sslmode=verify-full to journal.url, and &sslrootcert=FILE for a certificate authority of your own',
		});
	}
}

/** Kind of a database error by its code. `conflict`: nothing was written, and a retry may succeed at once; `lost`: the connection is of no use; `refused`: nothing was written. */
type DatabaseFault = 'conflict' | 'lost' | 'refused';

/** Serialization failures and deadlocks are over at once; a server that stops, or is only a copy of another now, is no use. */
const conflictCodes = new Set(['40001', '40P01']);
const lostCodes = /^(?:08|57P|25006|25P0[34])/u;

/** Decides by the code that the server sent; an error without one comes from the connection. */
export function databaseFault(caught: unknown): DatabaseFault {
	const code = sqlState(caught);
	if (code === undefined) {
		return caught instanceof Problem ? 'refused' : 'lost';
	}

	return conflictCodes.has(code) ? 'conflict' : lostCodes.test(code) ? 'lost' : 'refused';
}

/** The five characters that say what the server refused, if it was the server. */
export function sqlState(caught: unknown): string | undefined {
	const isOfServer = caught instanceof Error && 'code' in caught && 'severity' in caught;
	return isOfServer && typeof caught.code === 'string' ? caught.code : undefined;
}

/** The problem of an error, without the password of the address, whatever its text says. */
export function databaseProblem(
	caught: unknown,
	{url}: Pick<JournalDatabase, 'url'>,
	options: {readonly message?: string; readonly remedy?: string} = {},
): Problem {
	if (caught instanceof Problem) {
		return caught;
	}

	return new Problem('storage_unavailable', {...options, detail: withoutPassword(errorText(caught), url)});
}

/** The host is public, and nothing else of the address. */
export function hostOf({url}: JournalDatabase): string {
	return URL.parse(url)?.host || 'this machine';
}

/** Message and remedy for a database that cannot be used, whatever the reason. */
export function unusable(database: JournalDatabase) {
	return {
		message: `The database of the journal on ${hostOf(database)} cannot be used`,
		remedy:
			'Check that PostgreSQL runs there and that journal.url names it, its database and its role; `sluice doctor` tries it',
	};
}

function withoutPassword(text: string, url: string): string {
	const parsed = URL.parse(url);
	const written = [parsed?.password ?? '', parsed?.searchParams.get('password') ?? ''];
	return written
		.flatMap(one => [one, decoded(one)])
		.filter(one => one !== '')
		.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
