import {createServer} from 'node:http';
import {describe, expect, test} from 'vitest';
import {type Credentials} from '../../source/oauth/tokens/credentials.ts';
import {Problem} from '../../source/util/problem.ts';
import {listen} from '../helpers/loopback.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {answerJson, httpTransport, openConnections, serverConfig} from './fixture-servers.ts';

const held = new Problem('held');

/** A server that accepts the token `good`, and a connection to it that sends the tokens of `credentials`. */
async function openProtected(credentials: Credentials) {
	const calls: string[] = [];
	const url = await listen(
		createServer((request, response) => {
			const {authorization = ''} = request.headers;
			if (authorization === 'Bearer good') {
				void answerJson(request, response, {
					hear(method) {
						calls.push(method);
						return 'answer';
					},
				});
				return;
			}

			response.writeHead(401).end();
		}),
	);
	const loginOf = () => ({server: 'fixture', credentials, onChallenge: () => {}});
	const {connections} = openConnections([serverConfig(httpTransport(url))], {loginOf});
	await connections.settled(neverAborted());
	calls.length = 0;
	return {
		calls,
		call: (beforeSend: () => void) =>
			connections
				.find('fixture')
				?.request({kind: 'tool', tool: 'echo', arguments: {}, readOnly: false}, {signal: neverAborted(), beforeSend}),
	};
}

/** A login whose token is renewed in the moment of the call: before it is sent, or because the server refused it. */
function openLogin(moment: 'before' | 'after a refusal') {
	const asked = Promise.withResolvers<void>();
	const renewed = Promise.withResolvers<void>();
	let connected = false;
	const renew = async () => {
		asked.resolve();
		await renewed.promise;
		return 'good';
	};

	const credentials: Credentials = {
		token: async () => (connected ? (moment === 'before' ? renew() : 'old') : 'good'),
		renew,
	};
	return {credentials, asked: asked.promise, finish: renewed.resolve, expire: () => void (connected = true)};
}

describe.each(['before', 'after a refusal'] as const)('a call whose token is renewed, %s,', moment => {
	test('is not sent when everything was held meanwhile', async () => {
		const login = openLogin(moment);
		const {call, calls} = await openProtected(login.credentials);
		login.expire();
		let isHeld = false;
		const calling = call(() => {
			if (isHeld) {
				throw held;
			}
		});
		await login.asked;
		isHeld = true;
		login.finish();
		await expect(calling).rejects.toBe(held);
		expect(calls).toEqual([]);
	});

	test('is sent once when nothing changed', async () => {
		const login = openLogin(moment);
		const {call, calls} = await openProtected(login.credentials);
		login.expire();
		const calling = call(() => {});
		await login.asked;
		login.finish();
		expect(await calling).toMatchObject({isError: false});
		expect(calls).toEqual(['tools/call']);
	});
});
