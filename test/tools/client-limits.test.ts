import {expect, test} from 'vitest';
import {type Origin} from '../../source/state/origin.ts';
import {Problem} from '../../source/util/problem.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {openCallFixture} from './call-fixture.ts';

test('a client is refused at once beyond its limit of calls, before anything is decided or sent', async () => {
	let left = 1;
	const {callTool, answer, requests, refused, ofType} = openCallFixture({
		async countCall({kind}) {
			if (kind === 'endpoint' && left-- === 0) {
				throw new Problem('limit_reached');
			}
		},
	});
	const call = (origin: Origin) =>
		callTool({name: 'mcp__files__write', arguments: {}, origin}, {signal: neverAborted()});
	const client: Origin = {kind: 'endpoint', client: 'codex'};
	await Promise.all([call(client), answer({kind: 'approve', scope: 'once'})]);
	expect(await call(client)).toMatchObject({kind: 'error', error: {code: 'limit_reached'}});
	expect([requests.length, ofType('approval.requested').length]).toEqual([1, 1]);
	expect(refused.at(-1)).toMatchObject([{tool: 'write'}, {outcome: 'failed', code: 'limit_reached'}]);

	// Everybody else goes on.
	await Promise.all([call({kind: 'command-line'}), answer({kind: 'approve', scope: 'once'})]);
	expect(requests).toHaveLength(2);
});
