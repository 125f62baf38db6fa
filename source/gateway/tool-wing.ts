import {parse} from 'node:path';
import {createConsent} from '../approvals/consent.ts';
import {createDesk, type Desk} from '../approvals/desk.ts';
import {createQuestionDesk, type QuestionDesk} from '../approvals/question-desk.ts';
import {type RememberedRules} from '../approvals/remembered-rules.ts';
import {openJsonStore} from '../config/json-store.ts';
import {type ServerConfig} from '../config/server-entry.ts';
import {type Journal} from '../journal/journal.ts';
import {type Complete} from '../mcp/completion.ts';
import {type Connections, createConnections, type ReloadSummary} from '../mcp/connections.ts';
import {openSchemaCache, type SchemaCache, schemaCacheFileSchema} from '../mcp/schema-cache.ts';
import {type AskedParties} from '../mcp/server-answerers.ts';
import {serverAddress} from '../mcp/server-address.ts';
import {type Publish} from '../state/event.ts';
import {type CallTool, createCallTool} from '../tools/call-tool.ts';
import {type Catalogue, createCatalogue} from '../tools/catalogue.ts';
import {createMediaFolder} from '../tools/media-folder.ts';
import {createRunningCalls, type RunningCalls} from '../tools/running-calls.ts';
import {createUncertainCalls, type UncertainCalls} from '../tools/uncertain-calls.ts';
import {type Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {askedParties} from './asked-parties.ts';
import {createFirstSettled} from './first-settled.ts';
import {type Foundation} from './foundation.ts';
import {openFirstLogin} from './first-login.ts';
import {type LoginWing, type LoginWingOptions, openLoginWing} from './login-wing.ts';
import {createToolStandings, type ToolStandings} from './tool-standings.ts';
import {openRules} from './open-rules.ts';
import {createBrokenServers, createServerBoard, type ServerBoard} from './server-board.ts';

/** Everything a tool call walks through. */
export type ToolWing = {
	readonly desk: Desk;
	readonly questions: QuestionDesk;
	readonly rules: RememberedRules;
	readonly catalogue: Catalogue;
	readonly connections: Connections;
	readonly board: ServerBoard;
	readonly logins: LoginWing;
	/** A person is there; the returned function says that they left. */
	readonly attachConsole: () => () => void;
	readonly callTool: CallTool;
	readonly running: RunningCalls;
	readonly uncertain: UncertainCalls;
	/** The same door for a caller who answers the approval himself. */
	readonly callWithConsent: CallTool;
	/** Connects, keeps and drops servers until they are those of the current configuration. */
	readonly apply: () => ReloadSummary;
	/** Resolves when the servers of the first `apply` have connected or failed, or have had enough time to. */
	readonly firstSettled: () => Promise<void>;
	/** Cancels what waits for a person and stops every server. */
	readonly stop: () => Promise<void>;
};

/** What a tool wing takes from elsewhere. */
export type ToolWingOptions = {
	/** The configured model, for servers that ask it; absent, or while it answers undefined, sampling is not declared. */
	readonly complete?: () => Complete | undefined;
	/** How client documents are checked; default: they are fetched. */
	readonly checkDocument?: LoginWingOptions['checkDocument'];
};

/** Builds the tool wing; nothing connects before `apply`. */
export function openToolWing(foundation: Foundation, journal: Journal, options: ToolWingOptions = {}): ToolWing {
	const {clock, publish, paths, current} = foundation;
	const board = createServerBoard(paths.profile);
	const endNotes = foundation.hall.listen(board.note);
	const rules = openRules(foundation);
	const desk = createDesk({clock, publish, settings: liveApprovals(foundation)});
	const questions = createQuestionDesk({clock, publish, hasConsole: desk.hasConsole});
	const {complete = () => undefined, checkDocument} = options;
	const asked = askedParties(foundation, {questions, desk, rules, journal, complete});
	const catalogue = createCatalogue(() => current().config.servers.map(server => server.name));
	const standings = createToolStandings(catalogue, server => connections.find(server)?.refresh());
	const onLoggedIn = (server: string) => connections.find(server)?.reconnect();
	const logins = openLoginWing(foundation, {onLoggedIn, checkDocument});
	const firstLogin = openFirstLogin(foundation, logins, desk);
	const connections: Connections = openConnections(foundation, {catalogue, standings, asked, logins});
	const broken = createBrokenServers(publish);
	const firstSettled = createFirstSettled(clock, connections);

	const running = createRunningCalls(clock);
	const door = {
		running,
		clock,
		publish,
		profile: paths.profile,
		journal,
		rules,
		addressOf: (config: ServerConfig) => serverAddress(config.transport),
		findTool: catalogue.find,
		findConnection: connections.find,
		saveMedia: createMediaFolder(paths.media),
	};

	const callTool = createCallTool({...door, ask: desk.ask});
	return {
		questions,
		running,
		uncertain: createUncertainCalls({...door, callTool}),
		desk,
		rules,
		catalogue,
		connections,
		board,
		logins,
		attachConsole: firstLogin.attachConsole,
		callTool,
		firstSettled: firstSettled.over,
		callWithConsent: createCallTool({...door, ask: createConsent({publish, by: 'command line'})}),
		apply() {
			const {servers, brokenServers} = current().config;
			const summary = connections.apply(servers);
			firstSettled.begin();
			standings.bringUpToDate();
			// A call to a server that is gone has nobody to run it.
			const isGone = (server: string) => summary.removed.includes(server) || summary.reconnected.includes(server);
			desk.withdraw(card => isGone(card.server));
			questions.withdraw(card => card.kind === 'elicitation' && isGone(card.asker));
			broken.apply(brokenServers, servers);
			return summary;
		},
		async stop() {
			desk.close();
			firstLogin.close();
			await logins.stop();
			questions.close();
			await connections.stop();
			await logins.over();
			endNotes();
		},
	};
}

const toldTools = 20;

/** The log has the first few; a server may offer thousands of tools that cannot be registered. */
function tellUnregistered(
	server: string,
	{problems, publish}: {readonly problems: readonly Problem[]; readonly publish: Publish},
): void {
	const rest = problems.length - toldTools;
	const more = rest > 0 ? [`${rest} more tools of ${safeText(server)} are not registered`] : [];
	for (const text of [...problems.slice(0, toldTools).map(problem => problem.message), ...more]) {
		publish({type: 'log', level: 'warning', area: 'tools', text});
	}
}

function openSchemas(path: string): SchemaCache {
	const {dir: directory, name} = parse(path);
	return openSchemaCache(openJsonStore({directory, name, schema: schemaCacheFileSchema, fallback: {}}));
}

/** Settings are read at every request, so that a reload is felt by the next call. */
function liveApprovals({current}: Foundation) {
	return {
		get timeoutSeconds() {
			return current().config.approvals.timeoutSeconds;
		},
		get unattended() {
			return current().config.approvals.unattended;
		},
	};
}

function openConnections(
	foundation: Foundation,
	parts: {
		readonly catalogue: Catalogue;
		readonly standings: ToolStandings;
		readonly asked: AskedParties;
		readonly logins: LoginWing;
	},
): Connections {
	const {catalogue, standings, asked, logins} = parts;
	const {clock, publish, paths, environment, expand, version, redactor} = foundation;
	return createConnections({
		clock,
		publish,
		expand,
		environment: environment.variables,
		schemaCache: openSchemas(paths.schemaCache),
		serverLogDirectory: paths.serverLogs,
		clean: redactor.clean,
		version,
		loginOf: logins.loginOf,
		asked,
		standing: standings.of,
		onOffer(config, offer) {
			if (offer) {
				tellUnregistered(config.name, {problems: catalogue.register(config, offer), publish});
			} else {
				catalogue.unregister(config.name);
			}

			// Names that this server takes or gives back are those of others; its own row follows by itself.
			standings.bringUpToDate({except: config.name});
		},
	});
}
