import {type WebhookConfig} from '../../config/webhooks/webhook-entry.ts';
import {type Problem} from '../../util/problem.ts';
import {type PrepareOptions, prepareRoute} from './prepared-route.ts';

/** What routes could not do if they were served now: refused patterns, unusable secrets, unknown targets. Each concerns its route alone. */
export function checkRoutes(config: WebhookConfig, options: PrepareOptions): readonly Problem[] {
	return config.routes.flatMap(route => prepareRoute(route, options).problems);
}
