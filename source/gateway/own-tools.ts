import {type ClientStreams} from '../tools/endpoint/serve-stream.ts';
import {openAgentService} from './services/agent-service.ts';
import {openConfiguredJournal} from './journal/configured-journal.ts';
import {endpointTools, reportTo} from './services/endpoint-profiles.ts';
import {openDocuments} from './documents/open-profile.ts';
import {loadProfile, type ProfileContext, refuseUnusable, type RuntimeContext} from './profiles/profile-context.ts';
import {openHoldCheck} from './stores/hold-store.ts';
import {openToolService, type ToolService} from './services/tool-service.ts';
import {awaitWanted, type Wanted, warnMissingKey, withWantedServers} from './services/wanted-servers.ts';

/** The tool servers of this process. */
export type OwnTools = {
	readonly context: ProfileContext;
	readonly tools: ToolService;
	readonly close: () => Promise<void>;
};

/**
Connects the tool servers that a command wants in this process: without a lock, a socket or a webhook listener. Resolves when they are there, or
were given enough time. Calls pass the only way to the tools and the same journal as those of a gateway (docs/configuration.md, State directory).
*/
export async function openWantedTools(
	runtime: RuntimeContext,
	options: {readonly signal: AbortSignal; readonly wanted: Wanted; readonly report: (text: string) => void},
): Promise<OwnTools> {
	const {signal, wanted, report} = options;
	const full = await loadProfile(runtime);
	refuseUnusable(full);
	const context = {...full, current: () => withWantedServers(full.current(), wanted)};
	const {clock, redactor} = context;
	const {tools, close} = await openOwnTools(context);
	tools.apply();
	const {connections, catalogue} = tools;
	await awaitWanted(wanted, {connections, catalogue, clock, signal, report: text => report(redactor.redact(text))});
	return {context, tools, close};
}

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
	const {tools, close} = await openOwnTools(context);
	try {
		tools.apply();
		void tools.firstSettled().then(() => warnMissingKey(tools.connections, report));
		const {serveStream} = await import('../tools/endpoint/serve-stream.ts');
		await serveStream(endpointTools({context, tools}), streams, {signal, report: reportTo(context)});
	} finally {
		await close();
	}
}

/** The tool service of this process, with the journal and the documents of the profile. */
async function openOwnTools(context: ProfileContext): Promise<Omit<OwnTools, 'context'>> {
	const journal = await openConfiguredJournal(context);
	const {documents, close: endFollowing} = await openDocuments(context, journal);
	const tools = openToolService({...context, documents}, journal, {
		hold: openHoldCheck({...context, documents}),
		complete: openAgentService([context]).completeOf(context.paths.profile),
	});
	return {
		tools,
		async close() {
			await tools.stop();
			endFollowing();
			await journal.close();
		},
	};
}
