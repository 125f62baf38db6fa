import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

/** A problem of one route, named in its text. */
export function routeProblem(
	config: RouteConfig,
	code: 'pattern_refused' | 'route_without_secret',
	message: string,
): Problem {
	return new Problem(code, {
		message: `route ${safeText(config.name, {maximumCharacters: 100})}: ${message}`,
		scope: {kind: 'route', name: config.name},
		place: config.place,
	});
}
