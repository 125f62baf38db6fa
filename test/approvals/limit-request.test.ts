import {expect, test} from 'vitest';
import {limitRequest} from '../../source/approvals/limit-request.ts';
import {liftedFor, offeredScopes} from '../../source/state/approval-event.ts';
import {decisionChoices, secondQuestion} from '../../source/state/decision.ts';

const origin = {kind: 'run', runId: 'r', route: 'github', deliveryId: 'd'} as const;
const reached = {path: 'limits.run.tokens', bound: 100, spent: 90, next: 20, origin};

test('a limit of a run is lifted for that run, once', () => {
	const request = limitRequest(reached);
	expect(request).toMatchObject({
		kind: 'limit',
		server: 'sluice',
		tool: 'limits.run.tokens',
		arguments: {limit: 'limits.run.tokens', amount: 100, spent: 90, next_at_most: 20},
		cutBytes: 0,
		maskedValues: 0,
	});
	expect(request.description).toContain('for this run alone');
	expect([offeredScopes(request), liftedFor(request)]).toEqual([['once'], 'this run']);
	expect(decisionChoices({...request}, 'read')).toEqual({scopes: ['once'], rule: {kind: 'none'}});
	expect(secondQuestion({...request}, 'once')).toEqual({kind: 'none'});
});

test('a limit of the day says until when it is lifted', () => {
	const path = 'limits.routes.run.day.usd';
	const request = limitRequest({...reached, path, day: {date: '2026-01-31', end: '2026-02-01 00:00 UTC'}});
	expect(request.description).toContain('until the day ends, 2026-02-01 00:00 UTC');
	expect(liftedFor(request)).toBe('today');
	expect(request.arguments).toMatchObject({day: '2026-01-31'});
});

test('other amounts are another request', () => {
	expect(limitRequest(reached).argumentsHash).not.toBe(limitRequest({...reached, spent: 91}).argumentsHash);
	expect(limitRequest(reached).argumentsHash).toBe(limitRequest(reached).argumentsHash);
});
