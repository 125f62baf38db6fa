import {type Snapshot} from '../../state/snapshot.ts';
import {type ViewName} from './view-names.ts';

/** Whether the window shows more than one profile: then every row says whose it is. */
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

/** Whose tools or remembered approvals a list shows; undefined for lists of all profiles. */
export function listViewProfile(view: ViewName, {toolList, ruleList}: Snapshot): string | undefined {
	const lists: Partial<Record<ViewName, typeof toolList | typeof ruleList>> = {tools: toolList, rules: ruleList};
	return lists[view]?.profile;
}
