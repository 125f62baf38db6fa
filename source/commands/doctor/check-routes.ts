import {type CommandContext} from '../cli/command-context.ts';
import {routeFindings} from './doctor-routes.ts';
import {type Finding} from './finding.ts';
import {listRoutes} from '../webhook/list-routes.ts';
import {openEvents} from '../cli/open-access.ts';
import {loadRoutes} from '../webhook/load-routes.ts';
import {listSubscriptions} from '../webhook/route-registry.ts';
import {type Session} from '../cli/session.ts';

/** Every route and subscription, with what it leans on. Rejects with the problem of a subscriptions file that cannot be read. */
export async function checkRoutes(context: CommandContext, session: Session): Promise<readonly Finding[]> {
	const registry = await loadRoutes(session);
	const routes = [
		...registry.webhook.routes,
		...registry.webhook.brokenRoutes.flatMap(({route}) => (route ? [route] : [])),
		...listSubscriptions(registry).flatMap(({route}) => (route ? [route] : [])),
	];
	const rows = await listRoutes(context, registry, openEvents(session));
	const findings = await Promise.all(
		rows.map(row => {
			const route = routes.find(({name}) => name === row.name);
			return routeFindings(row, route, {...registry, paths: session.paths});
		}),
	);
	return findings.flat();
}
