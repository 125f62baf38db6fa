import {expect, test} from 'vitest';
import {longestStop, stopSecondsOf} from '../../../source/commands/service/stop-time.ts';

test.each([
	[0, 90],
	[30, 120],
	[0.5, 91],
])('a stop with a drain_delay of %s s may take %s s', (drainDelay, seconds) => {
	expect(longestStop(drainDelay)).toBe(seconds);
});

test.each([
	['', 90],
	['TimeoutStopSec=', 90],
	['TimeoutStopSec=20', 20],
	['TimeoutStopSec=1min 30s', 90],
	['TimeoutStopSec = 2h', 7200],
	['TimeoutSec=5', 5],
	['TimeoutStopSec=5\nTimeoutStopSec=6', 6],
	['TimeoutStopSec=infinity', Number.POSITIVE_INFINITY],
	['TimeoutStopSec=soon', 90],
	['#TimeoutStopSec=1', 90],
])('a unit with %j lets a stop take %s s', (line, seconds) => {
	expect(stopSecondsOf(`[Service]\n${line}\n`, 'systemd')).toBe(seconds);
});

test('an agent of launchd without a limit lets a stop take 20 s', () => {
	expect(stopSecondsOf('<dict></dict>', 'launchd')).toBe(20);
});
