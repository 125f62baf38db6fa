import {describe, expect, test} from 'vitest';
import {type SamplingPolicy} from '../../../source/config/servers/server-entry.ts';
import {checkSampling, type SamplingAsk} from '../../../source/mcp/server-requests/sampling-policy.ts';

const policy: SamplingPolicy = {
	maximumTokens: 4096,
	timeoutSeconds: 30,
	requestsPerMinute: 10,
	maximumToolRounds: 5,
	allowedModels: [],
};
const ask: SamplingAsk = {hints: [], maximumTokens: 100, bringsTools: false, toolRounds: 0, recentRequests: 0};

describe('the model that answers', () => {
	test.each<readonly [string, Partial<SamplingPolicy>, readonly string[], string | undefined]>([
		['is the configured one', {}, [], undefined],
		['is the configured one, whatever the server would like', {}, ['big'], undefined],
		['is the one of the policy', {model: 'small'}, ['big'], 'small'],
		['is the first hint that is allowed', {allowedModels: ['big-1', 'big-2']}, ['huge', 'big-2'], 'big-2'],
		['may be hinted at by a part of its name', {allowedModels: ['small-3', 'big-2']}, ['big'], 'big-2'],
		['is the first that is allowed without a hint', {allowedModels: ['big-1', 'big-2']}, [], 'big-1'],
		['is the one of the policy among those allowed', {model: 'b', allowedModels: ['a', 'b']}, ['a'], 'b'],
	])('%s', (...row) => {
		const [, members, hints, model] = row;
		expect(checkSampling({...ask, hints}, {...policy, ...members})).toEqual({
			kind: 'allowed',
			...(model !== undefined && {model}),
			maximumTokens: 100,
		});
	});
});

test.each([
	[100, 100],
	[5000, 4096],
	[-1, 1],
])('of %d tokens asked for, %d are allowed', (maximumTokens, allowed) => {
	expect(checkSampling({...ask, maximumTokens}, policy)).toMatchObject({maximumTokens: allowed});
});

describe('a request is refused', () => {
	test.each<readonly [Partial<SamplingAsk>, Partial<SamplingPolicy>, RegExp]>([
		[{bringsTools: true}, {}, /no tools/u],
		[{toolRounds: 6}, {}, /more than 5 rounds/u],
		[{recentRequests: 10}, {}, /more than 10 requests/u],
		[{}, {requestsPerMinute: 0}, /more than 0 requests/u],
		[{}, {model: 'a', allowedModels: ['b']}, /a is not among allowed_models/u],
	])('%j under %j', (...row) => {
		const [members, policyMembers, reason] = row;
		expect(checkSampling({...ask, ...members}, {...policy, ...policyMembers})).toEqual({
			kind: 'refused',
			reason: expect.stringMatching(reason),
		});
	});

	test.each([{toolRounds: 5}, {recentRequests: 9}])('not at the limit itself: %j', members => {
		expect(checkSampling({...ask, ...members}, policy)).toMatchObject({kind: 'allowed'});
	});
});
