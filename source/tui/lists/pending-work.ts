import {type Snapshot} from '../../state/snapshot.ts';
import {isUnderWay} from './login-rows.ts';

/** What a stop would cut off, in words; what is not there is not named. */
export function pendingWork(snapshot: Snapshot): readonly string[] {
	const runs = snapshot.runs.filter(run => run.state === 'running' || run.state === 'queued').length;
	const logins = snapshot.logins.filter(isUnderWay).length;
	const losses: ReadonlyArray<readonly [number, string, string]> = [
		[snapshot.approvals.length, 'waiting approval', 'will be cancelled'],
		[snapshot.questions.length, 'question', 'will be cancelled'],
		[snapshot.proposals.length, 'install proposal', 'will be dropped'],
		[logins, 'login', 'will be given up'],
		[snapshot.calls.length, 'call', 'will be cut off'],
		[runs, 'run', 'will be cut off'],
	];
	return losses.flatMap(([count, noun, fate]) =>
		count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'} ${fate}`],
	);
}
