import {type TimedHold} from '../../approvals/hold.ts';
import {createPreapproval} from '../../approvals/preapproval.ts';
import {type RememberedRules} from '../../approvals/remembered-rules.ts';
import {type StoredRules, withStored} from '../../approvals/stored-rules.ts';
import {type Journal} from '../../journal/journal.ts';
import {type Connections, type ReloadSummary} from '../../mcp/connections.ts';
import {type Complete} from '../../mcp/server-requests/sampling-request.ts';
import {serverAddress} from '../../mcp/transport/server-address.ts';
import {type BrowserPlace} from '../../state/console-state.ts';
import {type CallBuiltIn, createCallBuiltIn} from '../../tools/call-built-in.ts';
import {type DecideHook, createDecideHook} from '../../tools/decide-hook.ts';
import {type CallClaims} from '../../tools/claim-call.ts';
import {type RuleState} from '../../tools/call-rules.ts';
import {type CallTool, type CallToolOptions, createCallTool} from '../../tools/call-tool.ts';
import {createRunningCalls, type RunningCalls} from '../../tools/running-calls.ts';
import {type Catalogue, createCatalogue} from '../../tools/catalogue.ts';
import {createMediaFolder} from '../../tools/media-folder.ts';
import {createServerNotices, type ServerNotices} from '../../tools/server-notices.ts';
import {type CallConnection} from '../../tools/validate-call.ts';
import {createUncertainCalls, type UncertainCalls} from '../../tools/uncertain-calls.ts';
import {type Clock, openDeadline} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {
	createPersonRequests,
	createCallClaims,
	type OtherGateways,
	type PersonRequests,
} from '../stores/person-requests.ts';
import {createProfilePins, createProfileRules, createProfileStoredRules} from '../stores/rule-store.ts';
import {createProfileConnections} from './profile-connections.ts';
import {openFirstLogin} from './first-login.ts';
import {type LoginService, type LoginServiceOptions, openLoginService} from './login-service.ts';
import {type OpenProfile} from '../documents/open-profile.ts';
import {openToolTokens, type ToolTokens} from './tool-tokens.ts';
import {openRehearsals, type Rehearse} from './rehearsals.ts';
import {serverRequestTargets} from './server-request-targets.ts';
import {createBrokenServers, createServerStatusList, createToolCounts, type ServerStatusList} from './server-status.ts';

/** Everything a tool call goes through. */
export type ToolService = PersonRequests & {
	readonly rules: RememberedRules;
	readonly storedRules: StoredRules;
	readonly listRuleUses: Journal['listRuleUses'];
	readonly countAsked: Journal['countAsked'];
	readonly listCalls: Journal['listCalls'];
	readonly findCall: Journal['findCall'];
	readonly rehearse: Rehearse;
	readonly hold: TimedHold;
	readonly catalogue: Catalogue;
	/** The changes that servers announce, besides those of their tools. */
	readonly notices: ServerNotices;
	readonly connections: Connections;
	readonly serverStatus: ServerStatusList;
	readonly tokens: Omit<ToolTokens, 'close'>;
	readonly logins: LoginService;
	/** A person is there, to be asked and to log in; the returned function says that they left. */
	readonly addConsole: (browser?: BrowserPlace) => () => void;
	readonly callTool: CallTool;
	readonly callBuiltIn: CallBuiltIn;
	/** Decides about calls that programs make themselves. */
	readonly decideHook: DecideHook;
	readonly running: RunningCalls;
	readonly uncertain: UncertainCalls;
	/** The only way to the tools for a caller who answers the approval himself. */
	readonly callWithConsent: CallTool;
	/** Connects, keeps and drops servers until they are those of the current configuration. */
	readonly apply: () => ReloadSummary;
	/** Resolves when the servers of the first `apply` have connected or failed, or have had enough time to. */
	readonly firstSettled: () => Promise<void>;
	/** Cancels what waits for a person and stops every server. */
	readonly stop: () => Promise<void>;
};

