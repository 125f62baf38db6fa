import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {dryRunText} from '../webhooks/dry-run-text.ts';
import {readSeenEvents} from '../webhooks/seen-events.ts';
import {type CommandContext, type ExitCode} from './command-context.ts';
import {type EventAccess, type OpenEvents, withEventAccess} from './event-access.ts';
import {jsonDocument} from './json-document.ts';
import {testBody} from './post-test-event.ts';
import {findRoute, type RouteBook} from './route-book.ts';
import {type TriedRequest, tryRoute} from './webhook-dry-run.ts';

/** `sluice webhook test NAME --dry-run [--event ID]`: exit code 0 when the route would act. */
export async function runDryTest(
	context: CommandContext,
	name: string,
	{book, openEvents}: {readonly book: RouteBook; readonly openEvents: OpenEvents},
): Promise<ExitCode> {
	const {flags} = context;
	const route = findRoute(book, name);
	const {request, seen} = await withEventAccess(context, openEvents, async access => ({
		request:
			flags.event === undefined
				? {body: testBody(flags.payload, route), headers: {'content-type': 'application/json'}}
				: await storedRequest(access, flags.event),
		seen: await readSeenEvents(access, route.name),
	}));
	const result = await tryRoute(request, route, {book, context, seen});
	context.stdout(flags.json ? jsonDocument(result) : dryRunText(result));
	return result.action ? 0 : 1;
}

async function storedRequest(access: EventAccess, id: string): Promise<TriedRequest> {
	const event = await access.show(id);
	if (!event) {
		throw new Problem('unknown_event', {message: `No event has the id ${safeText(id, {maximumCharacters: 100})}`});
	}

	// The body is the decoded one.
	const {
		body,
		headers: {'content-encoding': _, ...headers},
	} = event;
	if (body === null) {
		throw new Problem('not_replayable', {message: 'The event was refused, so its body is not stored'});
	}

	return {body, headers};
}
