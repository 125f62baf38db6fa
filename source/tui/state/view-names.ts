/** The numbered views, in the order of their digits. */
export const viewNames = ['servers', 'approvals', 'events', 'log', 'runs', 'jobs', 'routes', 'calls', 'parts'] as const;

/** Lists without a digit: a key of the view they belong to, or a typed command, opens them. */
export const listViewNames = ['logins', 'tools', 'rules'] as const;

/** Every list of the window. */
export type ViewName = (typeof viewNames)[number] | (typeof listViewNames)[number];

/** All of them. */
export const listNames: readonly ViewName[] = [...viewNames, ...listViewNames];

/** Views whose newest row is the last one and which follow it until a person moves. */
export function follows(view: ViewName): boolean {
	return view === 'events' || view === 'log';
}
