import {type RouteConfig} from '../config/webhooks/route-entry.ts';
import {
	findUnresolvedVariables,
	readRecentEvents,
	type StoredEvents,
	unresolvedWarning,
} from '../webhooks/template/unresolved-variables.ts';

/** What is doubtful about routes, by their names: variables in their templates that no stored event has. */
export async function findWarnings(
	routes: readonly RouteConfig[],
	stored: StoredEvents,
): Promise<ReadonlyMap<string, string>> {
	const warnings = new Map<string, string>();
	for (const route of routes) {
		const warning = unresolvedWarning(await findUnresolvedVariables(route, await readRecentEvents(stored, route.name)));
		if (warning !== undefined) {
			warnings.set(route.name, warning);
		}
	}

	return warnings;
}
