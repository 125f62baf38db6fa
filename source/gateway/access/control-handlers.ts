import {type Hold} from '../../approvals/hold.ts';
import {type GatewayConfig} from '../../config/read/gateway-config.ts';
import {parseInstallLink} from '../../config/import/install-link.ts';
import {type ControlCall, type ControlHandlers, type HandlersOf} from '../../control/methods.ts';
import {failedDeliveryToJson, serverToJson} from '../../control/to-wire.ts';
import {type Journal} from '../../journal/journal.ts';
import {eventJson} from '../../state/event-json.ts';
import {type OpenConsole} from '../../state/console.ts';
import {type ConsoleMode, consoleName} from '../../state/console-state.ts';
import {type EventBus} from '../../state/event-bus.ts';
import {type ApprovalRequest} from '../../state/approval-event.ts';
import {type GatewayEventBody} from '../../state/event.ts';
import {type LiveSnapshot} from '../../state/gathered-snapshot.ts';
import {Problem} from '../../util/problem.ts';
import {claimed, safeText} from '../../util/safe-text.ts';
import {listFailedDeliveries} from '../failed-deliveries.ts';
import {type JournalState} from '../journal/gateway-journal.ts';
import {type GatewayFault} from '../journal/journal-fault.ts';
import {endpointTools, reportTo} from '../profiles/endpoint-profiles.ts';
import {type Nodes} from '../journal/nodes.ts';
import {type Profile, type Profiles} from '../profiles/profiles.ts';
import {type Reloads} from '../reload.ts';
import {routeRowToJson} from '../route-rows.ts';
import {storedEvents} from '../stored-events.ts';
import {type WebhookService} from '../webhook-service.ts';
import {approvalMethods} from './approval-access.ts';
import {completionMethods} from './completion-access.ts';
import {cronMethods} from './cron-access.ts';
import {holdMethods} from './hold-access.ts';
import {loginMethods} from './login-access.ts';
import {questionMethods} from './question-access.ts';
import {recordedCalls} from './rehearsal-access.ts';
import {ruleMethods} from './rule-access.ts';
import {runMethods} from './run-access.ts';
import {uncertainMethods} from './uncertain-access.ts';
import {type EndpointService} from '../endpoint-service.ts';
import {liveStatus} from './status-access.ts';
import {toolMethods} from './tool-access.ts';

/** What stands behind the control socket of a gateway: a caller that names no profile sees the servers, approvals, runs and calls of all, and everything else of the first. */
export function createControlHandlers(options: {
	readonly profiles: Profiles;
	readonly journal: Journal;
	readonly journalFault: () => GatewayFault | undefined;
	readonly journalState: () => JournalState;
	readonly isJournalOpen: () => boolean;
	readonly events: Pick<WebhookService, 'url' | 'routes' | 'replay' | 'deliverAgain' | 'runs'>;
	readonly endpoint: Pick<EndpointService, 'state'>;
	readonly reload: Reloads['reload'];
	readonly hold: Hold;
	readonly live: LiveSnapshot;
	readonly nodes: Pick<Nodes, 'list' | 'showOthers'>;
	readonly openConsole: OpenConsole;
	readonly onStopAsked: () => void;
}): HandlersOf {
	const {profiles} = options;
	return name => {
		const asked = profiles.find(name);
		return handlersFor(asked, {
			...options,
			first: profiles.first.name,
			named: name,
			config: () => profiles.first.context.current().config,
			listed: name === undefined ? profiles.all : [asked],
		});
	};
}

type Place = Omit<Parameters<typeof createControlHandlers>[0], 'profiles'> & {
	/** The profile the gateway was started for. */
	readonly first: string;
	/** The profile the caller named; undefined: it sees all. */
	readonly named: string | undefined;
	/** As the first profile has it: there is one journal, and one stop. */
	readonly config: () => Pick<GatewayConfig, 'journal' | 'gateway'>;
	readonly listed: readonly Profile[];
};

function handlersFor(profile: Profile, place: Place): ControlHandlers {
	const {context, tools, cron, proposals} = profile;
	const {reload, listed} = place;
	const {tools: listTools, call} = toolMethods(context, tools);
	const rules = ruleMethods(tools, {
		context,
		findTool: tools.catalogue.find,
		listUses: place.journal.listRuleUses,
	});
	const jobs = cronMethods(cron);

	return {
		status: () => statusOf(context, place),
		...holdMethods(context, place),
		reload,
		'mcp.list': () => listed.flatMap(one => one.tools.serverStatus.list().map(server => serverToJson(server))),
		'mcp.tools': listTools,
		'mcp.reconnect'({server}) {
			const connection = tools.connections.find(server);
			connection?.reconnect();
			return {answer: connection ? 'reconnecting' : 'unknown'};
		},
		...loginMethods(context, tools),
		'mcp.call': (params, {signal, sendEvent}) =>
			call(params, {
				signal,
				onWaiting: id => sendEvent(JSON.stringify({type: 'approval.waiting', id})),
				onHeld: held => held && sendEvent(JSON.stringify({type: 'hold.waiting'})),
			}),
		async 'mcp.serve'(_, {signal, takeOver}) {
			const {serveStream} = await import('../../tools/endpoint/serve-stream.ts');
			const client = takeOver();
			await serveStream(
				endpointTools({context, tools}),
				{input: client, output: client},
				{signal, report: reportTo(context)},
			);
			return {};
		},
		async 'mcp.install'({link}, {signal}) {
			// Read again: whoever holds the socket may be another version of the program.
			const install = parseInstallLink(link);
			return tools.approvals.hasConsole() ? proposals.propose(install, {signal}) : {outcome: 'unattended'};
		},
		...approvalMethods(listed),
		...questionMethods(listed, place.live),
		...refusedWithoutJournal(
			{
				...uncertainMethods(listed, place.journal),
				...runMethods(context, {...place, pending: () => pendingOf(place)}),
				...historyMethods(context, place),
			},
			place,
		),
		'calls.page': recordedCalls(context, place.journal).page,
		'rules.list': rules.list,
		'rules.test': rules.test,
		'rules.revoke': ({id}) => rules.revoke(id),
		...eventMethods(context, place),
		'cron.list': jobs.list,
		'cron.create': jobs.create,
		'cron.edit': jobs.edit,
		'cron.change': jobs.change,
		'cron.run': jobChange => jobs.run(jobChange),
		...completionMethods(profile, {...place, stored: storedEvents({...place, ...context, profile: place.named})}),
		...consoleMethods(context, place),
		'events.follow': (_, call) => followEvents(listenTo(place.named, context.eventBus), call),
	};
}

