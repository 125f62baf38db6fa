import {describe, expect, test} from 'vitest';
import {type CallContent} from '../../source/mcp/connection.ts';
import {Problem} from '../../source/util/problem.ts';
import {openCallFixture} from './call-fixture.ts';

describe('words of a server that look like tokens', () => {
	const said = 'refused: Bearer abcdefghijkl';
	const content = [{type: 'text', text: said}];

	test.each<readonly [string, () => Promise<CallContent>]>([
		['its error', () => Promise.reject(new Problem('call_failed', {message: `The server answered: ${said}`}))],
		['a failed result', async () => ({content, isError: true})],
	])('are masked in %s and its event', async (_, respond) => {
		const {call, ofType} = openCallFixture({respond});
		expect(await call('read')).toMatchObject({error: {message: expect.stringContaining('Bearer ‹redacted 12 chars›')}});
		expect(ofType('tool.finished')).toMatchObject([{summary: expect.not.stringContaining('abcdefghijkl')}]);
	});

	test('stay in a result, which was asked for', async () => {
		const {call} = openCallFixture({respond: async () => ({content, isError: false})});
		expect(await call('read')).toEqual({kind: 'result', result: said});
	});
});
