import {openAgentService} from './services/agent-service.ts';
import {openConfiguredJournal} from './journal/configured-journal.ts';
import {openDocuments} from './documents/open-profile.ts';
import {loadProfile, type ProfileContext, refuseUnusable, type RuntimeContext} from './profiles/profile-context.ts';
import {openHoldCheck} from './stores/hold-store.ts';
import {openSpendingLimits} from './services/spending-limits.ts';
import {openToolService, type ToolService} from './services/tool-service.ts';
import {awaitWanted, type Wanted, withWantedServers} from './services/wanted-servers.ts';

/** The tool servers of this process. */
export type OwnTools = {
	readonly context: ProfileContext;
	readonly tools: ToolService;
	/** Resolves when they are there, or were given enough time. */
	readonly settled: () => Promise<void>;
	readonly close: () => Promise<void>;
};

/**
Begins to connect the tool servers that a command wants in this process: without a lock, a socket or a webhook listener. Calls pass the only way to
the tools and the same journal as those of a gateway (docs/configuration.md, State directory).
*/
export async function openWantedTools(
	runtime: RuntimeContext,
	options: {readonly signal: AbortSignal; readonly wanted: Wanted; readonly report: (text: string) => void},
): Promise<OwnTools> {
	const {signal, wanted} = options;
	const full = await loadProfile(runtime);
	refuseUnusable(full);
	const context = {...full, current: () => withWantedServers(full.current(), wanted)};
	const {clock, redactor} = context;
	const {tools, close} = await openOwnTools(context);
	tools.apply();
	const {connections, catalogue} = tools;
	const report = (text: string) => options.report(redactor.redact(text));
	return {
		context,
		tools,
		settled: () => awaitWanted(wanted, {connections, catalogue, clock, signal, report}),
		close,
	};
}

/** The tool service of this process, with the journal and the documents of the profile. */
async function openOwnTools(context: ProfileContext): Promise<Pick<OwnTools, 'tools' | 'close'>> {
	const journal = await openConfiguredJournal(context);
	const {documents, close: endFollowing} = await openDocuments(context, journal);
	// A person at a gateway of the same journal is asked about what is reached here.
	const spending = openSpendingLimits({
		...context,
		journal,
		limits: () => context.current().config.limits,
		isShared: () => false,
		wakeRuns: () => undefined,
	});
	const tools = openToolService({...context, documents}, journal, {
		hold: openHoldCheck({...context, documents}),
		complete: openAgentService([context], spending.spending).completeOf(context.paths.profile),
		countCall: spending.countCall,
	});
	return {
		tools,
		async close() {
			await tools.stop();
			spending.close();
			endFollowing();
			await journal.close();
		},
	};
}