const alone: OtherGateways = {node: () => undefined, hasConsoleElsewhere: () => false, clockAhead: () => 0};

/** The parts that a tool service gets from the gateway. */
export type ToolServiceOptions = {
	/** The hold, checked before each call is sent. */
	readonly hold: TimedHold;
	/** Gateways that share the journal; absent: none. */
	readonly others?: OtherGateways;
	/** The configured model, for servers that ask it; absent, or while it answers undefined, sampling is not declared. */
	readonly complete?: () => Complete | undefined;
	/** Counts a call of a client, or rejects with `limit_reached`; absent: there are no limits. */
	readonly countCall?: CallToolOptions['countCall'];
	/** Check of a client document; default: fetch it. */
	readonly checkDocument?: LoginServiceOptions['checkDocument'];
};

/** The time after a start in which servers connect for the first time. */
type FirstSettled = {
	/** The servers connect now. Later calls change nothing. */
	readonly begin: () => void;
	/** Resolves when each has connected or failed, or when they were given enough time. */
	readonly over: () => Promise<void>;
};

/** A caller that asks once and never again should see the tools of servers that take a moment to connect. */
const settlingMilliseconds = 10_000;

/** Builds the tool service; nothing connects before `apply`. */
export function openToolService(
	context: OpenProfile,
	journal: Journal,
	{hold, others = alone, complete = () => undefined, countCall, checkDocument}: ToolServiceOptions,
): ToolService {
	const {clock, publish, paths, current} = context;
	const serverStatus = createServerStatusList(paths.profile);
	const endNotes = context.eventBus.listen(serverStatus.note);
	// A rule stored by another process may decide requests that wait.
	const endEvaluating = context.documents.onChange('approval-rules', () => void approvals.evaluateAgain());
	const rules = createProfileRules(context);
	const storedRules = createProfileStoredRules(context);
	const person = createPersonRequests(context, {...others, journal, time: hold.time});
	const {approvals, questions, requests} = person;
	const claims = createCallClaims(context, {...others, journal});
	const asked = serverRequestTargets(context, {questions, approvals, rules, journal, claims, complete, hold});
	const {catalogue, tokens, toolCounts} = openCatalogue(context, server => connections.find(server)?.refresh());
	const logins = openLoginService(context, {onLoggedIn: name => connections.find(name)?.reconnect(), checkDocument});
	const firstLogin = openFirstLogin(context, logins);
	const registry = {catalogue, notices: createServerNotices()};
	const connections: Connections = createProfileConnections(context, {...registry, toolCounts, asked, logins});
	const broken = createBrokenServers(publish);
	const firstSettled = createFirstSettled(clock, connections);
	const rehearsals = openRehearsals({context, journal, catalogue});

	const parts = {claims, journal, rules, storedRules, hold, catalogue, connections, countCall};
	const callOptions = openCallOptions(context, parts);
	return {
		...person,
		...openCalls(context, callOptions, approvals),
		rules,
		storedRules,
		...callReads(journal),
		rehearse: rehearsals.rehearse,
		hold,
		...registry,
		connections,
		serverStatus,
		tokens,
		logins,
		addConsole: browser => endBoth(approvals.addConsole(), firstLogin.addPerson(browser)),
		firstSettled: firstSettled.over,
		apply() {
			const {servers, brokenServers} = current().config;
			const summary = connections.apply(servers);
			firstSettled.begin();
			toolCounts.bringUpToDate();
			withdrawOfGone(summary, {approvals, questions});
			void approvals.evaluateAgain();
			broken.apply(brokenServers, servers);
			return summary;
		},
		async stop() {
			rehearsals.close();
			tokens.close();
			endEvaluating();
			approvals.close();
			firstLogin.close();
			await logins.stop();
			questions.close();
			requests.close();
			await connections.stop();
			await logins.over();
			endNotes();
		},
	};
}

