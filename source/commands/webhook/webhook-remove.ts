import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command-context.ts';
import {type RouteRegistry} from './route-registry.ts';
import {runCommand} from '../cli/run-command.ts';

/** `sluice webhook remove NAME`: takes a subscription out of its file. A configured route is not ours to remove. */
export function runWebhookRemove(context: CommandContext, openRoutes: () => Promise<RouteRegistry>): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [typed, ...others] = context.arguments;
		if (typed === undefined || others.length > 0) {
			throw new Problem('bad_usage', {message: 'Usage: sluice webhook remove NAME'});
		}

		const {subscriptions, webhook} = await openRoutes();
		const stored = subscriptions.read();
		// An entry somebody wrote by hand may have any name.
		const name = [typed, typed.trim().toLowerCase().replaceAll(/\s/gu, '-')].find(one => Object.hasOwn(stored, one));
		if (name === undefined) {
			const isConfigured = [...webhook.routes, ...webhook.brokenRoutes].some(route => route.name === typed);
			const shown = safeText(typed, {maximumCharacters: 100});
			throw new Problem('unknown_route', {
				message: isConfigured
					? `${shown} is a route of config.yaml: take it out there`
					: `No subscription has the name ${shown}`,
			});
		}

		const {[name]: _, ...kept} = stored;
		subscriptions.write(kept);
		context.stderr(`Removed ${safeText(name, {maximumCharacters: 100})}.\n`);
		return 0;
	});
}
