import {once} from 'node:events';
import {chmodSync} from 'node:fs';
import {createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import {onTestFinished} from '../helpers/on-test-finished.ts';
import {controlProtocol} from '../../source/control/limits.ts';
import {emptySnapshot} from '../../source/state/snapshot.ts';
import {isJsonObject, type JsonObject, parseJson} from '../../source/util/json-text.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {connectBare} from './control-fixture.ts';

/** A line of JSON. */
export const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** The first message of a gateway of this protocol, with nothing in it. */
export const noteOf = (event: unknown): string => lineOf({id: 1, event});
export const openedLine = noteOf({kind: 'opened', number: 1, pid: process.pid});
export const emptyLine = noteOf({kind: 'snapshot', snapshot: emptySnapshot});

/** A console without a program around it: everything it was sent, and what has been sent of one kind. */
export type BareConsole = {
	readonly socket: Socket;
	readonly sent: (kind: string) => readonly JsonObject[];
	/** Resolves with the first message of that kind. */
	readonly first: (kind: string) => Promise<JsonObject>;
	/** Resolves with the first event of that type. */
	readonly event: (type: string) => Promise<JsonObject>;
	/** Resolves with the reply to the request of that id. */
	readonly reply: (id: number) => Promise<JsonObject>;
	readonly closed: Promise<void>;
};

/** Opens a console by hand at the control socket at `path`. */
export async function openBareConsole(path: string, mode: 'deciding' | 'read-only' = 'deciding'): Promise<BareConsole> {
	const {socket, text} = connectBare(path);
	const closed = once(socket, 'close').then(() => undefined);
	const params = {mode, terminal: 'a test', browser: 'nowhere'};
	socket.write(lineOf({id: 1, protocol: controlProtocol, method: 'console.open', params}));
	const lines = () =>
		text()
			.split('\n')
			.map(line => parseJson(line))
			.filter(isJsonObject);
	const sent = (kind: string) =>
		lines()
			.map(({event}) => event)
			.filter(isJsonObject)
			.filter(message => message['kind'] === kind);
	const until = async (find: () => JsonObject | undefined) => {
		for (;;) {
			const found = find();
			if (found) {
				return found;
			}

			await once(socket, 'data');
		}
	};

	const reply = (id: number) => until(() => lines().find(line => line['id'] === id && !('event' in line)));
	const first = (kind: string) => until(() => sent(kind)[0]);
	const event = (type: string) =>
		until(() =>
			sent('events')
				.flatMap(({events}) => (Array.isArray(events) ? (events as readonly JsonObject[]) : []))
				.find(one => one['type'] === type),
		);

	await first('snapshot');
	return {socket, sent, first, event, reply, closed};
}

/**
A gateway that hands every console the same text, in a directory of its own or at `path`. `protocol`: what it says it speaks; a request of any other
is refused as a real one does.
*/
export async function startOddConsoles(options: {
	readonly text: string | Buffer;
	readonly path?: string;
	readonly afterwards?: 'stay' | 'hang up';
}): Promise<{readonly path: string; readonly opened: () => number; readonly send: (text: string) => void}> {
	const path = options.path ?? join(temporaryDirectory(), 'control.sock');
	const sockets = new Set<Socket>();
	let opened = 0;
	const server = createServer(socket => {
		sockets.add(socket);
		socket.on('error', () => undefined);
		socket.once('data', () => {
			opened++;
			socket.write(options.text);
			if (options.afterwards === 'hang up') {
				socket.end();
			}
		});
	}).listen(path);
	await once(server, 'listening');
	chmodSync(path, 0o600);
	onTestFinished(async () => {
		sockets.forEach(socket => socket.destroy());
		await new Promise(resolve => server.close(resolve));
	});
	return {path, opened: () => opened, send: text => sockets.forEach(socket => socket.write(text))};
}
