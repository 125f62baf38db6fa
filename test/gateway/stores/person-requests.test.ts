import {describe, expect, onTestFinished, test} from 'vitest';
import {statePaths} from '../../../source/config/read/state-paths.ts';
import {type Documents} from '../../../source/config/values/stored-document.ts';
import {createCallClaims} from '../../../source/gateway/stores/person-requests.ts';
import {openHoldStore} from '../../../source/gateway/stores/hold-store.ts';
import {createDatabaseDocuments} from '../../../source/gateway/documents/database-documents.ts';
import {type JournalDatabase} from '../../../source/journal/postgres/connection.ts';
import {openJournalAnywhere} from '../../../source/journal/open-journal.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {journalLimits} from '../../helpers/journal-records.ts';
import {hasPostgres} from '../../helpers/postgres-server.ts';

/** The versions that calls are evaluated by, where the documents of a profile have these stamps. */
function knownDocuments(stamps: Readonly<Record<string, string>>, node: string | undefined) {
	const documents: Documents = {
		open: ({name, fallback}) => ({
			place: name,
			read: () => fallback,
			update: async () => undefined,
			stamp: () => stamps[name] ?? '0',
		}),
		onChange: () => () => undefined,
		refresh: async () => undefined,
	};
	const paths = statePaths({root: '/none', profile: 'work'});
	const journal = {claimCall: async () => 'claimed' as const};
	return createCallClaims({documents, paths}, {journal, node: () => node}).knownDocuments();
}

test('calls are evaluated by the versions of rules and hold that are known here, where others may change them', () => {
	expect(knownDocuments({'approval-rules': '7'}, 'web-1')).toEqual([
		{profile: 'work', name: 'approval-rules', version: 7},
		{profile: 'work', name: 'hold', version: 0},
	]);
});

test('files belong to one gateway, whatever is in the database', () => {
	expect(knownDocuments({'approval-rules': '1700000000000.5 120 77', hold: 'absent'}, 'web-1')).toEqual([]);
	expect(knownDocuments({'approval-rules': '1700000000000.5 120 77', hold: 'absent'}, undefined)).toBeUndefined();
});

/** The claims of a gateway whose clock stands still, and which looks at the documents only when it is told to. */
async function openGateway(database: JournalDatabase) {
	const clock = createFakeClock();
	const journal = await openJournalAnywhere({path: '', database, clock, limits: journalLimits({})});
	onTestFinished(() => journal.close());
	const {of, refresh} = createDatabaseDocuments({
		withJournal: work => work(journal),
		by: () => 'a test',
		onWritten: () => undefined,
	});
	await refresh();
	const documents = of('work');
	const paths = statePaths({root: '/none', profile: 'work'});
	const claims = createCallClaims({documents, paths}, {journal, node: () => 'web-1'});
	const claim = () => claims.claim({callId: 'a call', documents: claims.knownDocuments() ?? []});
	const hold = () =>
		openHoldStore(documents).update(() => ({held: {since: 1, by: 'cli', reason: 'odd'}}), createFakeClock());
	return {...claims, claim, hold};
}

describe.skipIf(!hasPostgres)('a claim that another gateway has voided', () => {
	test('holds once what that one changed was read, which takes as long as it takes', async () => {
		const {database} = await newPostgresPlace();
		const [one, other] = [await openGateway(database), await openGateway(database)];
		await other.hold();
		expect(await one.claim()).toBe('changed');
		await one.refresh();
		expect([one.knownDocuments()?.[1], await one.claim()]).toEqual([
			{profile: 'work', name: 'hold', version: 1},
			'claimed',
		]);
	});
});
