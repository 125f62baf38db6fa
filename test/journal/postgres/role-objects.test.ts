import {describe, expect, onTestFinished, test} from 'vitest';
import {openDatabaseReader} from '../../../source/journal/postgres/inspect-journal.ts';
import {openPostgresStorage} from '../../../source/journal/postgres/storage.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {writeOlderDatabase} from '../../helpers/older-journal.ts';
import {administer, hasPostgres, newSchema} from '../../helpers/postgres-server.ts';
import {runSluiceJson} from '../../helpers/run-sluice.ts';
import {stateDirectory} from '../../helpers/sluice.ts';

/** An older journal, whose tables belong to the role of the gateway, with a view and a function of a console that belong to `owner`. */
async function olderWithConsole(owner: 'gateway' | 'server') {
	const {database} = await newPostgresPlace();
	const [gateway, person] = [newSchema(), newSchema()];
	const own = (...texts: readonly string[]) =>
		administer(database.url, `SET search_path = ${database.schema}`, ...texts);
	await writeOlderDatabase(database);
	await own(
		`CREATE ROLE ${gateway} LOGIN; CREATE ROLE ${person} LOGIN`,
		`GRANT USAGE, CREATE ON SCHEMA ${database.schema} TO ${gateway}; GRANT USAGE ON SCHEMA ${database.schema} TO ${person}`,
		`DO $$ DECLARE name text; BEGIN
			FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
				EXECUTE format('ALTER TABLE %I OWNER TO ${gateway}', name);
			END LOOP;
		END $$`,
		...(owner === 'gateway' ? [`SET ROLE ${gateway}`] : []),
		'CREATE VIEW console_runs AS SELECT id FROM runs',
		`CREATE FUNCTION answer_approval(id text, arguments_hash text, verdict text, message text) RETURNS text LANGUAGE sql AS 'SELECT $1'`,
		`GRANT SELECT ON console_runs TO ${person}; GRANT EXECUTE ON FUNCTION answer_approval TO ${person}`,
		'RESET ROLE',
		'CREATE VIEW runs_of_a_person AS SELECT 1 AS one',
	);
	onTestFinished(async () => {
		await administer(database.url, `DROP OWNED BY ${gateway}, ${person} CASCADE; DROP ROLE ${gateway}, ${person}`);
	});
	const as = (role: string) => ({...database, url: database.url.replace(/\/\/[^@]*@/u, `//${role}@`)});
	const names = async () => {
		const rows = await own(`
			SELECT relname::text AS name FROM pg_class WHERE relkind = 'v' AND relnamespace = to_regnamespace(current_schema())
			UNION SELECT proname::text FROM pg_proc WHERE pronamespace = to_regnamespace(current_schema()) ORDER BY 1`);
		return rows.map(({name}) => name);
	};

	const start = async () =>
		(await openPostgresStorage({database: as(gateway), clock: systemClock, onLost: () => undefined})).close();
	return {database: as(gateway), own, as: {person: as(person)}, names, start};
}

describe.skipIf(!hasPostgres)('views and a function that a console had in an older journal', () => {
	test('go with the rights on them, and no other view does', async () => {
		const {database, as, names, start} = await olderWithConsole('gateway');
		const read = () => administer(as.person.url, `SELECT * FROM ${database.schema}.console_runs`);
		expect(await read()).toHaveLength(1);
		await start();
		expect(await names()).toEqual(['runs_of_a_person']);
		await expect(read()).rejects.toThrow('does not exist');
		const {reader, cleanUp} = await openDatabaseReader(database, neverAborted());
		await reader?.close();
		expect(cleanUp).toEqual([]);
	});

	test('stay where they have another owner, who is told the statements by doctor', async () => {
		const {database, own, names, start} = await olderWithConsole('server');
		await start();
		expect(await names()).toEqual(['answer_approval', 'console_runs', 'runs_of_a_person']);
		const home = stateDirectory({journal: {url: database.url, schema: database.schema}});
		const warnings = async () => {
			const found = (await runSluiceJson({home}, 'doctor')) as ReadonlyArray<Readonly<Record<string, unknown>>>;
			return found.filter(({check, level}) => check === 'journal' && level !== 'ok');
		};

		const statements = [
			`DROP VIEW ${database.schema}.console_runs;`,
			`DROP FUNCTION ${database.schema}.answer_approval(text, text, text, text);`,
		];
		expect(await warnings()).toMatchObject([
			{level: 'warning', remedy: `Have their owner run ${statements.map(text => `\`${text}\``).join(' and ')}`},
		]);
		await own(...statements);
		expect(await names()).toEqual(['runs_of_a_person']);
		expect(await warnings()).toEqual([]);
	});
});
