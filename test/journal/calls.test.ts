import {expect, test} from 'vitest';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal} from '../helpers/journal-records.ts';

const start = 1_700_000_000_000;
const call = {
	id: 'call',
	time: start,
	profile: 'default',
	server: 'files',
	tool: 'write',
	arguments: {path: '/a', nested: {deep: [1, null, true]}},
	origin: {kind: 'run', runId: 'r', route: 'github', deliveryId: 'd', signature: 'X-Hub-Signature-256'},
} as const;

test('a started call is kept before its end is known', async () => {
	const journal = openTestJournal({clock: createFakeClock()});
	await journal.startCall(call);
	expect(await journal.listCalls({limit: 1})).toEqual([call]);
});

test('a finished call says how it ended', async () => {
	const clock = createFakeClock();
	const journal = openTestJournal({clock});
	await journal.startCall(call);
	const end = {outcome: 'outcome_uncertain', code: 'outcome_uncertain', ms: 5} as const;
	journal.finishCall('call', end);
	await clock.settle();
	expect(await journal.listCalls({limit: 1})).toEqual([{...call, end}]);
});

test('a decision is kept as it was made', async () => {
	const clock = createFakeClock();
	const journal = openTestJournal({clock});
	const decision = {
		id: 'approval',
		time: start,
		profile: 'default',
		server: 'files',
		tool: 'write',
		argumentsHash: 'abc',
		outcome: 'denied',
		by: 'dashboard',
		message: 'not now',
	} as const;
	journal.recordDecision(decision);
	await clock.settle();
	expect(await journal.listDecisions({limit: 1})).toEqual([decision]);
});