/** The ways to a tool, by who is asked and who makes the call. */
function openCalls(
	{publish, clock}: OpenProfile,
	callOptions: ReturnType<typeof openCallOptions>,
	{ask}: Pick<PersonRequests['approvals'], 'ask'>,
) {
	const callTool = createCallTool({...callOptions, ask});
	const callWithConsent = createCallTool({...callOptions, ask: createPreapproval({publish, clock, by: 'cli'})});
	return {
		callTool,
		callWithConsent,
		callBuiltIn: createCallBuiltIn({...callOptions, ask}),
		decideHook: createDecideHook({...callOptions, ask}),
		uncertain: createUncertainCalls({...callOptions, callTool, callWithConsent}),
		running: callOptions.running,
	};
}

/** The registered tools, with their numbers and tokens for the rows of servers. `refresh` shows a row again. */
function openCatalogue(context: OpenProfile, refresh: (server: string) => void) {
	const catalogue = createCatalogue(() => context.current().config.servers.map(server => server.name));
	const tokens = openToolTokens(context, catalogue, () => toolCounts.bringUpToDate());
	const toolCounts = createToolCounts(catalogue, tokens.sum, refresh);
	return {catalogue, tokens, toolCounts, close: tokens.close};
}

function callReads({listRuleUses, countAsked, listCalls, findCall}: Journal) {
	return {listRuleUses, countAsked, listCalls, findCall};
}

/** A call to a server that is gone has nobody to run it. */
function withdrawOfGone(
	{removed, reconnected}: ReloadSummary,
	{approvals, questions}: Pick<ToolService, 'approvals' | 'questions'>,
): void {
	const isGone = (server: string) => removed.includes(server) || reconnected.includes(server);
	approvals.withdraw(request => isGone(request.server));
	questions.withdraw(request => request.kind !== 'clarify' && isGone(request.asker));
}

/** Opens the parts that each call needs, by whichever approval. */
function openCallOptions(
	context: OpenProfile,
	parts: Pick<ToolService, 'rules' | 'storedRules' | 'hold' | 'catalogue' | 'connections'> & {
		readonly journal: Journal;
		readonly claims: CallClaims;
		readonly countCall: CallToolOptions['countCall'];
	},
) {
	const {clock, publish, paths, redactor} = context;
	const {journal, claims, rules, storedRules, hold, catalogue, connections, countCall} = parts;
	return {
		claims,
		countCall,
		running: createRunningCalls(clock),
		clock,
		publish,
		profile: paths.profile,
		journal,
		rules,
		hold,
		ruleState(): RuleState {
			const {rules: configured} = context.current().config;
			return configured.kind === 'invalid'
				? configured
				: {kind: 'valid', rules: withStored(configured.rules, storedRules.list())};
		},
		pins: createProfilePins(context),
		listTools: catalogue.list,
		addressOf,
		partsOf: redactor.partsOf,
		findTool: catalogue.find,
		findConnection: connections.find,
		saveMedia: createMediaFolder(paths.media),
	};
}

/** The command line or address of what a call reaches, safe to show. */
function addressOf({transport}: CallConnection['config']): string {
	if (transport.kind === 'built-in') {
		return 'a part of Sluice';
	}

	return safeText(transport.kind === 'hook' ? transport.address : serverAddress(transport));
}

/** Watches the first connects of a profile. */
function createFirstSettled(clock: Clock, connections: Pick<Connections, 'settled'>): FirstSettled {
	const settled = Promise.withResolvers<void>();
	let phase: 'waiting' | 'begun' = 'waiting';
	return {
		begin() {
			if (phase === 'waiting') {
				phase = 'begun';
				const reason = () => new Problem('connect_timeout');
				const deadline = openDeadline(clock, settlingMilliseconds, {reason});
				settled.resolve(connections.settled(deadline.signal).finally(deadline.cancel));
			}
		},
		over: () => settled.promise,
	};
}

function endBoth(first: () => void, second: () => void): () => void {
	return () => {
		first();
		second();
	};
}
