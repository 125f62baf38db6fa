import {expect, test} from 'vitest';
import {timeOfDay} from '../../source/state/time-text.ts';
import {frameAfter} from './frame-after.tsx';
import {sampleTime, server, started} from './sample-events.ts';

const until = timeOfDay(sampleTime + 30_000);

test.each([
	{columns: 160, rows: 50, says: `draining until ${until}`},
	{columns: 80, rows: 24, says: `draining until ${until}`},
	{columns: 40, rows: 10, says: 'draining'},
])('at $columns × $rows the header says that a stop has begun', ({says, ...size}) => {
	const draining = {type: 'gateway.draining', reason: 'SIGTERM', until: sampleTime + 30_000} as const;
	expect(frameAfter([started(), server('files'), draining], [], size)[0]).toContain(says);
	expect(frameAfter([started(), server('files')], [], size).join('\n')).not.toContain('draining');
});
