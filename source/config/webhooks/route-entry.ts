import {type Problem} from '../../util/problem.ts';
import {readSection} from '../values/read-section.ts';
import {checkRoute} from './route-checks.ts';
import {type RouteConfig} from './route-config.ts';
import {type RouteFilter} from './route-filter.ts';
import {readableRouteSchema} from './route-schema.ts';
import {type Section} from '../values/section.ts';
import {toRoute} from './to-route.ts';

export type {RouteConfig, RouteFilter};

/** A route, or why it is not served. `route` is there when it could be read all the same. */
export type ParsedRoute =
	| {readonly kind: 'route'; readonly route: RouteConfig}
	| {readonly kind: 'broken'; readonly problem: Problem; readonly route?: RouteConfig};

/**
Reads one route; `section` stands at it. The global secrets are for a route without a secret of its own: an empty text is a missing secret,
not the request for the global one (docs/webhooks.md, Answers).
*/
export function parseRouteEntry(
	name: string,
	entry: unknown,
	context: {readonly section: Section; readonly globalSecrets: readonly string[]},
): ParsedRoute {
	const {section, globalSecrets} = context;
	const reading = readSection(readableRouteSchema(), entry, section);
	if (reading.kind === 'broken') {
		return reading;
	}

	const {value} = reading;
	const place = section.problems.place(section.path, 'key');
	const route: RouteConfig = {...toRoute(name, value, globalSecrets), place};
	const problem = checkRoute(route, value, section);
	return problem ? {kind: 'broken', problem, route} : {kind: 'route', route};
}
