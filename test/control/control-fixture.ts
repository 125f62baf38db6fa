import {createConnection, type Socket} from 'node:net';
import {join} from 'node:path';
import {onTestFinished} from '../helpers/on-test-finished.ts';
import {connectControl, type ControlClient} from '../../source/control/client.ts';
import {type ControlHandlers} from '../../source/control/methods.ts';
import {type ControlServer, openControlServer} from '../../source/control/server.ts';
import {type Clock, systemClock} from '../../source/util/clock.ts';
import {Problem} from '../../source/util/problem.ts';
import {recordEvents, type RecordedEvents} from '../helpers/record-events.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const notAsked = () => {
	throw new Problem('internal');
};

/** Handlers that refuse everything; a test replaces those it needs. */
export const refusingHandlers: ControlHandlers = {
	status: notAsked,
	'gateway.faults': notAsked,
	reload: notAsked,
	'mcp.list': notAsked,
	'mcp.tools': notAsked,
	'mcp.reconnect': notAsked,
	'mcp.login': notAsked,
	'mcp.login.finish': notAsked,
	'mcp.logins': notAsked,
	'mcp.logout': notAsked,
	'mcp.call': notAsked,
	'mcp.serve': notAsked,
	'mcp.install': notAsked,
	'approvals.list': notAsked,
	'approvals.show': notAsked,
	'approvals.allow': notAsked,
	'approvals.deny': notAsked,
	'completion.names': notAsked,
	'console.open': notAsked,
	stop: notAsked,
	hold: notAsked,
	'hold.show': notAsked,
	unhold: notAsked,
	'questions.list': notAsked,
	'questions.show': notAsked,
	'questions.answer': notAsked,
	'uncertain.list': notAsked,
	'uncertain.show': notAsked,
	'uncertain.resolve': notAsked,
	'uncertain.repeat': notAsked,
	'runs.list': notAsked,
	'runs.show': notAsked,
	'runs.start': notAsked,
	'runs.cancel': notAsked,
	'runs.answer': notAsked,
	'calls.list': notAsked,
	'calls.page': notAsked,
	'calls.show': notAsked,
	'rules.list': notAsked,
	'rules.test': notAsked,
	'rules.revoke': notAsked,
	'webhook.list': notAsked,
	'events.list': notAsked,
	'events.show': notAsked,
	'events.replay': notAsked,
	'events.deliver': notAsked,
	'deliveries.failed': notAsked,
	'cron.list': notAsked,
	'cron.create': notAsked,
	'cron.edit': notAsked,
	'cron.change': notAsked,
	'cron.run': notAsked,
	'events.follow': notAsked,
};

/** A real control server in a fresh directory. */
export async function startControl(
	handlers: Partial<ControlHandlers>,
	clock: Clock = systemClock,
): Promise<{path: string; server: ControlServer; recorded: RecordedEvents}> {
	const path = join(temporaryDirectory(), 'control.sock');
	const recorded = recordEvents();
	const server = await openControlServer({
		path,
		clock,
		publish: recorded.publish,
		handlersOf: () => ({...refusingHandlers, ...handlers}),
	});
	onTestFinished(server.close);
	return {path, server, recorded};
}

/** A client that must find a gateway. */
export async function connectTo(path: string): Promise<ControlClient> {
	const client = await connectControl({path, clock: systemClock});
	if (!client) {
		throw new Error('No gateway was found');
	}

	onTestFinished(client.close);
	return client;
}

/** A bare socket that collects what it is sent. */
export function connectBare(path: string): {socket: Socket; text: () => string} {
	const socket = createConnection(path);
	let text = '';
	socket.on('data', chunk => (text += String(chunk)));
	socket.on('error', () => undefined);
	onTestFinished(() => void socket.destroy());
	return {socket, text: () => text};
}
