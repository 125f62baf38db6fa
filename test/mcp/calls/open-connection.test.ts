import {describe, expect, test} from 'vitest';
import {type CallFailure} from '../../../source/mcp/calls/call-failure.ts';
import {decideRetry} from '../../../source/mcp/calls/open-connection.ts';
import {Problem} from '../../../source/util/problem.ts';

describe('a failed call', () => {
	const problem = new Problem('server_unavailable');
	const expired: CallFailure = {kind: 'expired'};
	const lost: CallFailure = {kind: 'lost', problem};
	const neverSent: CallFailure = {kind: 'never-sent', problem};
	const unreadable: CallFailure = {kind: 'unreadable', problem: new Problem('call_failed')};
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
		{failure: unreadable, readOnly: true, replayed: false, end: 'call_failed'},
		{failure: unreadable, readOnly: false, replayed: false, end: 'outcome_uncertain'},
		{failure: refused, readOnly: true, replayed: false, end: 'call_failed'},
		{failure: refused, readOnly: false, replayed: false, end: 'call_failed'},
	])('$failure.kind, read-only $readOnly, replayed $replayed → $end', ({failure, readOnly, replayed, end}) => {
		const decision = decideRetry(failure, {readOnly, replayed});
		expect(decision.kind === 'replay' ? 'replay' : decision.problem.code).toBe(end);
	});
});
