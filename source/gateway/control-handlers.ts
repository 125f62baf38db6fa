import {parseInstallLink} from '../config/install-link.ts';
import {followEvents} from '../control/follow-events.ts';
import {type ControlHandlers, type HandlersOf} from '../control/methods.ts';
import {approvalToJson, callToJson, eventToJson, serverToJson, toolToJson} from '../control/to-wire.ts';
import {type CallJson, type ServerJson, type ToolJson} from '../control/wire.ts';
import {type Journal} from '../journal/journal.ts';
import {type ReloadSummary} from '../mcp/connections.ts';
import {approvalNeed} from '../tools/approval-need.ts';
import {cleanTexts} from '../util/clean-texts.ts';
import {type JsonObject} from '../util/json-text.ts';
import {historyOnly} from '../state/history.ts';
import {type Redactor} from '../util/redact.ts';
import {safeText} from '../util/safe-text.ts';
import {findEventDetail} from './event-detail.ts';
import {type EventWing} from './event-wing.ts';
import {cronMethods} from './cron-methods.ts';
import {endpointTools, reportTo} from './endpoint-tools.ts';
import {ruleMethods} from './open-rules.ts';
import {type Profile, type Profiles} from './profiles.ts';
import {type ToolWing} from './tool-wing.ts';

/** The tool wing as listings and calls from outside see it: the same through the socket and in a process of its own. */
export function toolMethods(
	redactor: Pick<Redactor, 'clean'>,
	tools: Pick<ToolWing, 'board' | 'catalogue' | 'rules' | 'callTool' | 'callWithConsent'>,
) {
	return {
		list: (): ServerJson[] => tools.board.list().map(serverToJson),
		// Descriptions and errors are words of a server, who knows its own secrets.
		tools: (): ToolJson[] => {
			const rules = tools.rules.list();
			const listed = tools.catalogue.list().map(tool => toolToJson(tool, approvalNeed(tool, rules)));
			return cleanTexts(listed, redactor.clean);
		},
		call: async (
			call: {name: string; arguments: JsonObject; approve: boolean},
			signal: AbortSignal,
		): Promise<CallJson> => {
			const {name, arguments: args} = call;
			const callTool = call.approve ? tools.callWithConsent : tools.callTool;
			const outcome = callToJson(await callTool({name, arguments: args, origin: {kind: 'command-line'}}, {signal}));
			// A result goes to its caller as it is: it was asked for.
			return 'error' in outcome ? cleanTexts(outcome, redactor.clean) : outcome;
		},
	};
}

/** What stands behind the control socket of a gateway: a caller that names no profile sees the servers and approvals of all, and everything else of the first. */
export function createControlHandlers(options: {
	readonly profiles: Profiles;
	readonly journal: Journal;
	readonly events: Pick<EventWing, 'url' | 'replay' | 'deliverAgain'>;
	readonly reload: () => Promise<ReloadSummary>;
}): HandlersOf {
	const {profiles} = options;
	return name => {
		const asked = profiles.find(name);
		return handlersFor(asked, {...options, listed: name === undefined ? profiles.all : [asked]});
	};
}

function handlersFor(
	{foundation, tools, cron, proposals}: Profile,
	place: Omit<Parameters<typeof createControlHandlers>[0], 'profiles'> & {readonly listed: readonly Profile[]},
): ControlHandlers {
	const {journal, events, reload, listed} = place;
	const {tools: listTools, call} = toolMethods(foundation.redactor, tools);
	const rules = ruleMethods(tools.rules);
	const jobs = cronMethods(cron);
	const desks = listed.map(profile => profile.tools.desk);
	return {
		status: () => ({
			version: foundation.version,
			pid: process.pid,
			profile: foundation.paths.profile,
			webhook_url: events.url(),
		}),
		reload,
		'mcp.list': () => listed.flatMap(profile => profile.tools.board.list().map(serverToJson)),
		'mcp.tools': listTools,
		'mcp.reconnect'({server}) {
			const connection = tools.connections.find(server);
			connection?.reconnect();
			return {answer: connection ? 'reconnecting' : 'unknown'};
		},
		'mcp.call': (params, {signal}) => call(params, signal),
		async 'mcp.serve'(_, {signal, takeOver}) {
			const {serveStream} = await import('../tools/endpoint/serve-stream.ts');
			const client = takeOver();
			await serveStream(
				endpointTools({foundation, tools}),
				{input: client, output: client},
				{signal, report: reportTo(foundation)},
			);
			return {};
		},
		async 'mcp.install'({link}, {signal}) {
			// Read again: whoever holds the socket may be another version of the program.
			const install = parseInstallLink(link);
			return tools.desk.hasConsole() ? proposals.propose(install, {signal}) : {outcome: 'unattended'};
		},
		'approvals.list': () => desks.flatMap(desk => desk.pending().map(approvalToJson)),
		'approvals.answer'({id, verdict}) {
			const desk = desks.find(one => one.pending().some(pending => pending.id === id)) ?? tools.desk;
			const argumentsHash = desk.pending().find(pending => pending.id === id)?.argumentsHash ?? '';
			return {answer: desk.answer({id, argumentsHash, verdict, by: 'command line'})};
		},
		'rules.list': rules.list,
		'rules.revoke': ({id}) => rules.revoke(id),
		'events.list': query => journal.listEvents(query).map(eventToJson),
		'events.show': async ({id}) => (await findEventDetail(journal, id)) ?? null,
		async 'events.replay'({id}) {
			const {eventId, status, name, reason} = await events.replay(id);
			return {event_id: eventId, status, outcome: name, reason};
		},
		async 'events.deliver'({id}) {
			const result = await events.deliverAgain(id);
			const reason = result.kind === 'delivered' ? null : (result.problem.detail ?? result.problem.message);
			const outcome = result.kind === 'uncertain' ? 'outcome_uncertain' : result.kind;
			return {event_id: id, outcome, reason: reason && foundation.redactor.clean(safeText(reason))};
		},
		'cron.list': jobs.list,
		'cron.create': jobs.create,
		'cron.change': jobs.change,
		'cron.run': wish => jobs.run(wish),
		'events.follow': (_, call) => followEvents(listener => foundation.hall.listen(historyOnly(listener)), call),
	};
}
