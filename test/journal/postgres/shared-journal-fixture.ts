import {type Journal} from '../../../source/journal/journal.ts';
import {openRecoverableJournal} from '../../../source/journal/recoverable-journal.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {onTestFinished} from '../../helpers/on-test-finished.ts';

/** The journal of a place, as the gateway of this name has it. */
export async function openAs(place: Awaited<ReturnType<typeof newPostgresPlace>>, name: string): Promise<Journal> {
	const {journal} = await openRecoverableJournal({
		path: place.path,
		database: async () => place.database,
		clock: systemClock,
		limits: () => ({maxAgeDays: 30, maxBytes: 1e9}),
		onState: () => undefined,
		node: async () => ({name, leaseMilliseconds: 60_000}),
		onDeclaredDead: () => undefined,
	});
	onTestFinished(() => journal.close());
	return journal;
}

/** Two gateways on one journal. */
export async function openTwo() {
	const place = await newPostgresPlace();
	return {place, here: await openAs(place, 'here'), there: await openAs(place, 'there')};
}

/** A look of a gateway that knows nothing yet. */
export const nothingKnown = {
	underWay: 'new',
	knownCalls: [],
	openCalls: [],
	knownEvents: [],
	openEvents: [],
	knownRuns: [],
	openRuns: [],
} as const;
