import {openJournal} from '../journal/journal.ts';
import {type ClientStreams, serveStream} from '../tools/endpoint/serve-stream.ts';
import {endpointTools, reportTo} from './endpoint-tools.ts';
import {type Ground, layFoundation, refuseUnusable} from './foundation.ts';
import {openAgentWing} from './agent-wing.ts';
import {openToolWing} from './tool-wing.ts';

/**
Connects the tool servers in this process and serves all their tools to one client, until it has gone or the signal aborts: for
`sluice mcp serve` when no gateway runs. Calls pass the same door and the same journal as those of a gateway.
*/
export async function serveOwnTools(
	ground: Ground,
	streams: ClientStreams,
	{signal}: {readonly signal: AbortSignal},
): Promise<void> {
	const foundation = await layFoundation(ground);
	refuseUnusable(foundation);
	const {clock, paths, current} = foundation;
	const journal = openJournal({path: paths.journal, clock, limits: () => current().config.journal});
	const tools = openToolWing(foundation, journal, {
		complete: openAgentWing([foundation]).completeOf(foundation.paths.profile),
	});
	try {
		tools.apply();
		await serveStream(endpointTools({foundation, tools}), streams, {signal, report: reportTo(foundation)});
	} finally {
		await tools.stop();
		await journal.close();
	}
}
