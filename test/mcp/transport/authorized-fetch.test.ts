import {expect, test} from 'vitest';
import {authorizeFetch} from '../../../source/mcp/transport/authorized-fetch.ts';
import {type Challenge} from '../../../source/oauth/discovery/challenge.ts';
import {Problem} from '../../../source/util/problem.ts';

const insufficient = {status: 403, challenge: 'Bearer error="insufficient_scope", scope="write"'};

/** Sends one request whose answers are these, with a login that has a new token for every refusal. */
async function send(...answers: ReadonlyArray<{readonly status: number; readonly challenge?: string}>) {
	const heard: Challenge[] = [];
	const renewed: Array<string | undefined> = [];
	const sent: Array<string | null> = [];
	const queue = [...answers];
	const fetch = authorizeFetch(
		async (_url, init) => {
			sent.push(new Headers(init?.headers).get('authorization'));
			const {status, challenge} = queue.shift() ?? {status: 500};
			return new Response('', {status, headers: challenge === undefined ? {} : {'www-authenticate': challenge}});
		},
		{
			server: 'one',
			credentials: {
				token: async () => 'first',
				async renew(refused, challenge) {
					renewed.push(refused);
					if (challenge.insufficientScope) {
						throw new Problem('wider_login_required');
					}

					return 'second';
				},
			},
			onChallenge: challenge => void heard.push(challenge),
		},
	);
	const end = await fetch('http://127.0.0.1/mcp').then(
		({status}) => status,
		(error: unknown) => (error instanceof Problem ? error.code : 'another error'),
	);
	return {end, heard, renewed, sent};
}

test('a token that had to be renewed first and lacks something too needs a wider login', async () => {
	const {end, heard, renewed} = await send({status: 401}, insufficient);
	expect([end, renewed]).toEqual(['wider_login_required', ['first', 'second']]);
	expect(heard.at(-1)).toEqual({scope: 'write', insufficientScope: true});
});

test.each([
	['a good token passes', [{status: 200}], 200],
	['a renewed token passes', [{status: 401}, {status: 200}], 200],
	['a token that lacks something needs a wider login', [insufficient], 'wider_login_required'],
	['a renewed token that is refused too needs a login', [{status: 401}, {status: 401}], 'login_required'],
	['a refusal that is not about the token is an answer', [{status: 403}], 403],
] as const)('%s', async (_name, answers, expected) => {
	expect((await send(...answers)).end).toBe(expected);
});
