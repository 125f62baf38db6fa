import {describe, expect, test} from 'vitest';
import {type CallFailure, isSessionExpiry, rescueCall} from '../../source/mcp/session-expiry.ts';
import {Problem} from '../../source/util/problem.ts';

describe('a session has expired', () => {
	const sessionId = 'abc';
	test.each([
		[{sessionId, httpStatus: 404}, true],
		[{sessionId: undefined, httpStatus: 404}, false],
		[{sessionId, httpStatus: 400}, false],
		[{sessionId, httpStatus: 400, rpcCode: -32_001, message: 'Session not found'}, true],
		[{sessionId, rpcCode: -32_001, message: 'session expired'}, true],
		[{sessionId: undefined, rpcCode: -32_001, message: 'session expired'}, false],
		[{sessionId, rpcCode: -32_001, message: 'Request timed out'}, false],
		[{sessionId, rpcCode: -32_602, message: 'the browser session is unknown'}, false],
		[{sessionId, httpStatus: 500, rpcCode: -32_001, message: 'Session not found'}, false],
	])('%j: %s', (answer, expired) => {
		expect(isSessionExpiry(answer)).toBe(expired);
	});
});

describe('a failed call', () => {
	const problem = new Problem('server_unavailable');
	const expired: CallFailure = {kind: 'expired'};
	const lost: CallFailure = {kind: 'lost', problem};
	const neverSent: CallFailure = {kind: 'never-sent', problem};
	const refused: CallFailure = {kind: 'refused', problem: new Problem('call_failed')};

	test.each([
		{failure: expired, readOnly: true, replayed: false, end: 'replay'},
		{failure: expired, readOnly: true, replayed: true, end: 'server_unavailable'},
		{failure: expired, readOnly: false, replayed: false, end: 'outcome_uncertain'},
		{failure: lost, readOnly: true, replayed: false, end: 'replay'},
		{failure: lost, readOnly: true, replayed: true, end: 'server_unavailable'},
		{failure: lost, readOnly: false, replayed: false, end: 'outcome_uncertain'},
		{failure: neverSent, readOnly: true, replayed: false, end: 'server_unavailable'},
		{failure: neverSent, readOnly: false, replayed: false, end: 'server_unavailable'},
		{failure: refused, readOnly: true, replayed: false, end: 'call_failed'},
		{failure: refused, readOnly: false, replayed: false, end: 'call_failed'},
	])('$failure.kind, read-only $readOnly, replayed $replayed → $end', ({failure, readOnly, replayed, end}) => {
		const rescue = rescueCall(failure, {readOnly, replayed});
		expect(rescue.kind === 'replay' ? 'replay' : rescue.problem.code).toBe(end);
	});
});
