import {createConsent} from '../approvals/consent.ts';
import {createDesk, type Desk} from '../approvals/desk.ts';
import {type RememberedRules} from '../approvals/remembered-rules.ts';
import {type ServerConfig} from '../config/server-entry.ts';
import {type Journal} from '../journal/journal.ts';
import {type Connections, createConnections, type ReloadSummary} from '../mcp/connections.ts';
import {serverAddress} from '../mcp/server-address.ts';
import {type CallTool, createCallTool} from '../tools/call-tool.ts';
import {type Catalogue, createCatalogue} from '../tools/catalogue.ts';
import {createMediaFolder} from '../tools/media-folder.ts';
import {type Foundation} from './foundation.ts';
import {openRules} from './open-rules.ts';
import {createBrokenServers, createServerBoard, type ServerBoard} from './server-board.ts';

/** Everything a tool call walks through. */
export type ToolWing = {
	readonly desk: Desk;
	readonly rules: RememberedRules;
	readonly catalogue: Catalogue;
	readonly connections: Connections;
	readonly board: ServerBoard;
	readonly callTool: CallTool;
	/** The same door for a caller who answers the approval himself. */
	readonly callWithConsent: CallTool;
	/** Connects, keeps and drops servers until they are those of the current configuration. */
	readonly apply: () => ReloadSummary;
	/** Cancels what waits for a person and stops every server. */
	readonly stop: () => Promise<void>;
};

/** Builds the tool wing; nothing connects before `apply`. */
export function openToolWing(foundation: Foundation, journal: Journal): ToolWing {
	const {clock, publish, paths, current} = foundation;
	const board = createServerBoard();
	const endNotes = foundation.hall.listen(board.note);
	const rules = openRules(foundation);
	const desk = createDesk({clock, publish, settings: liveApprovals(foundation)});
	const catalogue = createCatalogue(() => current().config.servers.map(server => server.name));
	const connections = openConnections(foundation, catalogue);
	const broken = createBrokenServers(publish);

	const door = {
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

	return {
		desk,
		rules,
		catalogue,
		connections,
		board,
		callTool: createCallTool({...door, ask: desk.ask}),
		callWithConsent: createCallTool({...door, ask: createConsent({publish, by: 'command line'})}),
		apply() {
			const {servers, brokenServers} = current().config;
			const summary = connections.apply(servers);
			// A call to a server that is gone has nobody to run it.
			desk.withdraw(card => summary.removed.includes(card.server) || summary.reconnected.includes(card.server));
			broken.apply(brokenServers, servers);
			return summary;
		},
		async stop() {
			desk.close();
			await connections.stop();
			endNotes();
		},
	};
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

function openConnections(foundation: Foundation, catalogue: Catalogue): Connections {
	const {clock, publish, paths, environment, expand, version} = foundation;
	return createConnections({
		clock,
		publish,
		expand,
		environment: environment.variables,
		serverLogDirectory: paths.serverLogs,
		version,
		onOffer(config, offer) {
			if (!offer) {
				catalogue.unregister(config.name);
				return 0;
			}

			for (const problem of catalogue.register(config, offer)) {
				publish({type: 'log', level: 'warning', area: 'tools', text: problem.message});
			}

			return catalogue.countOf(config.name);
		},
	});
}
