import {join} from 'node:path';
import {onTestFinished} from './on-test-finished.ts';
import {type Journal} from '../../source/journal/journal.ts';
import {type JournalPlace, openJournalAnywhere} from '../../source/journal/open-journal.ts';
import {crashImage, journalLimits, type TestJournalOptions} from './journal-records.ts';
import {hasPostgres, newSchema, sharedPostgres} from './postgres-server.ts';
import {temporaryDirectory} from './temporary-directory.ts';

/** A store of a journal: tests of every journal run on each of them. */
export type JournalEngine = {
	readonly engine: 'SQLite' | 'PostgreSQL';
	/** A place where no journal is yet. */
	readonly newPlace: () => Promise<JournalPlace>;
	/** A copy of an open journal as a hard kill at this moment would leave it. */
	readonly leftOf: (place: JournalPlace) => JournalPlace;
	/** Opens the journal of a place, by default of a new one, and closes it when the test has ended. */
	readonly open: (options: Omit<TestJournalOptions, 'path'> & {readonly place?: JournalPlace}) => Promise<Journal>;
};

/** A schema of the server that tests share. */
export async function newPostgresPlace(): Promise<Required<JournalPlace>> {
	return {path: '', database: {url: await sharedPostgres(), schema: newSchema(), pool: 4}};
}

function createEngine(parts: Pick<JournalEngine, 'engine' | 'newPlace' | 'leftOf'>): JournalEngine {
	return {
		...parts,
		async open({place, ...options}) {
			const journal = await openJournalAnywhere({
				...options,
				...(place ?? (await parts.newPlace())),
				limits: journalLimits(options),
			});
			onTestFinished(() => journal.close());
			return journal;
		},
	};
}

/** PostgreSQL only where there is a server: else `setup` of the tests has said that it is left out. */
export const journalEngines: readonly JournalEngine[] = [
	createEngine({
		engine: 'SQLite',
		newPlace: async () => ({path: join(temporaryDirectory(), 'journal.db')}),
		leftOf: ({path}) => ({path: crashImage(path)}),
	}),
	// Committed rows stay in the database after the end of the process that wrote them.
	...(hasPostgres ? [createEngine({engine: 'PostgreSQL', newPlace: newPostgresPlace, leftOf: place => place})] : []),
];
