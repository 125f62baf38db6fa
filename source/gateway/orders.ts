import {addServer, enableWebhooks, setServerEnabled} from '../config/edit-config.ts';
import {type Command, type NewServer, type Send} from '../state/command.ts';
import {type JsonObject} from '../util/json-text.ts';
import {toProblem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type EventWing} from './event-wing.ts';
import {type Foundation} from './foundation.ts';
import {type ToolWing} from './tool-wing.ts';

/** What orders act on. */
export type OrderTargets = {
	readonly foundation: Foundation;
	readonly tools: Pick<ToolWing, 'desk' | 'connections'>;
	readonly events: Pick<EventWing, 'runs'>;
	readonly reload: () => Promise<unknown>;
	/** Orders about the process itself: they belong to whoever started the gateway. */
	readonly leave: (order: Extract<Command, {type: 'stop' | 'start-demo'}>) => void;
};

/** Builds the receiver of a person's orders. An order that cannot be carried out is told as a log event. */
export function createOrders(targets: OrderTargets): Send {
	const {publish} = targets.foundation;
	return command => {
		carryOut(command, targets).catch((caught: unknown) => {
			const {message, detail} = toProblem(caught);
			const text = safeText(detail ? `${message} (${detail})` : message);
			publish({type: 'log', level: 'error', area: 'orders', text});
		});
	};
}

async function carryOut(command: Command, targets: OrderTargets): Promise<void> {
	const {foundation, tools, events, reload, leave} = targets;
	switch (command.type) {
		case 'answer-approval':
			tools.desk.answer({...command, by: 'dashboard'});
			return;
		case 'reconnect-server':
			tools.connections.find(command.server)?.reconnect();
			return;
		case 'set-server-enabled':
			await setServerEnabled(foundation.paths, command.server, command.enabled);
			await reload();
			return;
		case 'add-server':
			await addServer(foundation.paths, {name: command.server.name, entry: serverEntry(command.server)});
			await reload();
			return;
		case 'enable-webhooks':
			await enableWebhooks(foundation.paths);
			await reload();
			return;
		case 'reload':
			await reload();
			return;
		case 'close-inbox-item':
			await events.runs.closeInboxItem(command.runId);
			return;
		case 'start-demo':
		case 'stop':
			leave(command);
	}
}

/** A server somebody just typed is a stranger: it asks before it writes (spec/mcp-servers.md, Trust rules). */
function serverEntry(server: NewServer): JsonObject {
	switch (server.kind) {
		case 'stdio':
			return {command: server.command, args: server.args, trust: 'untrusted'};
		case 'http':
			return {url: server.url, trust: 'untrusted'};
	}
}
