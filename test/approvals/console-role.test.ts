import {Client} from 'pg';
import {describe, expect, onTestFinished, test} from 'vitest';
import {grantConsole} from '../../source/journal/postgres/console-role.ts';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {administer, hasPostgres} from '../helpers/postgres-server.ts';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {stateDirectory} from '../helpers/sluice.ts';
import {openNode} from './open-node.ts';
import {refusalOf} from '../helpers/refusal-of.ts';

const argumentsHash = 'hash-of-a';

/** A database with a gateway and a role that has no rights yet; `sql` is what the role says. */
async function openConsole({rights = 'LOGIN'} = {}) {
	const place = await newPostgresPlace();
	const {database} = place;
	const role = `console_of_${database.schema}`;
	const own = (...texts: readonly string[]) => administer(database.url, ...texts);
	await own(`CREATE ROLE ${role} ${rights}`);
	onTestFinished(async () => void (await own(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`)));
	const url = database.url.replace('//postgres@', `//${role}@`);
	const sql = (text: string) => administer(url, `SET search_path = ${database.schema}`, text);
	const answer = async (...values: readonly string[]) => {
		const [row] = await sql(`SELECT answer_approval(${values.map(value => `'${value}'`).join(', ')}) AS result`);
		return (row as {readonly result: string}).result;
	};

	const node = await openNode('web-1', place);
	const grant = () => grantConsole(database, role, neverAborted());
	/** A transaction that stays open until the test ends. */
	const hold = async (by: 'role' | 'owner', text: string) => {
		const client = new Client({connectionString: by === 'role' ? url : database.url});
		// What ends with its server or its test has nothing to report.
		client.on('error', () => undefined);
		await client.connect();
		onTestFinished(() => client.end());
		await client.query(`SET search_path = ${database.schema}; BEGIN`);
		return (await client.query<Record<string, unknown>>(text)).rows;
	};

	return {database, role, node, sql, own, answer, grant, hold};
}

describe.skipIf(!hasPostgres)('a role with the rights of a console', () => {
	test('answers what waits at a gateway, by its own name, with the arguments that it read', async () => {
		const {node, role, sql, answer, grant} = await openConsole();
		await grant();
		const [allowed, denied] = [await node.ask(), await node.ask()];
		expect(
			await sql('SELECT id, node, arguments_hash AS hash, state FROM console_requests ORDER BY requested_at, id'),
		).toEqual([allowed, denied].map(({id}) => ({id, node: 'web-1', hash: argumentsHash, state: 'pending'})));
		expect(await answer(allowed.id, 'another', 'allow')).toBe('changed');
		expect(await answer(allowed.id, argumentsHash, 'allow')).toBe('resolved');
		expect(await answer(allowed.id, argumentsHash, 'deny')).toBe('already settled');
		expect(await answer(denied.id, argumentsHash, 'deny', 'not "now"')).toBe('resolved');
		expect(await answer('none', argumentsHash, 'allow')).toBe('already settled');
		await node.look();
		expect(await allowed.outcome).toEqual({kind: 'approved', scope: 'once', by: role});
		expect(await denied.outcome).toEqual({kind: 'denied', message: 'not "now"', by: role});
	});

	test('answers nothing after the time is over, in other words, and allows nothing that it cannot read whole', async () => {
		const {node, own, database, answer, grant} = await openConsole();
		await grant();
		const {id, outcome} = await node.ask({sentBytes: 2_000_000, cutBytes: 1_990_000});
		await expect(answer(id, argumentsHash, 'approve')).rejects.toThrow('The verdict has to be allow or deny');
		expect(await answer(id, argumentsHash, 'allow')).toBe('not shown whole');
		const late = await node.ask();
		await own(`UPDATE ${database.schema}.requests SET expires_at = 1 WHERE id = '${late.id}'`);
		expect(await answer(late.id, argumentsHash, 'allow')).toBe('already settled');
		expect(await answer(id, argumentsHash, 'deny')).toBe('resolved');
		await node.look();
		expect(await outcome).toMatchObject({kind: 'denied'});
	});

	test('allows what has its whole in the row, unless that was cut too', async () => {
		const {own, database, node, answer, grant} = await openConsole();
		await grant();
		const whole = {
			server: 'garden',
			tool: 'echo',
			arguments: {},
			sentBytes: 9,
			cutBytes: 0,
			maskedValues: 0,
			markedCharacters: 0,
		};
		const put = async (description: string, changes = {}) => {
			const {id} = await node.ask({sentBytes: 20_000, cutBytes: 10_000});
			const text = JSON.stringify({...whole, description, ...changes});
			await own(`UPDATE ${database.schema}.requests SET whole = '${text}' WHERE id = '${id}'`);
			return id;
		};

		expect(await answer(await put('Echoes'), argumentsHash, 'allow')).toBe('resolved');
		expect(await answer(await put('Echoes‹1,204 more›'), argumentsHash, 'allow')).toBe('not shown whole');
		expect(await answer(await put('Echoes', {cutBytes: 7}), argumentsHash, 'allow')).toBe('not shown whole');
	});

	test('allows nothing with marked characters, which a row has as they are sent', async () => {
		const {node, answer, grant} = await openConsole();
		await grant();
		const {id} = await node.ask({markedCharacters: 1});
		expect(await answer(id, argumentsHash, 'allow')).toBe('has marked characters');
		expect(await answer(id, argumentsHash, 'deny')).toBe('resolved');
		expect(await answer((await node.ask()).id, argumentsHash, 'allow')).toBe('resolved');
	});

	test('locks no request by an answer that does not count', async () => {
		const {own, database, node, grant, hold} = await openConsole();
		await grant();
		const cut = await node.ask({sentBytes: 20_000, cutBytes: 10_000});
		for (const [hash, verdict, result] of [
			['another', 'deny', 'changed'],
			[argumentsHash, 'allow', 'not shown whole'],
		]) {
			const rows = await hold('role', `SELECT answer_approval('${cut.id}', '${hash}', '${verdict}') AS result`);
			expect(rows).toEqual([{result}]);
		}

		const locking = `SELECT id FROM ${database.schema}.requests WHERE id = '${cut.id}' FOR UPDATE NOWAIT`;
		expect(await own(locking)).toEqual([{id: cut.id}]);
		await hold('role', `SELECT answer_approval('${cut.id}', '${argumentsHash}', 'deny')`);
		await expect(own(locking)).rejects.toThrow('could not obtain lock');
	});

	test('holds up no gateway for long with an answer that it does not commit', async () => {
		const {own, database, node, grant, hold} = await openConsole();
		await grant();
		const [held, other, old] = [await node.ask(), await node.ask(), await node.ask()];
		const answering = `SELECT answer_approval('${held.id}', '${argumentsHash}', 'deny')`;
		void hold('role', `${answering}, pg_sleep(20)`).catch(() => undefined);
		const {schema} = database;
		await expect
			.poll(() => own(`SELECT id FROM ${schema}.requests WHERE id = '${held.id}' FOR UPDATE SKIP LOCKED`))
			.toEqual([]);
		await own(`UPDATE ${schema}.requests SET expires_at = 1 WHERE id = '${old.id}'`);
		await hold('owner', `SELECT 1 FROM requests WHERE id = '${old.id}' FOR UPDATE`);
		const {cancelAbandonedRequests} = node.journal;
		await cancelAbandonedRequests();
		const added = await node.ask();
		const states = await own(`SELECT id, outcome FROM ${schema}.requests ORDER BY requested_at, id`);
		expect(states).toEqual([
			{id: held.id, outcome: null},
			{id: other.id, outcome: 'cancelled'},
			{id: old.id, outcome: null},
			{id: added.id, outcome: null},
		]);
		const answer = {id: held.id, argumentsHash, end: {kind: 'denied'}} as const;
		await expect(node.journal.answerRequest(answer)).rejects.toMatchObject({code: 'storage_unavailable'});
		expect(await node.journal.answerRequest({...answer, id: added.id})).toEqual({kind: 'resolved'});
	}, 15_000);

	test('reads the views and nothing else, and writes nothing', async () => {
		const {database, sql, own, grant} = await openConsole();
		const {views} = await grant();
		for (const view of views) {
			expect(await sql(`SELECT * FROM ${view}`)).toEqual([]);
			await expect(sql(`DELETE FROM ${view}`)).rejects.toThrow(/permission denied|cannot delete/u);
		}

		const tables = await own(`SELECT tablename AS name FROM pg_tables WHERE schemaname = '${database.schema}'`);
		expect(tables.length).toBeGreaterThan(9);
		for (const {name} of tables as ReadonlyArray<{readonly name: string}>) {
			await expect(sql(`SELECT 1 FROM ${name}`)).rejects.toThrow('permission denied');
			await expect(sql(`DELETE FROM ${name}`)).rejects.toThrow('permission denied');
		}

		await expect(sql('CREATE TABLE mine ()')).rejects.toThrow('permission denied');
		await expect(sql("UPDATE requests SET state = 'settled'")).rejects.toThrow('permission denied');
	});

	test('cannot put tables or functions of its own in place of those that the answer uses', async () => {
		const {node, database, role, grant} = await openConsole();
		const {url, schema} = database;
		await grant();
		const {id, outcome} = await node.ask();
		const answered = await administer(
			url.replace('//postgres@', `//${role}@`),
			`CREATE TEMP TABLE requests AS SELECT *, NULL AS answer FROM ${schema}.console_requests`,
			"UPDATE requests SET arguments_hash = 'another'",
			'SET search_path = pg_temp',
			`SELECT ${schema}.answer_approval('${id}', 'another', 'allow') AS other, ${schema}.answer_approval('${id}', '${argumentsHash}', 'deny') AS uiText`,
		);
		expect(answered).toEqual([{other: 'changed', own: 'resolved'}]);
		await node.look();
		expect(await outcome).toMatchObject({kind: 'denied', by: role});
	});

	test('may be a group, and then each of its members answers by the own name; nobody else may', async () => {
		const {node, role, own, database, grant} = await openConsole({rights: 'NOLOGIN'});
		const {url, schema} = database;
		const [member, stranger] = [`member_${schema}`, `stranger_${schema}`];
		await own(`CREATE ROLE ${member} LOGIN IN ROLE ${role}`, `CREATE ROLE ${stranger} LOGIN`);
		onTestFinished(async () => void (await own(`DROP ROLE ${member}`, `DROP ROLE ${stranger}`)));
		await grant();
		await grant();
		const {id, outcome} = await node.ask();
		const call = `SELECT ${schema}.answer_approval('${id}', '${argumentsHash}', 'allow')`;
		await expect(administer(url.replace('//postgres@', `//${stranger}@`), call)).rejects.toThrow('permission denied');
		await administer(url.replace('//postgres@', `//${member}@`), call);
		await node.look();
		expect(await outcome).toMatchObject({kind: 'approved', by: member});
	});

	test('has to be there, and may not do more already', async () => {
		const {database, role, own, grant} = await openConsole();
		const none = await refusalOf(grantConsole(database, 'no "such" role', neverAborted()));
		expect([none.code, none.message]).toEqual(['console_not_granted', 'The database has no role no "such" role']);
		expect((await refusalOf(grantConsole(database, 'postgres', neverAborted()))).message).toContain(
			'it is a superuser',
		);
		await own(`GRANT ALL ON SCHEMA ${database.schema} TO ${role}`);
		expect((await refusalOf(grant())).message).toContain(`it may create objects in schema ${database.schema}`);
		await own(`GRANT SELECT (id) ON ${database.schema}.calls TO ${role}`);
		expect((await refusalOf(grant())).message).toBe(
			`The role ${role} may do more than a console: it has rights on calls`,
		);
		const views = await own(`SELECT 1 FROM pg_views WHERE schemaname = '${database.schema}'`);
		expect(views).toEqual([]);
	});

	test('may not do more by a role that it can take up, with rights that it does not inherit', async () => {
		const {database, role, own, grant} = await openConsole({rights: 'LOGIN NOINHERIT'});
		const {schema} = database;
		const writer = `writer_${schema}`;
		await own(`CREATE ROLE ${writer} IN ROLE postgres`, `GRANT ${writer} TO ${role}`);
		onTestFinished(async () => void (await own(`DROP OWNED BY ${writer}`, `DROP ROLE ${writer}`)));
		const more = `The role ${role} may do more than a console: it belongs to`;
		expect((await refusalOf(grant())).message).toBe(`${more} postgres, which is a superuser`);
		await own(`REVOKE postgres FROM ${writer}`, `GRANT CREATE ON SCHEMA ${schema} TO ${writer}`);
		expect((await refusalOf(grant())).message).toBe(`${more} ${writer}, which may create objects in schema ${schema}`);
		await own(`REVOKE CREATE ON SCHEMA ${schema} FROM ${writer}`, `GRANT UPDATE ON ${schema}.requests TO ${writer}`);
		expect((await refusalOf(grant())).message).toBe(`${more} ${writer}, which has rights on requests`);
		await own(`REVOKE UPDATE ON ${schema}.requests FROM ${writer}`);
		expect((await grant()).role).toBe(role);
	});

	test('gets them by a command', async () => {
		const {database, role} = await openConsole();
		const home = stateDirectory({journal: {url: database.url, schema: database.schema}});
		const {code, stdout, stderr} = await runSluice({home}, 'journal', 'grant-console', role);
		expect([code, stdout]).toEqual([0, '']);
		expect(stderr).toContain(`${role} may read console_requests, `);
		expect(await runSluiceJson({home}, 'journal', 'grant-console', role)).toMatchObject({
			role,
			schema: database.schema,
			functions: ['answer_approval'],
		});
		expect((await runSluice({home}, 'journal', 'grant-console')).code).toBe(2);
		const none = await runSluice({home: stateDirectory({})}, 'journal', 'grant-console', role);
		expect(none.stderr.split('\n')[0]).toBe('sluice: config.yaml names no database for the journal');
	});
});
