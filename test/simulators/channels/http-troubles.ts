import {type IncomingMessage, type ServerResponse} from 'node:http';

/** An answer that no platform gives itself: a status of a proxy, none at all, or a broken connection. */
export type HttpTrouble =
	| {readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>>}
	| 'silence'
	| 'hang-up';

export function answerTrouble(trouble: HttpTrouble, incoming: IncomingMessage, response: ServerResponse): void {
	if (trouble === 'hang-up') {
		incoming.socket.destroy();
	} else if (trouble !== 'silence') {
		response.writeHead(trouble.status, trouble.headers).end(trouble.body ?? '');
	}
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, {'content-type': 'application/json; charset=utf-8'}).end(JSON.stringify(body));
}

/** The members of a JSON body; none without a body. */
export async function readJson(incoming: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of incoming) {
		chunks.push(chunk);
	}

	return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Readonly<Record<string, unknown>>;
}
