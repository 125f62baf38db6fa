import {acquireLock} from '../../control/lock.ts';
import {countMovedRows, moveJournal, type MoveProgress} from '../../journal/move-journal.ts';
import {hostOf} from '../../journal/postgres/connection.ts';
import {Problem} from '../../util/problem.ts';
import {configuredDatabase} from '../configured-journal.ts';
import {loadProfile, refuseUnusable, type RuntimeContext} from '../profiles/profile-context.ts';

/**
Opens the journal of a profile and the database that its configuration names, in this process, for one command. No gateway can start meanwhile.
Rejects with `gateway_running` while one runs, and with `journal_not_moved` where there is nothing to move to.
*/
export async function openJournalMove(runtime: RuntimeContext) {
	const context = await loadProfile(runtime);
	refuseUnusable(context);
	const database = configuredDatabase(context);
	if (!database) {
		throw new Problem('journal_not_moved', {
			message: 'config.yaml names no database to move the journal into',
			remedy: 'Set journal.url in config.yaml to postgres://USER:PASSWORD@HOST:PORT/DATABASE',
		});
	}

	const {journal: path, lock} = context.paths;
	const {release} = await acquireLock(lock);
	return {
		path,
		host: hostOf(database),
		schema: database.schema,
		count: (signal: AbortSignal) => countMovedRows({path, database, signal}),
		move: (signal: AbortSignal, onProgress: (progress: MoveProgress) => void) =>
			moveJournal({path, database, signal, onProgress}),
		close: release,
	};
}
