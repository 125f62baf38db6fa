import {type Socket} from 'node:net';
import {type MethodName, type ParamsOf} from '../state/api.ts';
import {untilAborted} from '../util/clock.ts';
import {isJsonObject, type JsonObject, ownMember, parseJson} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';
import {connectSocket} from './connect-socket.ts';
import {controlProtocol, maximumLineBytes} from './limits.ts';
import {createLineReader} from './line-reader.ts';

/**
Calls one method on a connection of its own. It loads no schema, because a hook runs before every call of a program: the caller reads the result itself.
Undefined: no gateway listens at `path`. Rejects with `control_failed` where the gateway refuses or cannot be understood, else with the reason of the
signal, which ends the connection and with it the call.
*/
export async function callOnce<Name extends MethodName>(
	path: string,
	request: {readonly method: Name; readonly params: ParamsOf<Name>; readonly profile?: string | undefined},
	signal: AbortSignal,
): Promise<JsonObject | undefined> {
	const socket = await connectSocket(path);
	if (!socket) {
		return undefined;
	}

	try {
		const answer = readAnswer(socket);
		socket.write(`${JSON.stringify({id: 1, protocol: controlProtocol, ...request})}\n`);
		return resultOf(await untilAborted(answer, signal));
	} finally {
		socket.destroy();
	}
}

/** The first line that the gateway sends. */
function readAnswer(socket: Socket): Promise<string> {
	return new Promise((resolve, reject) => {
		const fail = (message: string) => reject(new Problem('control_failed', {message}));
		const {push} = createLineReader({
			maximumBytes: maximumLineBytes,
			onLine: resolve,
			onTooLong: () => fail('The running gateway sent an answer that is too long'),
		});
		socket.on('data', push);
		socket.on('close', () => fail('The running gateway closed the connection'));
	});
}

function resultOf(line: string): JsonObject {
	const reply = parseJson(line);
	const result = isJsonObject(reply) ? ownMember(reply, 'result') : undefined;
	if (isJsonObject(result)) {
		return result;
	}

	const error = isJsonObject(reply) ? ownMember(reply, 'error') : undefined;
	const message = isJsonObject(error) ? ownMember(error, 'message') : undefined;
	throw new Problem('control_failed', {
		message: typeof message === 'string' ? message : 'The running gateway sent an answer that cannot be read',
	});
}
