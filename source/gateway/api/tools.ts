import {type CallJson} from '../../state/json/call.ts';
import {type ServerJson, type ToolJson} from '../../state/json/server.ts';
import {type HandlerCall} from '../../control/methods.ts';
import {callToJson, serverToJson, toolToJson} from '../../control/to-wire.ts';
import {isOfferedBy} from '../../tools/endpoint/offered-tools.ts';
import {approvalNeed} from '../../tools/tool-rows.ts';
import {type CallOptions} from '../../tools/validate-call.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {type Retry} from '../../state/next-action.ts';
import {typedFlags, withFlags} from '../../util/named-commands.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {claimedTools, type ClientParts} from '../services/endpoint-clients.ts';
import {reportTo} from '../services/endpoint-profiles.ts';
import {filtersOfClients, tokensByClient} from '../services/tool-tokens.ts';
import {type ToolService} from '../services/tool-service.ts';
import {type ParamsOf} from '../../state/api.ts';
import {type Origin} from '../../state/origin.ts';
import {Problem} from '../../util/problem.ts';
import {assertMayAllow, type Caller} from './handler-context.ts';
import {explainUnknownTool} from './unknown-tool.ts';

/** The caller's signal and callbacks; `onWaiting` gets the id of the approval that the call waits for. */
type CallWatch = Pick<CallOptions, 'signal' | 'onHeld'> & {readonly onWaiting?: (id: string) => void};

/** The tool service as listings and calls from outside see it: the same through the socket and in a process of its own, but for the command of `retry`. */
export function toolMethods(
	{redactor, current, paths}: Pick<ProfileContext, 'redactor' | 'current' | 'paths'>,
	tools: Pick<
		ToolService,
		'serverStatus' | 'connections' | 'catalogue' | 'rules' | 'callTool' | 'callWithConsent' | 'tokens'
	>,
	{caller, retry = 'reconnect'}: {readonly caller: Caller; readonly retry?: Retry},
) {
	// An error may name a command, which is for the profile of its server. A dashboard adds that itself.
	const flags = caller.kind === 'cli' ? typedFlags({profile: paths.profile}) : [];
	return {
		list: async ({count}: ParamsOf<'mcp.list'>): Promise<ServerJson[]> => {
			await (count && tools.tokens.count());
			const clients = filtersOfClients(current().config);
			return tools.serverStatus.list().map(server => {
				const own = tools.catalogue.list().filter(tool => tool.server === server.server);
				return serverToJson(server, {retry, tokensByClient: tokensByClient(own, {clients, sum: tools.tokens.sum})});
			});
		},
		// Descriptions and errors are words of a server, who knows its own secrets.
		tools: async ({server, count}: ParamsOf<'mcp.tools'>): Promise<ToolJson[]> => {
			await (count && tools.tokens.count());
			const decided = {remembered: tools.rules.list(), rules: current().config.rules};
			const wanted = tools.catalogue.list().filter(tool => server === undefined || tool.server === server);
			const clients = [...filtersOfClients(current().config)];
			const listed = wanted.map(tool =>
				toolToJson(tool, {
					approval: approvalNeed(tool, decided),
					tokens: tools.tokens.of(tool) ?? null,
					clients: clients.filter(([, filter]) => isOfferedBy(filter)(tool)).map(([name]) => name),
				}),
			);
			return redactTexts(listed, redactor.redact);
		},
		call: async (
			call: {name: string; arguments: JsonObject; approve: boolean},
			{signal, onWaiting, onHeld}: CallWatch,
		): Promise<CallJson> => {
			const {name, arguments: args} = call;
			if (call.approve && caller.kind === 'console') {
				throw new Problem('bad_usage', {message: 'A window can ask about a call only on its card'});
			}

			if (call.approve) {
				assertMayAllow(caller, {current});
			}

			const callTool = call.approve ? tools.callWithConsent : tools.callTool;
			const onAsking = (asking: boolean, id?: string) => asking && id !== undefined && onWaiting?.(id);
			const toCall = {name, arguments: args, origin: originOf(caller)};
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

/** Serves its tools to one client on the connection of its call, until it has gone or the signal aborts. The name is a claim: its entry only narrows. */
export async function serveTools(
	parts: ClientParts & {readonly context: Pick<ProfileContext, 'publish'>},
	name: string | undefined,
	{signal, takeOver}: Pick<HandlerCall, 'signal' | 'takeOver'>,
): Promise<Record<string, never>> {
	const {serveStream} = await import('../../tools/endpoint/serve-stream.ts');
	const offered = claimedTools(parts, name);
	const client = takeOver();
	const streams = {input: client, output: client};
	await serveStream(offered, streams, {signal, report: reportTo(parts.context)});
	return {};
}

/** The origin of a call by hand. */
export function originOf(caller: Caller): Origin {
	return caller.kind === 'console' ? {kind: 'dashboard', by: caller.name} : {kind: 'command-line'};
}
