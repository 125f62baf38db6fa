import {type LoginState} from './person-event.ts';
import {isOpenRun} from './work-event.ts';
import {type LoginRow, type RunRow, type ServerRow, type Snapshot} from './snapshot.ts';

/** The numbers of requests that need a person, by kind (docs/dashboard.md, Views). */
export type WaitingCounts = {
	readonly approvals: number;
	readonly questions: number;
	readonly proposals: number;
	readonly uncertain: number;
	readonly inbox: number;
	readonly logins: number;
	/** Once per route or job and platform, however many messages failed there. */
	readonly failedDeliveries: number;
};

/** The parts of a snapshot that are counted. */
type Counted = Pick<
	Snapshot,
	'approvals' | 'questions' | 'proposals' | 'uncertain' | 'runs' | 'servers' | 'logins' | 'failedDeliveries'
> &
	Partial<Pick<Snapshot, 'console'>>;

/** A gateway that is gone asks nobody. */
const nothingWaits: WaitingCounts = {
	approvals: 0,
	questions: 0,
	proposals: 0,
	uncertain: 0,
	inbox: 0,
	logins: 0,
	failedDeliveries: 0,
};

/** Counts of all that needs a person: the only count, for header, banner, title and bell. */
export function waitingCounts(snapshot: Counted): WaitingCounts {
	if (snapshot.console?.state === 'lost') {
		return nothingWaits;
	}

	return {
		approvals: snapshot.approvals.length,
		questions: snapshot.questions.length,
		proposals: snapshot.proposals.length,
		uncertain: snapshot.uncertain.length,
		inbox: snapshot.runs.filter(isInboxItem).length,
		logins: waitingLogins(snapshot).length,
		failedDeliveries: snapshot.failedDeliveries.length,
	};
}

/** The sum of all that needs a person. */
export function waitingCount(snapshot: Counted): number {
	return Object.values(waitingCounts(snapshot)).reduce((sum, count) => sum + count, 0);
}

/** True if a server is of no use until it is tried again or a person does something. */
export function isServerInTrouble({state}: Pick<ServerRow, 'state'>): boolean {
	return state === 'needs-login' || state === 'failed' || state === 'waiting';
}

/** True if a run waits in the inbox for a person's answer. */
export function isInboxItem({state}: Pick<RunRow, 'state'>): boolean {
	return state === 'inbox';
}

/** True if a run is queued or under way: its model can still get a note. */
export function isAtWork({state}: Pick<RunRow, 'state'>): boolean {
	return state === 'queued' || state === 'running';
}

/** The groups of runs: those that wait for a person, those that go on or wait for their turn, those that are over. */
export const runGroups = ['needs you', 'working', 'done'] as const;

/** The group of a run, as an index. */
export function runGroup({state, waitingFor}: Pick<RunRow, 'state' | 'waitingFor'>): number {
	if (!isOpenRun({state})) {
		return 2;
	}

	return state === 'inbox' || (waitingFor !== 'nothing' && waitingFor !== 'slot') ? 0 : 1;
}

/** The servers that need a person's login or wait for one in a login under way, each once. */
export function waitingLogins({
	servers,
	logins,
}: Pick<Snapshot, 'servers' | 'logins'>): ReadonlyArray<ServerRow | LoginRow> {
	const needed = servers.filter(({state}) => state === 'needs-login');
	const isNeeded = ({server, profile}: LoginRow) =>
		needed.some(row => row.server === server && row.profile === profile);
	return [...needed, ...logins.filter(login => waitsForPerson(login) && !isNeeded(login))];
}

/** True if a login waits until a person has opened its address. */
export function waitsForPerson({state}: Pick<LoginState, 'state'>): boolean {
	return state === 'awaiting-device' || state === 'awaiting-redirect';
}
