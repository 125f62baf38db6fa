import {type Ground, layFoundation, refuseUnusable} from './foundation.ts';
import {openJournal} from '../journal/journal.ts';
import {toolMethods} from './control-handlers.ts';
import {openAgentWing} from './agent-wing.ts';
import {openToolWing} from './tool-wing.ts';

/**
Connects the tool servers of the configuration in this process, for one command: without a lock, a socket or a webhook listener.
Resolves when no server is connecting any more. Calls pass the same door and the same journal as those of a gateway (spec/decisions.md, D1).
*/
export async function openToolAccess(ground: Ground, {signal}: {readonly signal: AbortSignal}) {
	const foundation = await layFoundation(ground);
	refuseUnusable(foundation);
	const journal = openJournal({
		path: foundation.paths.journal,
		clock: foundation.clock,
		limits: () => foundation.current().config.journal,
	});
	const tools = openToolWing(foundation, journal, {
		complete: openAgentWing([foundation]).completeOf(foundation.paths.profile),
	});
	tools.apply();
	await tools.connections.settled(signal);
	const methods = toolMethods(foundation.redactor, tools);
	return {
		list: async () => methods.list(),
		tools: async () => methods.tools(),
		call: (call: Parameters<typeof methods.call>[0], options: {readonly signal: AbortSignal}) =>
			methods.call(call, options.signal),
		async close() {
			await tools.stop();
			await journal.close();
		},
	};
}
