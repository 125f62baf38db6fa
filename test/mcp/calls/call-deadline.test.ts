import {expect, test} from 'vitest';
import {openCallDeadline} from '../../../source/mcp/calls/call-deadline.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';

function open() {
	const clock = createFakeClock();
	return {clock, deadline: openCallDeadline({clock, timeoutSeconds: 10, signal: neverAborted()})};
}

test('a call times out after its seconds', async () => {
	const {clock, deadline} = open();
	await clock.advance(9999);
	expect(deadline.signal.aborted).toBe(false);
	await clock.advance(1);
	expect(deadline.signal.reason).toMatchObject({code: 'call_timeout'});
});

test('progress extends the limit', async () => {
	const {clock, deadline} = open();
	await clock.advance(9000);
	deadline.extend();
	await clock.advance(9999);
	expect(deadline.signal.aborted).toBe(false);
	await clock.advance(1);
	expect(deadline.signal.aborted).toBe(true);
});

test('progress extends it to ten times its length and no further', async () => {
	const {clock, deadline} = open();
	for (let second = 0; second < 99; second++) {
		await clock.advance(1000);
		deadline.extend();
	}

	expect(deadline.signal.aborted).toBe(false);
	await clock.advance(1000);
	expect(deadline.signal.aborted).toBe(true);
});

test('progress after the end opens no timer', () => {
	const {clock, deadline} = open();
	deadline.cancel();
	deadline.extend();
	expect(clock.open()).toBe(0);
});
