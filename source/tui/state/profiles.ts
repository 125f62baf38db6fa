import {type Snapshot} from '../../state/snapshot.ts';

/** Whether the dashboard shows more than one profile: then every row names its own. */
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
