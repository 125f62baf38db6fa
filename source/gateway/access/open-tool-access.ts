import {callToJson} from '../../control/to-wire.ts';
import {openJournal} from '../../journal/journal.ts';
import {failure} from '../../tools/tool-outcome.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {openAgentService} from '../agent-service.ts';
import {toolMethods} from './control-handlers.ts';
import {type RuntimeContext, loadProfile, refuseUnusable} from '../profiles/profile-context.ts';
import {openToolService} from '../tool-service.ts';
import {awaitWanted, missingServer, type Wanted, withWantedServers} from '../wanted-servers.ts';

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
	const {clock, redactor, current} = context;
	const journal = openJournal({path: context.paths.journal, clock, limits: () => current().config.journal});
	const tools = openToolService(context, journal, {
		complete: openAgentService([context]).completeOf(context.paths.profile),
	});
	tools.apply();
	const {connections, catalogue} = tools;
	await awaitWanted(wanted, {connections, catalogue, clock, signal, report: text => report(redactor.redact(text))});
	const methods = toolMethods(redactor, tools);
	return {
		list: async () => methods.list(),
		tools: async () => methods.tools(),
		async call(call: Parameters<typeof methods.call>[0], callOptions: {readonly signal: AbortSignal}) {
			const missing = catalogue.find(call.name)
				? undefined
				: missingServer(call.name, {connections, brokenServers: current().config.brokenServers});
			// Nobody knows whether a server that is not there has the tool.
			return missing
				? redactTexts(callToJson(failure(missing.problem, missing.server)), redactor.redact)
				: methods.call(call, callOptions.signal);
		},
		async close() {
			await tools.stop();
			await journal.close();
		},
	};
}
