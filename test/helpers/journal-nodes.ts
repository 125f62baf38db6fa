import {onTestFinished} from './on-test-finished.ts';
import {type JournalPlace} from '../../source/journal/open-journal.ts';
import {openRecoverableJournal} from '../../source/journal/recoverable-journal.ts';
import {systemClock} from '../../source/util/clock.ts';

/** Opens the journal of a place as the gateway of this name. */
export async function openNode(place: JournalPlace, name: string, leaseMilliseconds = 60_000, clock = systemClock) {
	const faults: Array<string | undefined> = [];
	const newer: string[] = [];
	let declaredDead = 0;
	const {journal, ...node} = await openRecoverableJournal({
		path: place.path,
		database: async () => place.database,
		clock,
		limits: () => ({maxAgeDays: 30, maxBytes: 1e9}),
		onState: fault => faults.push(fault?.message),
		node: async () => ({name, leaseMilliseconds}),
		onNewer: ({code}) => newer.push(code),
		onDeclaredDead: () => declaredDead++,
	});
	onTestFinished(() => journal.close());
	return {...node, journal, faults, newer, declaredDead: () => declaredDead};
}

/** Such a gateway. */
export type Node = Awaited<ReturnType<typeof openNode>>;

/** The statement that ends the connection with which a gateway writes. */
export const endConnection = (schema: string, name: string) =>
	`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
	AND (classid::bigint << 32 | objid::bigint) = hashtextextended('${schema} node ${name}', 0)`;
