import {readTextFile} from '../config/read-text-file.ts';
import {routeRows} from '../gateway/route-rows.ts';
import {jobNames, routeFindings} from './doctor-routes.ts';
import {type Finding} from './finding.ts';
import {openRouteBook} from './open-route-book.ts';
import {listSubscriptions} from './route-book.ts';
import {type Session} from './session.ts';

/** Every route and subscription, with what it leans on. Rejects with the problem of a subscriptions file that cannot be read. */
export async function examineRoutes(session: Session): Promise<readonly Finding[]> {
	const {paths} = session;
	const book = await openRouteBook(session);
	const subscriptions = listSubscriptions(book);
	const routes = [
		...book.webhook.routes,
		...book.webhook.brokenRoutes.flatMap(({route}) => (route ? [route] : [])),
		...subscriptions.flatMap(({route}) => (route ? [route] : [])),
	];
	const jobs = jobNames(await readTextFile(paths.cronJobs).catch(() => undefined));
	const findings = await Promise.all(
		routeRows({...book, subscriptions}, '').map(row =>
			routeFindings(
				row,
				routes.find(route => route.name === row.name),
				{paths, jobs},
			),
		),
	);
	return findings.flat();
}
