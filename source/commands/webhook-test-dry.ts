import {dryRunText} from '../webhooks/dry-run-text.ts';
import {readSeenEvents} from '../webhooks/seen-events.ts';
import {type CommandContext, type ExitCode} from './command-context.ts';
import {type OpenEvents, withEventAccess} from './event-access.ts';
import {jsonDocument} from './json-document.ts';
import {findRoute, type RouteBook} from './route-book.ts';
import {readTriedRequest} from './tried-request.ts';
import {tryRoute} from './webhook-dry-run.ts';

/** `sluice webhook test NAME --dry-run [--event ID]`: exit code 0 when the route would act. */
export async function runDryTest(
	context: CommandContext,
	name: string,
	{book, openEvents}: {readonly book: RouteBook; readonly openEvents: OpenEvents},
): Promise<ExitCode> {
	const {flags} = context;
	const route = findRoute(book, name);
	const {request, seen} = await withEventAccess(context, openEvents, async access => ({
		request: await readTriedRequest(access, route, flags),
		seen: await readSeenEvents(access, route.name),
	}));
	const result = await tryRoute(request, route, {book, context, seen});
	context.stdout(flags.json ? jsonDocument(result) : dryRunText(result));
	return result.action ? 0 : 1;
}
