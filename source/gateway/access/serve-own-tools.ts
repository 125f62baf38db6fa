import {openJournal} from '../../journal/journal.ts';
import {type ClientStreams, serveStream} from '../../tools/endpoint/serve-stream.ts';
import {endpointTools, reportTo} from '../endpoint-tools.ts';
import {type RuntimeContext, loadProfile, refuseUnusable} from '../profiles/profile-context.ts';
import {openAgentService} from '../agent-service.ts';
import {openToolService} from '../tool-service.ts';
import {warnMissingKey} from '../wanted-servers.ts';

/**
Connects the tool servers in this process and serves all their tools to one client, until it has gone or the signal aborts: for
`sluice mcp serve` when no gateway runs. Calls pass the only way to the tools and the same journal as those of a gateway.
*/
export async function serveOwnTools(
	runtime: RuntimeContext,
	streams: ClientStreams,
	{signal, report}: {readonly signal: AbortSignal; readonly report: (text: string) => void},
): Promise<void> {
	const context = await loadProfile(runtime);
	refuseUnusable(context);
	const {clock, paths, current} = context;
	const journal = openJournal({path: paths.journal, clock, limits: () => current().config.journal});
	const tools = openToolService(context, journal, {
		complete: openAgentService([context]).completeOf(context.paths.profile),
	});
	try {
		tools.apply();
		void tools.firstSettled().then(() => warnMissingKey(tools.connections, report));
		await serveStream(endpointTools({context, tools}), streams, {signal, report: reportTo(context)});
	} finally {
		await tools.stop();
		await journal.close();
	}
}
