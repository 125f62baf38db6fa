import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {createListFiles} from '../../webhooks/filters/list-file.ts';
import {type DryRun, dryRun, type DryRunOptions, dryRunText} from '../../webhooks/pipeline/dry-run.ts';
import {prepareRoute} from '../../webhooks/routes/prepared-route.ts';
import {readRecentEvents} from '../../webhooks/template/unresolved-variables.ts';
import {type CommandContext, type CommandFlags, type ExitCode} from '../cli/command.ts';
import {jsonDocument} from '../cli/listing.ts';
import {type OpenOwnApi, withApi} from '../cli/connect-gateway.ts';
import {createEventReader, type EventReader} from '../events/event-reader.ts';
import {findRoute, type RouteRegistry} from './route-registry.ts';
import {testBody} from './webhook-test.ts';

/** The request to try: a typed body, or an event of the journal. */
type TriedRequest = {
	readonly body: string;
	readonly headers: Readonly<Record<string, string>>;
	/** The delivery id with which a stored event came. */
	readonly deliveryId?: string;
	readonly fileSizes?: readonly number[];
};

/** `sluice webhook test NAME --dry-run [--event ID]`: exit code 0 when the route would act. */
export async function runDryTest(
	context: CommandContext,
	name: string,
	{registry, openOwn}: {readonly registry: RouteRegistry; readonly openOwn: OpenOwnApi},
): Promise<ExitCode> {
	const {flags} = context;
	const route = findRoute(registry, name);
	const {request, recent} = await withApi(context, openOwn, async api => {
		const events = createEventReader(api);
		return {
			request: await readTriedRequest(events, route, flags),
			recent: await readRecentEvents(events, route.name),
		};
	});
	const result = await tryRoute(request, route, {registry, context, recent});
	context.stdout(flags.json ? jsonDocument(result) : dryRunText(result));
	return result.action ? 0 : 1;
}

/** The request that the flags ask to be tried. Rejects with `unknown_event` or `not_replayable`. */
async function readTriedRequest(
	events: EventReader,
	route: RouteConfig,
	{event: id, payload}: CommandFlags,
): Promise<TriedRequest> {
	if (id === undefined) {
		return {body: testBody(payload, route), headers: {'content-type': 'application/json'}};
	}

	const event = await events.show(id);
	if (!event) {
		throw new Problem('unknown_event', {
			message: `No event has the id ${safeText(id, {maximumCharacters: 100})}`,
		});
	}

	// The body is the decoded one.
	const {
		body,
		headers: {'content-encoding': _, ...headers},
		delivery_id: deliveryId,
		files,
	} = event;
	if (body === null) {
		throw new Problem('not_replayable', {message: 'The event was refused, so its body is not stored'});
	}

	return {body, headers, deliveryId, fileSizes: files.map(({bytes}) => bytes)};
}

/** The result of the request on the route, in this process, without a gateway. Runs the script and has no other effect. */
function tryRoute(
	request: TriedRequest,
	route: RouteConfig,
	{
		registry,
		context,
		recent,
	}: {readonly registry: RouteRegistry; readonly context: CommandContext; readonly recent: DryRunOptions['recent']},
): Promise<DryRun> {
	const {expand, directory, webhook} = registry;
	const prepared = prepareRoute(route, {expand, lists: createListFiles(directory)});
	const {body, ...sent} = request;
	const {clock, signal} = context;
	const reportFault = (_route: string, fault: string) => context.stderr(`sluice: script: ${safeText(fault)}\n`);
	const runScript = registry.openScripts({signal, reportFault});
	const options = {clock, maxBodyBytes: webhook.maxBodyBytes, runScript, recent};
	return dryRun({body: Buffer.from(body, 'utf8'), ...sent}, prepared, options);
}
