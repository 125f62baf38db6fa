import {type Problem} from '../util/problem.ts';
import {deliveryTargets} from './delivery-targets.ts';
import {reportUnbuilt, unbuiltRouteKeys} from './not-supported-yet.ts';
import {readSection} from './read-section.ts';
import {type RouteConfig, toRoute} from './route-config.ts';
import {isMalformed, type RouteFilter} from './route-filter.ts';
import {readableRouteSchema} from './route-schema.ts';
import {type Section, tell, warn} from './section.ts';

export type {RouteConfig, RouteFilter};

/** A route, or why it is not served. `route` is there when it could be read all the same. */
export type ParsedRoute =
	| {readonly kind: 'route'; readonly route: RouteConfig}
	| {readonly kind: 'broken'; readonly problem: Problem; readonly route?: RouteConfig};

/**
Reads one route; `section` stands at it. The global secrets are for a route without a secret of its own: an empty text is a missing secret,
not the wish for the global one (spec/decisions.md, D8).
*/
export function parseRouteEntry(
	name: string,
	entry: unknown,
	context: {readonly section: Section; readonly globalSecrets: readonly string[]},
): ParsedRoute {
	const {section, globalSecrets} = context;
	const reading = readSection(readableRouteSchema, entry, section);
	if (reading.kind === 'broken') {
		return reading;
	}

	const {value} = reading;
	const place = section.problems.place(section.path, 'key');
	const route: RouteConfig = {...toRoute(name, value, globalSecrets), place};
	warnMalformed(route.filters, section);
	const problem = reportUnbuilt(unbuiltRouteKeys, value, section) ?? checkTarget(route.deliver, section);
	return problem ? {kind: 'broken', problem, route} : {kind: 'route', route};
}

function warnMalformed(filters: readonly RouteFilter[], section: Section): void {
	if (filters.some(isMalformed)) {
		const allowed = 'a field with one operator, or all, any, not with filters';
		warn(section, ['filters'], `found a filter that cannot be understood, allowed: ${allowed}; it matches nothing`);
	}
}

function checkTarget(target: string, section: Section): Problem | undefined {
	return deliveryTargets.includes(target)
		? undefined
		: tell(section, {
				code: 'unknown_target',
				level: 'error',
				key: ['deliver'],
				part: 'value',
				message: `found another text, allowed: ${deliveryTargets.join(', ')}`,
			});
}
