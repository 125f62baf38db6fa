import {expect, test} from 'vitest';
import {openProgressReport} from '../../source/tools/call-report.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {recordEvents} from '../helpers/record-events.ts';

function openReport() {
	const clock = createFakeClock();
	const {publish, ofType} = recordEvents();
	return {clock, report: openProgressReport('call', {clock, publish}), told: () => ofType('tool.progress')};
}

test('the first word is told at once', () => {
	const {report, told} = openReport();
	report.note({progress: 1, total: 3, message: 'reading'});
	expect(told()).toEqual([{type: 'tool.progress', callId: 'call', progress: 1, total: 3, message: 'reading'}]);
});

test('a server that talks all the time is told four times a second, the last word included', async () => {
	const {clock, report, told} = openReport();
	for (let progress = 1; progress <= 1000; progress++) {
		report.note({progress});
		await clock.advance(progress % 10 === 0 ? 10 : 0);
	}

	await clock.advance(250);
	expect(told().length).toBeLessThanOrEqual(6);
	expect(told().at(-1)).toMatchObject({progress: 1000});
});

test('after the end nothing is told, and no timer is left', async () => {
	const {clock, report, told} = openReport();
	report.note({progress: 1});
	report.note({progress: 2});
	report.close();
	await clock.advance(1000);
	expect(told()).toHaveLength(1);
	expect(clock.open()).toBe(0);
});
