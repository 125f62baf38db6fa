import {createConnection, type Socket} from 'node:net';
import {join} from 'node:path';
import {onTestFinished} from '../helpers/on-test-finished.ts';
import {connectControl, type ControlClient} from '../../source/control/client.ts';
import {type GatewayHandlers, methods} from '../../source/control/methods.ts';
import {type ConsoleParts} from '../../source/control/serve-console.ts';
import {emptySnapshot} from '../../source/state/snapshot.ts';
import {type ControlServer, openControlServer} from '../../source/control/server.ts';
import {type Clock, systemClock} from '../../source/util/clock.ts';
import {Problem} from '../../source/util/problem.ts';
import {recordEvents, type RecordedEvents} from '../helpers/record-events.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const notAsked = () => {
	throw new Problem('internal');
};

/** Handlers that refuse everything, so that the result of none matters; a test replaces those it needs. */
export const refusingHandlers = Object.fromEntries(
	Object.keys(methods).map(name => [name, notAsked]),
) as unknown as GatewayHandlers;

/** A gateway that opens no consoles. */
export const noConsoles: ConsoleParts = {
	live: {current: () => emptySnapshot},
	eventBus: {listenToAll: () => () => undefined},
	openConsole: notAsked,
	onOpened: () => undefined,
};

/** A real control server in a fresh directory. */
export async function startControl(
	handlers: Partial<GatewayHandlers>,
	{clock = systemClock, consoles = noConsoles}: {readonly clock?: Clock; readonly consoles?: ConsoleParts} = {},
): Promise<{path: string; server: ControlServer; recorded: RecordedEvents}> {
	const path = join(temporaryDirectory(), 'control.sock');
	const recorded = recordEvents();
	const server = await openControlServer({
		path,
		clock,
		publish: recorded.publish,
		handlersOf: () => ({...refusingHandlers, ...handlers}),
		consoles,
	});
	onTestFinished(server.close);
	return {path, server, recorded};
}

/** A client that must find a gateway. */
export async function connectTo(path: string, clock: Clock = systemClock): Promise<ControlClient> {
	const client = await connectControl({path, clock});
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
