import {type Snapshot} from '../../state/snapshot.ts';
import {isUnderWay} from './login-rows.ts';

/** Whether a second is worth a frame: something expires, is tried again soon, or goes on. */
export function countsDown(snapshot: Snapshot): boolean {
	return (
		snapshot.approvals.length > 0 ||
		snapshot.questions.length > 0 ||
		snapshot.calls.length > 0 ||
		snapshot.logins.some(isUnderWay) ||
		snapshot.servers.some(row => row.state === 'waiting')
	);
}
