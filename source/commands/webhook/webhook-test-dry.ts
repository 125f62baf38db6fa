import {dryRunText} from '../../webhooks/pipeline/dry-run.ts';
import {readRecentEvents} from '../../webhooks/template/unresolved-variables.ts';
import {type CommandContext, type ExitCode} from '../cli/command-context.ts';
import {type OpenEvents, withEventAccess} from '../events/event-access.ts';
import {jsonDocument} from '../cli/json-document.ts';
import {findRoute, type RouteRegistry} from './route-registry.ts';
import {readTriedRequest} from './tried-request.ts';
import {tryRoute} from './webhook-dry-run.ts';

/** `sluice webhook test NAME --dry-run [--event ID]`: exit code 0 when the route would act. */
export async function runDryTest(
	context: CommandContext,
	name: string,
	{registry, openEvents}: {readonly registry: RouteRegistry; readonly openEvents: OpenEvents},
): Promise<ExitCode> {
	const {flags} = context;
	const route = findRoute(registry, name);
	const {request, recent} = await withEventAccess(context, openEvents, async access => ({
		request: await readTriedRequest(access, route, flags),
		recent: await readRecentEvents(access, route.name),
	}));
	const result = await tryRoute(request, route, {registry, context, recent});
	context.stdout(flags.json ? jsonDocument(result) : dryRunText(result));
	return result.action ? 0 : 1;
}
