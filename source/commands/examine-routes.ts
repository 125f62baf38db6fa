import {type CommandContext} from './command-context.ts';
import {routeFindings} from './doctor-routes.ts';
import {type Finding} from './finding.ts';
import {listRoutes} from './list-routes.ts';
import {openEvents} from './open-access.ts';
import {openRouteBook} from './open-route-book.ts';
import {listSubscriptions} from './route-book.ts';
import {type Session} from './session.ts';

/** Every route and subscription, with what it leans on. Rejects with the problem of a subscriptions file that cannot be read. */
export async function examineRoutes(context: CommandContext, session: Session): Promise<readonly Finding[]> {
	const book = await openRouteBook(session);
	const routes = [
		...book.webhook.routes,
		...book.webhook.brokenRoutes.flatMap(({route}) => (route ? [route] : [])),
		...listSubscriptions(book).flatMap(({route}) => (route ? [route] : [])),
	];
	const rows = await listRoutes(context, book, openEvents(session));
	const findings = await Promise.all(
		rows.map(row => {
			const route = routes.find(({name}) => name === row.name);
			return routeFindings(row, route, {...book, paths: session.paths});
		}),
	);
	return findings.flat();
}
