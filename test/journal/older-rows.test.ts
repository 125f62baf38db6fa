import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, test} from 'vitest';
import {type OutgoingMessage} from '../../source/journal/journal.ts';
import {type JournalPlace, openJournalAnywhere} from '../../source/journal/open-journal.ts';
import {callColumns, decisionColumns} from '../../source/journal/rows/columns.ts';
import {type Origin} from '../../source/state/origin.ts';
import {systemClock} from '../../source/util/clock.ts';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {journalLimits, sampleMessage, sampleCall, sampleDecision, sampleRun} from '../helpers/journal-records.ts';
import {writeOlderDatabase, writeOlderFile} from '../helpers/older-journal.ts';
import {administer, hasPostgres} from '../helpers/postgres-server.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** A journal of the first version. The columns that the other engine lacked then are left out of a row. */
type OlderJournal = {
	readonly place: JournalPlace;
	readonly run: (text: string) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>;
	/** The columns of an answer and a window that only a database had. */
	readonly had: 'only what a file has' | 'all';
};

async function olderFile(): Promise<OlderJournal> {
	const path = join(temporaryDirectory(), 'journal.db');
	writeOlderFile(path).close();
	const run = async (text: string) => {
		const file = new DatabaseSync(path);
		try {
			return file.prepare(text).all();
		} finally {
			file.close();
		}
	};

	return {place: {path}, run, had: 'only what a file has'};
}

async function olderDatabase(): Promise<OlderJournal> {
	const place = await newPostgresPlace();
	const {url, schema} = place.database;
	await writeOlderDatabase(place.database);
	return {place, run: text => administer(url, `SET search_path = ${schema}`, text), had: 'all'};
}

function insertion(table: string, columns: Readonly<Record<string, string | number | null>>): string {
	const values = Object.values(columns).map(value =>
		typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value),
	);
	return `INSERT INTO ${table} (${Object.keys(columns).join(', ')}) VALUES (${values.join(', ')})`;
}

const large = {bed: 1, text: 'It\'s “wet”, \\ "and" — 水\n'.repeat(600)};
const calls = [sampleCall({id: 'small', arguments: {bed: 2}}), sampleCall({id: 'large', arguments: large})];
const origins: readonly Origin[] = [
	{kind: 'endpoint', client: 'codex-mcp', name: 'laptop'},
	{kind: 'endpoint', client: 'codex-mcp', name: 'default', claim: 'codex "it\'s"'},
	{kind: 'endpoint', client: '水'},
	{kind: 'run', runId: 'r', route: 'github', deliveryId: 'd'},
	{kind: 'run', runId: 'r', route: '', deliveryId: 'd', job: 'nightly'},
	{kind: 'run', runId: 'r', route: '', deliveryId: ''},
	{kind: 'dashboard', by: 'console:1'},
	{kind: 'command-line'},
	{kind: 'demo', client: 'garden'},
];
const decisions = [
	sampleDecision({id: 'small', arguments: {bed: 2}}),
	sampleDecision({id: 'large', arguments: large}),
	...origins.map((origin, index) => sampleDecision({id: `of ${index}`, origin})),
];
/** Of a record that PostgreSQL does not read as JSON nothing is counted. */
const unreadable = sampleDecision({id: 'with a zero', message: 'a\u0000b'});
const answers: readonly OutgoingMessage[] = [
	sampleMessage('of-run', {runId: 'run-1', eventId: 'event-1', route: 'github', target: 'telegram'}),
	sampleMessage('of-event', {eventId: 'event-2', route: 'gitlab', text: "It's done"}),
];
const window = {route: 'github', key: 'main', event_id: 'event-3', first_at: 1000, last_at: 4000, superseded: 2};

const resultOf = (id: string) => ({text: `“${id}”, it was watered`});

