import {expect, test} from 'vitest';
import {createPeerRequests} from '../../source/approvals/peer-requests.ts';
import {type RequestRow} from '../../source/journal/rows/request-rows.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {request} from './open-queue.ts';

test('a request that has ended is not shown again by a look that began before', () => {
	const {publish, ofType} = recordEvents();
	const {show, end, approvals} = createPeerRequests({clock: createFakeClock(), publish, node: () => 'web-2'});
	const {argumentsHash} = request;
	const asked = {kind: 'approval', request: {...request, id: 'a', requestedAt: 0, expiresAt: 1}} as const;
	const row: RequestRow = {id: 'a', node: 'web-1', argumentsHash, asked, age: 0, left: 1000, time: 'running'};
	show(row);
	end('a', {kind: 'denied', by: 'console:1'});
	show(row);
	expect(approvals()).toEqual([]);
	expect([ofType('approval.requested').length, ofType('approval.settled').length]).toEqual([1, 1]);
});
