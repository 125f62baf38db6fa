import {once} from 'node:events';
import {Agent, createServer, type IncomingHttpHeaders, request} from 'node:http';
import {buffer} from 'node:stream/consumers';
import {listenOnFreePort} from '../helpers/free-port.ts';

/** A gateway that requests are sent to. */
export type Member = {readonly name: string; readonly port: number};

/** A balancer in this process: takes turns among the gateways whose `/ready` answers 200. */
export type Balancer = {
	readonly port: number;
	readonly ready: () => readonly string[];
	readonly close: () => Promise<void>;
};

const pollMilliseconds = 100;
const patienceMilliseconds = 1000;
/** A gateway that is frozen while it has a request: its sender tries again. */
const answerMilliseconds = 5000;

type Answer = {readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Uint8Array};

/** Starts it. A connection that a gateway refuses is tried at the next one; a request that reached one is never sent to another. */
export async function openBalancer(members: readonly Member[]): Promise<Balancer> {
	const agent = new Agent({keepAlive: true});
	const closing = new AbortController();
	const ready = new Set<Member>();
	const poll = async (member: Member) => {
		const isReady = await fetch(`http://127.0.0.1:${member.port}/ready`, {
			signal: AbortSignal.any([closing.signal, AbortSignal.timeout(patienceMilliseconds)]),
		}).then(
			async answer => (await answer.bytes()) && answer.status === 200,
			() => false,
		);
		ready[isReady ? 'add' : 'delete'](member);
		if (!closing.signal.aborted) {
			setTimeout(() => void poll(member), pollMilliseconds);
		}
	};

	let turn = 0;
	const forward = async (path: string, headers: IncomingHttpHeaders, body: Uint8Array): Promise<Answer> => {
		const first = turn++;
		const inTurn = members.map((_, index) => members[(first + index) % members.length] ?? members[0]);
		for (const member of inTurn) {
			const answer = member && ready.has(member) ? await pass(member, {path, headers, body, agent}) : undefined;
			if (answer) {
				return answer;
			}
		}

		return {status: 503, headers: {'retry-after': '1'}, body: Buffer.from('{"error":"No gateway is ready"}')};
	};

	const server = createServer((incoming, response) => {
		void buffer(incoming)
			.then(body => forward(incoming.url ?? '', incoming.headers, body))
			.then(({status, headers, body}) => response.writeHead(status, headers).end(body))
			.catch(() => response.destroy());
	});
	server.keepAliveTimeout = 60_000;
	const port = await listenOnFreePort(server);
	members.forEach(member => void poll(member));
	return {
		port,
		ready: () => [...ready].map(({name}) => name),
		async close() {
			closing.abort();
			agent.destroy();
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

/** Undefined: the gateway took no connection, so that it has nothing of the request. */
function pass(
	{port}: Member,
	{path, headers, body, agent}: {path: string; headers: IncomingHttpHeaders; body: Uint8Array; agent: Agent},
): Promise<Answer | undefined> {
	const noAnswer = (status: number) => ({status, headers: {}, body: Buffer.from('{}')});
	return new Promise(resolve => {
		const sent = request(
			{host: '127.0.0.1', port, method: 'POST', path, headers, agent, timeout: answerMilliseconds},
			response =>
				void buffer(response).then(
					whole => resolve({status: response.statusCode ?? 0, headers: response.headers, body: whole}),
					() => resolve(noAnswer(502)),
				),
		);
		sent.once('timeout', () => {
			resolve(noAnswer(504));
			sent.destroy();
		});
		sent.once('error', (error: NodeJS.ErrnoException) =>
			resolve(error.code === 'ECONNREFUSED' ? undefined : noAnswer(502)),
		);
		sent.end(body);
	});
}
