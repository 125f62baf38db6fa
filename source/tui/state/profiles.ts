import {type Snapshot} from '../../state/snapshot.ts';

/** The width of the column that names the profile of each row; none while there is only one. */
export function profileCells(snapshot: Snapshot, width: number): number {
	return hasProfiles(snapshot) ? (width < 60 ? 8 : 12) : 0;
}

/** True if the dashboard shows more than one profile: then every row names its own. */
export function hasProfiles(snapshot: Snapshot): boolean {
	const names = new Set([
		...snapshot.servers.map(({profile}) => profile),
		...snapshot.models.map(({profile}) => profile),
		...snapshot.routes.map(({servedBy}) => servedBy),
		...snapshot.approvals.map(({profile}) => profile),
		...snapshot.questions.map(({profile}) => profile),
	]);
	return names.size > 1;
}