/** What waits at other gateways is counted, too. */
async function statusOf(context: Profile['context'], place: Place) {
	const {events, endpoint, nodes} = place;
	await nodes.showOthers();
	return {
		version: context.version,
		pid: process.pid,
		profile: context.paths.profile,
		webhook_url: events.url(),
		...(endpoint.state() && {endpoint: endpoint.state()}),
		...liveStatus(context, place),
	};
}

/** What attached dashboards do, and the end of the gateway. */
function consoleMethods(context: Profile['context'], {live, openConsole, onStopAsked}: Place) {
	return {
		async 'console.open'(_, {signal, takeOver}) {
			const {serveConsole} = await import('../../control/serve-console.ts');
			await serveConsole(takeOver(), {
				...context,
				live,
				openConsole: asked => openConsole({...asked, profile: context.paths.profile}),
				signal,
				onOpened: ({number}, claim) => context.publish(openedLog(number, claim)),
			});
			return {};
		},
		stop() {
			onStopAsked();
			return {};
		},
	} satisfies Partial<ControlHandlers>;
}

function openedLog(
	number: number,
	{mode, terminal}: {readonly mode: ConsoleMode; readonly terminal: string},
): GatewayEventBody {
	const attached = `${consoleName(number)} attached${mode === 'read-only' ? ', read-only' : ''}`;
	const text = [attached, claimed('terminal', terminal, {maximumCharacters: 200})].filter(Boolean).join('; ');
	return {type: 'log', level: 'info', area: 'console', text};
}

/** The requests that wait for a person now. */
function pendingOf({listed}: Place): readonly ApprovalRequest[] {
	return listed.flatMap(({tools}) => tools.requests.approvals());
}

/** The stored events. */
function historyMethods({redactor, clock}: Profile['context'], place: Place) {
	const {journal, events, named} = place;
	const stored = storedEvents({journal, clock, redactor, profile: named, pending: () => pendingOf(place)});
	return {
		'events.list': stored.list,
		'events.show': ({id}) => stored.show(id),
		async 'events.replay'({id}) {
			const {eventId, status, name, reason} = await events.replay(id);
			return {event_id: eventId, status, outcome: name, reason};
		},
	} satisfies Partial<ControlHandlers>;
}

/** These methods, refused while the journal cannot be used: it finds nothing then, which would read as if nothing were stored. */
function refusedWithoutJournal<Methods extends Partial<ControlHandlers>>(
	methods: Methods,
	{isJournalOpen, journalFault}: Pick<Place, 'isJournalOpen' | 'journalFault'>,
): Methods {
	const guarded = Object.entries(methods).map(([name, method]) => [
		name,
		(...asked: readonly unknown[]) => {
			if (!isJournalOpen()) {
				throw new Problem('storage_unavailable', journalFault());
			}

			return Reflect.apply(method, undefined, asked);
		},
	]);
	return Object.fromEntries(guarded);
}

/** What is done with routes and deliveries. */
function eventMethods({redactor, paths}: Profile['context'], place: Place) {
	const {journal, events, listed, first} = place;
	return {
		// Routes stand in the file of the first profile alone.
		'webhook.list': async () =>
			paths.profile === first ? (await events.routes()).map(row => routeRowToJson(row)) : null,
		async 'events.deliver'({id}) {
			const result = await events.deliverAgain(id);
			const reason = result.kind === 'delivered' ? null : (result.problem.detail ?? result.problem.message);
			const outcome = result.kind === 'uncertain' ? 'outcome_uncertain' : result.kind;
			return {event_id: id, outcome, reason: reason && redactor.redact(safeText(reason))};
		},
		'deliveries.failed': async () =>
			(await listFailedDeliveries(journal, first))
				.filter(({profile}) => listed.some(({name}) => name === profile))
				.map(failedDeliveryToJson),
	} satisfies Partial<ControlHandlers>;
}

/** The listening to one profile alone; without a name, to all. */
function listenTo(profile: string | undefined, {followAll}: Pick<EventBus, 'followAll'>): EventBus['listen'] {
	return profile === undefined
		? followAll
		: listener => followAll(event => event.profile === profile && listener(event));
}

/** Sends every event from now on to the caller, until it goes away or the gateway stops. The handler of `events.follow`. */
export function followEvents(
	listen: EventBus['listen'],
	call: Pick<ControlCall, 'signal' | 'sendEvent'>,
): Promise<Record<string, never>> {
	return new Promise(resolve => {
		const end = listen(event => call.sendEvent(eventJson(event)));
		const onAbort = () => {
			end();
			resolve({});
		};

		if (call.signal.aborted) {
			onAbort();
		} else {
			call.signal.addEventListener('abort', onAbort, {once: true});
		}
	});
}
