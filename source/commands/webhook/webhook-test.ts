import {parseJson} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode, reportWaiting} from '../cli/command-context.ts';
import {jsonDocument} from '../cli/json-document.ts';
import {postTestEvent} from './post-test-event.ts';
import {findRoute, type RouteRegistry} from './route-registry.ts';
import {runCommand} from '../cli/run-command.ts';

const shownCharacters = 4000;

const usage = 'Usage: sluice webhook test NAME [--payload JSON] [--dry-run [--event ID]] [--json]';

/** `sluice webhook test NAME`: a signed event for the running gateway, as a sender would post it; or, with `--dry-run`, what would become of it. */
export function runWebhookTest(
	context: CommandContext,
	openRoutes: () => Promise<RouteRegistry>,
	tryDry: (registry: RouteRegistry, name: string) => Promise<ExitCode>,
): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [name, ...others] = context.arguments;
		if (name === undefined || others.length > 0) {
			throw new Problem('bad_usage', {message: usage});
		}

		const {dryRun, event, payload} = context.flags;
		if (event !== undefined && (!dryRun || payload !== undefined)) {
			throw new Problem('bad_usage', {message: '--event belongs to --dry-run, and not beside --payload'});
		}

		const registry = await openRoutes();
		if (dryRun) {
			return tryDry(registry, name);
		}

		const route = findRoute(registry, name);
		const answer = await reportWaiting(
			context,
			'the answer of the running gateway',
			postTestEvent(context, {route, expand: registry.expand}),
		);
		context.stdout(
			context.flags.json
				? jsonDocument({status: answer.status, body: parseJson(answer.text) ?? answer.text})
				: `${answer.status} ${safeText(answer.text, {maximumCharacters: shownCharacters})}\n`,
		);
		return answer.status < 300 ? 0 : 1;
	});
}