async function fill({run, had}: OlderJournal): Promise<void> {
	for (const [index, answer] of answers.entries()) {
		const {id, eventId, runId = null, route, target} = answer;
		const own = {id, event_id: eventId, state: 'sent', changed_at: index, record: JSON.stringify(answer)};
		await run(insertion('answers', {...own, ...(had === 'all' && {run_id: runId, route, target})}));
	}

	const broken = {id: 'broken', event_id: 'event-4', state: 'failed', changed_at: 9, record: '{"runId": "run'};
	await run(insertion('answers', {...broken, ...(had === 'all' && {route: '', target: ''})}));
	const record = JSON.stringify(sampleRun({id: 'run-3', eventId: 'event-3'}));
	await run(insertion('windows', {...window, record, ...(had === 'all' && {due_at: 4000})}));
	for (const call of calls) {
		const [id, time, ofRun, rule, profile, server, readOnly, text] = callColumns(call);
		const ended = {outcome: 'ok', ms: 3, answer: JSON.stringify(resultOf(id))};
		const stored = {id, time, run: ofRun, rule, profile, server, read_only: readOnly, record: text, ...ended};
		const inserted = insertion('calls', {...stored, ...(had === 'all' && {small_record: smallOf(text)})});
		// A file has the answers of calls as bytes.
		await run(had === 'all' ? inserted : inserted.replace(/'\{"text.*?'/u, answer => `CAST(${answer} AS BLOB)`));
	}

	for (const decision of [...decisions, unreadable]) {
		const [id, time, call, ofRun, requestedAt, text] = decisionColumns(decision);
		const stored = {id, time, call, run: ofRun, requested_at: requestedAt, record: text};
		await run(insertion('decisions', {...stored, ...(had === 'all' && {small_record: smallOf(text)})}));
	}
}

function smallOf(record: string): string | null {
	return record.length > 10_000 ? JSON.stringify({...(JSON.parse(record) as object), arguments: {}}) : null;
}

const smallRows = (records: readonly string[], ids: readonly string[]) =>
	ids.map((id, index) => ({id, small: smallOf(records[index] ?? '')}));

describe.each([
	['a file', true, olderFile],
	['a database', hasPostgres, olderDatabase],
] as const)('the rows of an older journal in %s', (_, isThere, write) => {
	test.skipIf(!isThere)('are found whole, with the columns that the steps add', async () => {
		const older = await write();
		await fill(older);
		const journal = await openJournalAnywhere({...older.place, clock: systemClock, limits: journalLimits({})});
		const listed = await journal.listMessages({limit: 10});
		expect(listed.map(({id, state}) => [id, state])).toEqual([
			['broken', 'unreadable'],
			['of-event', 'sent'],
			['of-run', 'sent'],
		]);
		expect([await journal.findMessage('of-run'), await journal.findMessage('of-event')]).toMatchObject(answers);
		expect(await journal.listWindows()).toEqual([{route: 'github', key: 'main', firstAt: 1000, lastAt: 4000}]);
		expect(await Promise.all(calls.map(({id}) => journal.findCall(id)))).toMatchObject(
			calls.map(call => ({...call, end: {outcome: 'ok', ms: 3, result: resultOf(call.id)}})),
		);
		expect((await journal.listCalls({limit: 10})).map(({arguments: given}) => given)).toEqual([large, {bed: 2}]);
		expect((await journal.listDecisions({limit: 20})).toReversed()).toMatchObject([...decisions, unreadable]);
		await journal.close();

		const {run} = older;
		expect(await run(`SELECT id, run_id, route, target FROM answers ORDER BY sequence`)).toEqual([
			...answers.map(({id, runId = null, route, target}) => ({id, run_id: runId, route, target})),
			{id: 'broken', run_id: null, route: '', target: ''},
		]);
		expect(await run('SELECT route, key, event_id, first_at, last_at, due_at, superseded FROM windows')).toEqual([
			expect.objectContaining({route: 'github', key: 'main', event_id: 'event-3', superseded: 2}),
		]);
		const [times] = await run('SELECT first_at, last_at, due_at FROM windows');
		expect(Object.values(times ?? {}).map(Number)).toEqual([1000, 4000, 4000]);
		const ids = ['small', 'large'];
		expect(await run('SELECT id, small_record AS small FROM calls ORDER BY sequence')).toEqual(
			smallRows(
				calls.map(call => callColumns(call)[7]),
				ids,
			),
		);
		expect(await run('SELECT id, small_record AS small FROM decisions ORDER BY sequence')).toEqual(
			smallRows(
				[...decisions, unreadable].map(decision => decisionColumns(decision)[5]),
				[...decisions, unreadable].map(({id}) => id),
			),
		);
		const counted = [...decisions, unreadable].map(decision => {
			const [, , , , , , profile, server, tool, outcome, asker] = decisionColumns(decision);
			return decision === unreadable && older.had === 'all'
				? {profile: null, server: null, tool: null, outcome: null, asker: null}
				: {profile, server, tool, outcome, asker};
		});
		expect(await run('SELECT profile, server, tool, outcome, asker FROM decisions ORDER BY sequence')).toEqual(counted);
		expect(await run('SELECT DISTINCT owner, encoding FROM calls')).toEqual([{owner: null, encoding: null}]);
	});
});
