import {expect, test} from 'vitest';
import {openProgressReport} from '../../source/tools/call-report.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {recordEvents} from '../helpers/record-events.ts';

function openReport() {
	const clock = createFakeClock();
	const {publish, ofType} = recordEvents();
	return {clock, report: openProgressReport('call', {clock, publish}), published: () => ofType('tool.progress')};
}

test('the first report is published at once', () => {
	const {report, published} = openReport();
	report.note({progress: 1, total: 3, message: 'reading'});
	expect(published()).toEqual([{type: 'tool.progress', callId: 'call', progress: 1, total: 3, message: 'reading'}]);
});

test('a server that reports all the time leads to four events a second, its last report included', async () => {
	const {clock, report, published} = openReport();
	for (let progress = 1; progress <= 1000; progress++) {
		report.note({progress});
		await clock.advance(progress % 10 === 0 ? 10 : 0);
	}

	await clock.advance(250);
	expect(published().length).toBeLessThanOrEqual(6);
	expect(published().at(-1)).toMatchObject({progress: 1000});
});

test('after the end nothing is published, and no timer is left', async () => {
	const {clock, report, published} = openReport();
	report.note({progress: 1});
	report.note({progress: 2});
	report.close();
	await clock.advance(1000);
	expect(published()).toHaveLength(1);
	expect(clock.open()).toBe(0);
});
