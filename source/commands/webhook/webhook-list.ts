import {type RouteRowJson} from '../../state/json/event.ts';
import {findWarnings, routeRows, routeRowToJson} from '../../gateway/services/route-rows.ts';
import {routeTable} from '../../state/entities/route.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {printRows, widestCell} from '../cli/listing.ts';
import {type OpenOwnApi, withApi, withClient} from '../cli/connect-gateway.ts';
import {runCommand} from '../cli/run-command.ts';
import {runShow} from '../cli/show-row.ts';
import {noWords} from '../cli/words.ts';
import {createEventReader} from '../events/event-reader.ts';
import {listSubscriptions, type OpenRoutes, type RouteRegistry} from './route-registry.ts';
import {webhookBase} from './webhook-url.ts';

/** `sluice webhook list [--json]`: the routes of config.yaml and the subscriptions. */
export function runWebhookList(
	context: CommandContext,
	openRoutes: OpenRoutes,
	openOwn: OpenOwnApi,
): Promise<ExitCode> {
	return runCommand(context, async () => {
		noWords(context, 'sluice webhook list [--json]');
		const {kind, rows} = await printedRoutes(context, openRoutes, openOwn);
		await printRows<RouteRowJson>(context, rows, {
			...routeTable(kind === 'gateway' ? 'running' : 'none'),
			below: explanation,
			none: 'There are no routes. Create one with `sluice webhook subscribe NAME`.',
		});
		if (kind === 'none' && rows.some(({state}) => state === 'served')) {
			context.stderr('No gateway is running: nothing is received until one is started with `sluice`.\n');
		}

		return 0;
	});
}

/** `sluice webhook show NAME`: one route. */
export function runWebhookShow(
	context: CommandContext,
	openRoutes: OpenRoutes,
	openOwn: OpenOwnApi,
): Promise<ExitCode> {
	return runShow<RouteRowJson>(context, {
		noun: 'route',
		usage: 'sluice webhook show NAME [--json]',
		rows: async () => (await printedRoutes(context, openRoutes, openOwn)).rows,
	});
}

/** The routes, and if a gateway serves them. */
async function printedRoutes(context: CommandContext, openRoutes: OpenRoutes, openOwn: OpenOwnApi) {
	const {kind, rows: served} = await servedRoutes(context);
	const rows = served ?? (await listRoutes(context, await openRoutes(), openOwn));
	// Programs rely on the row without the next action.
	return {kind, rows: context.flags.json ? rows.map(row => ({...row, next_action: undefined})) : rows};
}

/** Below the row of a route: its reason if a cell cuts it, since the mistake is often named at its end, and the remedy. */
function explanation({reason, next_action: nextAction}: RouteRowJson): readonly string[] {
	return [
		...(reason !== null && Array.from(reason).length > widestCell ? [`  ${safeText(reason)}`] : []),
		...(typeof nextAction === 'string' ? [`  → ${safeText(nextAction)}`] : []),
	];
}

/** The routes as the running gateway serves them; without rows when none runs that could say. */
function servedRoutes(
	context: CommandContext,
): Promise<{readonly kind: 'gateway' | 'none'; readonly rows?: readonly RouteRowJson[]}> {
	return withClient(context, async client => {
		const rows = await client?.call('webhook.list', {}, {signal: context.signal}).catch(() => undefined);
		return {kind: client ? 'gateway' : 'none', ...(rows && {rows})};
	});
}

/** Every route by the files of the state directory, with what its stored events say about its templates. */
export async function listRoutes(
	context: CommandContext,
	registry: RouteRegistry,
	openOwn: OpenOwnApi,
): Promise<readonly RouteRowJson[]> {
	const subscriptions = listSubscriptions(registry);
	const warnings = await warningsOf(context, registry, openOwn);
	const rows = routeRows({...registry, subscriptions, warnings}, await webhookBase(context, registry.webhook));
	return rows.map(row => routeRowToJson(row));
}

/** A list without them is better than none: the journal may be in use or unreadable. */
async function warningsOf(context: CommandContext, registry: RouteRegistry, openOwn: OpenOwnApi) {
	const routes = [...registry.webhook.routes, ...listSubscriptions(registry).flatMap(({route}) => route ?? [])];
	try {
		return await withApi(context, openOwn, api => findWarnings(routes, createEventReader(api)));
	} catch {
		return new Map<string, string>();
	}
}
