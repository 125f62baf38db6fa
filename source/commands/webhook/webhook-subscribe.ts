import {Problem, problemLine} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command-context.ts';
import {jsonDocument} from '../cli/json-document.ts';
import {newSubscription} from './new-subscription.ts';
import {type RouteRegistry} from './route-registry.ts';
import {runCommand} from '../cli/run-command.ts';
import {webhookUrl} from './webhook-url.ts';

const usage = 'Usage: sluice webhook subscribe NAME [options], see --help';

/** `sluice webhook subscribe NAME`: makes or changes a dynamic route and prints where to post and what to sign with. */
export function runWebhookSubscribe(
	context: CommandContext,
	openRoutes: () => Promise<RouteRegistry>,
): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [typed, ...others] = context.arguments;
		if (typed === undefined || others.length > 0) {
			throw new Problem('bad_usage', {message: usage});
		}

		const registry = await openRoutes();
		const now = context.clock.now();
		const {name, entry, route, problems} = newSubscription(typed, {flags: context.flags, registry, now});
		registry.subscriptions.write({...registry.subscriptions.read(), [name]: entry});

		const url = await webhookUrl(context, registry.webhook, route);
		const [secret = ''] = route.secrets;
		context.stdout(
			context.flags.json
				? jsonDocument({name, url, secret})
				: `Name    ${name}\nURL     ${safeText(url)}\nSecret  ${safeText(secret)}\n`,
		);
		for (const problem of [...problems, ...(await registry.checkDelivery(route))]) {
			context.stderr(`sluice: ${safeText(problemLine(problem))}\n`);
		}

		if (!registry.webhook.enabled) {
			context.stderr('sluice: Webhooks are off: set `platforms.webhook.enabled: true` to receive anything.\n');
		}

		return 0;
	});
}
