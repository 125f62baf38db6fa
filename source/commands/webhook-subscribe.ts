import {Problem, problemLine} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type CommandContext, type ExitCode} from './command-context.ts';
import {jsonDocument} from './json-document.ts';
import {newSubscription} from './new-subscription.ts';
import {type RouteBook} from './route-book.ts';
import {runCommand} from './run-command.ts';
import {webhookUrl} from './webhook-url.ts';

const usage = 'Usage: sluice webhook subscribe NAME [options], see --help';

/** `sluice webhook subscribe NAME`: makes or changes a dynamic route and prints where to post and what to sign with. */
export function runWebhookSubscribe(context: CommandContext, openBook: () => Promise<RouteBook>): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [typed, ...others] = context.arguments;
		if (typed === undefined || others.length > 0) {
			throw new Problem('bad_usage', {message: usage});
		}

		const book = await openBook();
		const now = context.clock.now();
		const {name, entry, route, problems} = newSubscription(typed, {flags: context.flags, book, now});
		book.subscriptions.write({...book.subscriptions.read(), [name]: entry});

		const url = await webhookUrl(context, book.webhook, route);
		const [secret = ''] = route.secrets;
		context.stdout(
			context.flags.json
				? jsonDocument({name, url, secret})
				: `Name    ${name}\nURL     ${safeText(url)}\nSecret  ${safeText(secret)}\n`,
		);
		for (const problem of [...problems, ...(await book.checkDelivery(route))]) {
			context.stderr(`sluice: ${safeText(problemLine(problem))}\n`);
		}

		if (!book.webhook.enabled) {
			context.stderr('sluice: Webhooks are off: set `platforms.webhook.enabled: true` to receive anything.\n');
		}

		return 0;
	});
}
