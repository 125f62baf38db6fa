import {Problem} from '../../util/problem.ts';
import {type CommandContext, type ExitCode} from '../cli/command-context.ts';
import {type OpenEvents} from '../events/event-access.ts';
import {jsonDocument} from '../cli/json-document.ts';
import {listRoutes} from './list-routes.ts';
import {type RouteRegistry} from './route-registry.ts';
import {runCommand} from '../cli/run-command.ts';
import {textTable} from '../cli/text-table.ts';

/** `sluice webhook list [--json]`: the routes of config.yaml and the subscriptions. */
export function runWebhookList(
	context: CommandContext,
	openRoutes: () => Promise<RouteRegistry>,
	openEvents: OpenEvents,
): Promise<ExitCode> {
	return runCommand(context, async () => {
		if (context.arguments.length > 0) {
			throw new Problem('bad_usage', {message: 'Usage: sluice webhook list [--json]'});
		}

		const rows = await listRoutes(context, await openRoutes(), openEvents);
		if (context.flags.json) {
			context.stdout(jsonDocument(rows));
		} else if (rows.length === 0) {
			context.stderr('There are no routes. `sluice webhook subscribe NAME` makes one.\n');
		} else {
			const cells = rows.map(row => [
				row.name,
				row.state,
				row.source,
				row.events.join(',') || 'all',
				row.deliver,
				row.url,
				row.reason ?? '',
			]);
			context.stdout(textTable(['ROUTE', 'STATE', 'SOURCE', 'EVENTS', 'DELIVER', 'URL', 'REASON'], cells));
		}

		return 0;
	});
}
