import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {type CallRecord} from '../../../source/journal/journal.ts';
import {openJournal} from '../../../source/journal/open-journal.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const day = 86_400_000;
/** A config.yaml with two servers and these rules. */
export const config = (rules: readonly object[] = [], approvals: object = {}) =>
	JSON.stringify({
		gateway: {endpoint: {port: 0}},
		mcp_servers: {
			files: {command: 'true', trust: 'untrusted', enabled: false},
			notes: {command: 'true', enabled: false},
		},
		approvals: {rules, ...approvals},
	});

/** A recorded call of a moment ago. */
export function record(id: string, members: Partial<CallRecord>): CallRecord {
	return {
		id,
		time: Date.now() - 1000,
		profile: 'default',
		server: 'files',
		tool: 'write_file',
		arguments: {path: '/srv/app/a.txt'},
		origin: {kind: 'command-line'},
		judged: {fingerprint: 'f', decision: 'asked'},
		...members,
	};
}

/** The oldest first. */
export const calls = [
	record('old', {time: Date.now() - 8 * day}),
	record('below', {}),
	record('beside', {arguments: {path: '/srv/apple/a.txt'}}),
	record('secret', {server: 'notes', tool: 'read_file', arguments: {path: '/etc/shadow'}}),
	record('other', {profile: 'work'}),
];

/** A state directory with these calls in its journal. */
export async function openHome(
	recorded: readonly CallRecord[] = calls,
	rules: readonly object[] = [],
): Promise<string> {
	const home = temporaryDirectory();
	writeFileSync(join(home, 'config.yaml'), config(rules));
	const limits = () => ({maxAgeDays: 30, maxBytes: 1_000_000_000});
	const journal = openJournal({path: join(home, 'journal.db'), clock: systemClock, limits});
	for (const call of recorded) {
		await journal.startCall(call);
	}

	await journal.close();
	return home;
}
