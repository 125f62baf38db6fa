import {createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse} from 'node:http';
import {type AddressInfo} from 'node:net';
import {
	type PlatformSimulator,
	type PlatformTrouble,
	type ReceivedMessage,
	type ToldTrouble,
} from './platform-simulator.ts';

/** A request as the platform reads it. `path` is still percent-encoded. */
export type PlatformRequest = {
	readonly method: string;
	readonly path: string;
	readonly query: URLSearchParams;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
};

/** An answer: an object is sent as JSON, a string as it is. */
export type PlatformAnswer = {
	readonly status: number;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
};

/** Thrown by a platform's rules: what was wrong, and the platform's own answer to it. */
export class Refusal extends Error {
	readonly answer: PlatformAnswer;

	constructor(fault: string, answer: PlatformAnswer) {
		super(fault);
		this.answer = answer;
	}
}

/** Writes a fault down without refusing the request: the platform would let it pass. */
export type Note = (fault: string) => void;

/** The treatment of requests by one platform. */
export type PlatformRules = {
	/** Refuses a caller without the right credentials, before anything else is looked at. */
	readonly guard?: (request: PlatformRequest) => void;
	/** Answers a request that sends no message (a token, who am I); undefined for every other. */
	readonly aside?: (request: PlatformRequest, note: Note) => PlatformAnswer | undefined;
	/** Checks a request that wants to send, and throws a `Refusal` when it is wrong. */
	readonly read: (request: PlatformRequest, note: Note) => ReceivedMessage;
	/** The answer to a taken message; `position` counts from one, and is the first one's for a repeat. */
	readonly accept: (message: ReceivedMessage, position: number, request: PlatformRequest) => PlatformAnswer;
	/** The platform's answer to a planned trouble. */
	readonly trouble: (trouble: ToldTrouble, request: PlatformRequest) => PlatformAnswer;
	/** The treatment of a message whose key was taken before; it is added when the platform promises nothing. */
	readonly repeat?: 'is-the-same-message' | 'replaces-the-message';
	/** The owner of a key; the chat unless the platform looks for it in everything the account sent. */
	readonly keysBelongTo?: 'account' | 'chat';
	/** Called before a taken message is answered or hung up on. */
	readonly taken?: (message: ReceivedMessage, ending: 'answered' | 'hung-up') => void;
};

type ServedPlatform = Pick<PlatformSimulator, 'baseUrl' | 'received' | 'faults' | 'requests' | 'plan' | 'close'>;

/** Serves a platform's rules over HTTP on a free port of loopback, or on a socket file. */
export async function servePlatform(rules: PlatformRules, socketFile?: string): Promise<ServedPlatform> {
	const received: ReceivedMessage[] = [];
	const faults: string[] = [];
	const planned: PlatformTrouble[] = [];
	let requests = 0;
	const note: Note = fault => void faults.push(fault);

	const isRepeat = (earlier: ReceivedMessage, message: ReceivedMessage) =>
		message.repeatKey !== undefined &&
		earlier.repeatKey === message.repeatKey &&
		(rules.keysBelongTo === 'account' || earlier.chat === message.chat);

	const take = (message: ReceivedMessage): number => {
		const first = rules.repeat === undefined ? -1 : received.findIndex(earlier => isRepeat(earlier, message));
		if (first === -1) {
			return received.push(message);
		}

		if (rules.repeat === 'replaces-the-message') {
			received[first] = message;
		}

		return first + 1;
	};

	const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
		const request = await readRequest(incoming);
		const aside = rules.aside?.(request, note);
		requests += aside ? 0 : 1;
		rules.guard?.(request);
		if (aside) {
			send(response, aside);
			return;
		}

		const message = rules.read(request, note);
		const trouble = planned.shift();
		switch (trouble?.kind) {
			case undefined:
				rules.taken?.(message, 'answered');
				send(response, rules.accept(message, take(message), request));
				return;
			case 'silence':
				return;
			case 'hang-up-after-taking':
				rules.taken?.(message, 'hung-up');
				take(message);
				incoming.socket.destroy();
				return;
			case 'rate-limited':
			case 'rejected':
			case 'server-error':
			case 'hidden-error':
				send(response, rules.trouble(trouble, request));
		}
	};

	const server = createServer((incoming, response) => {
		handle(incoming, response).catch((error: unknown) => {
			faults.push(error instanceof Error ? error.message : String(error));
			send(response, error instanceof Refusal ? error.answer : {status: 500, body: 'the simulator broke'});
		});
	});
	await new Promise<void>(resolve => {
		if (socketFile === undefined) {
			server.listen(0, '127.0.0.1', resolve);
		} else {
			server.listen(socketFile, resolve);
		}
	});

	return {
		baseUrl: socketFile ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		received,
		faults,
		requests: () => requests,
		plan: (...troubles) => void planned.push(...troubles),
		close: () =>
			new Promise(resolve => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

async function readRequest(incoming: IncomingMessage): Promise<PlatformRequest> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of incoming) {
		chunks.push(chunk);
	}

	const [path = '/', query = ''] = (incoming.url ?? '/').split('?', 2);
	return {
		method: incoming.method ?? '',
		path,
		query: new URLSearchParams(query),
		headers: incoming.headers,
		body: Buffer.concat(chunks).toString('utf8'),
	};
}

function send(response: ServerResponse, answer: PlatformAnswer): void {
	const isText = typeof answer.body === 'string';
	response.writeHead(answer.status, {
		'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
		...answer.headers,
	});
	response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
}
