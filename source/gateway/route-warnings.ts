import {type RouteConfig} from '../config/route-entry.ts';
import {readSeenEvents, type StoredEvents} from '../webhooks/seen-events.ts';
import {findUnseenVariables, unseenWarning} from '../webhooks/unseen-variables.ts';

/** What is doubtful about routes, by their names: variables in their templates that no stored event has. */
export async function findWarnings(
	routes: readonly RouteConfig[],
	stored: StoredEvents,
): Promise<ReadonlyMap<string, string>> {
	const warnings = new Map<string, string>();
	for (const route of routes) {
		const warning = unseenWarning(await findUnseenVariables(route, await readSeenEvents(stored, route.name)));
		if (warning !== undefined) {
			warnings.set(route.name, warning);
		}
	}

	return warnings;
}
