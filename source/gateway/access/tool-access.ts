import {callToJson, serverToJson, toolToJson} from '../../control/to-wire.ts';
import {type CallJson, type ServerJson, type ToolJson} from '../../control/wire.ts';
import {approvalNeed} from '../../tools/tool-rows.ts';
import {type CallOptions} from '../../tools/validate-call.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {openConfiguredJournal} from '../journal/configured-journal.ts';
import {type ClientStreams} from '../../tools/endpoint/serve-stream.ts';
import {type Retry} from '../../state/next-action.ts';
import {typedFlags, withFlags} from '../../util/named-commands.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {openAgentService} from '../agent-service.ts';
import {endpointTools, reportTo} from '../profiles/endpoint-profiles.ts';
import {openDocuments} from '../profiles/open-profile.ts';
import {loadProfile, type ProfileContext, refuseUnusable, type RuntimeContext} from '../profiles/profile-context.ts';
import {openToolService, type ToolService} from '../tool-service.ts';
import {awaitWanted, type Wanted, warnMissingKey, withWantedServers} from '../wanted-servers.ts';
import {assertCommandsMayAllow} from './command-permission.ts';
import {openHoldCheck} from './hold-access.ts';
import {explainUnknownTool} from './unknown-tool.ts';

/**
Connects the tool servers that a command wants in this process: without a lock, a socket or a webhook listener. Resolves when they are there, or
were given enough time. Calls pass the only way to the tools and the same journal as those of a gateway (docs/configuration.md, State directory).
*/
export async function openToolAccess(
	runtime: RuntimeContext,
	options: {readonly signal: AbortSignal; readonly wanted: Wanted; readonly report: (text: string) => void},
) {
	const {signal, wanted, report} = options;
	const whole = await loadProfile(runtime);
	refuseUnusable(whole);
	const context = {...whole, current: () => withWantedServers(whole.current(), wanted)};
	const {clock, redactor} = context;
	const {tools, close} = await openOwnTools(context);
	tools.apply();
	const {connections, catalogue} = tools;
	await awaitWanted(wanted, {connections, catalogue, clock, signal, report: text => report(redactor.redact(text))});
	// There is no gateway that could connect them again.
	const methods = toolMethods(context, tools, 'test');
	return {
		list: async () => methods.list(),
		tools: async () => methods.tools(),
		async call(
			call: Parameters<typeof methods.call>[0],
			callOptions: {
				readonly signal: AbortSignal;
				readonly onWaiting?: (id: string | undefined) => void;
			},
		) {
			return methods.call(call, {
				signal: callOptions.signal,
				// Without a gateway no other process can answer.
				onWaiting: () => callOptions.onWaiting?.(undefined),
			});
		},
		close,
	};
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
		const {serveStream} = await import('../../tools/endpoint/serve-stream.ts');
		await serveStream(endpointTools({context, tools}), streams, {signal, report: reportTo(context)});
	} finally {
		await close();
	}
}

/** The tool service of this process, with the journal and the documents of the profile. */
async function openOwnTools(
	context: ProfileContext,
): Promise<{readonly tools: ToolService; readonly close: () => Promise<void>}> {
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

/** Who waits for a call; `onWaiting` is called with the id of the approval that the call waits for. */
type CallWatch = Pick<CallOptions, 'signal' | 'onHeld'> & {readonly onWaiting?: (id: string) => void};

/** The tool service as listings and calls from outside see it: the same through the socket and in a process of its own, but for the command of `retry`. */
export function toolMethods(
	{redactor, current, paths}: Pick<ProfileContext, 'redactor' | 'current' | 'paths'>,
	tools: Pick<ToolService, 'serverStatus' | 'connections' | 'catalogue' | 'rules' | 'callTool' | 'callWithConsent'>,
	retry: Retry = 'reconnect',
) {
	// An error may name a command, which is for the profile of its server.
	const flags = typedFlags({profile: paths.profile});
	return {
		list: (): ServerJson[] => tools.serverStatus.list().map(server => serverToJson(server, retry)),
		// Descriptions and errors are words of a server, who knows its own secrets.
		tools: (): ToolJson[] => {
			const decided = {remembered: tools.rules.list(), rules: current().config.rules};
			const listed = tools.catalogue.list().map(tool => toolToJson(tool, approvalNeed(tool, decided)));
			return redactTexts(listed, redactor.redact);
		},
		call: async (
			call: {name: string; arguments: JsonObject; approve: boolean},
			{signal, onWaiting, onHeld}: CallWatch,
		): Promise<CallJson> => {
			const {name, arguments: args} = call;
			if (call.approve) {
				assertCommandsMayAllow({current});
			}

			const callTool = call.approve ? tools.callWithConsent : tools.callTool;
			const onAsking = (asking: boolean, id?: string) => asking && id !== undefined && onWaiting?.(id);
			const toCall = {name, arguments: args, origin: {kind: 'command-line'}} as const;
			const called = await callTool(toCall, {signal, onAsking, ...(onHeld && {onHeld})});
			const outcome = callToJson(explainUnknownTool(called, name, {...tools, current}));
			if ('error' in outcome) {
				const {message} = outcome.error;
				return redactTexts({error: {...outcome.error, message: withFlags(message, flags)}}, redactor.redact);
			}

			// A result goes to its caller as it is: it was asked for.
			return outcome;
		},
	};
}
