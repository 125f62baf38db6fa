import {expect, test} from 'vitest';
import {RunningCall} from '../../../source/tui/components/running-call.tsx';
import {openComponent} from '../render-component.tsx';
import {call, sampleTime, snapshotOf} from '../sample-events.ts';

function rowOf(progress: Partial<{progress: number; total: number; message: string}>) {
	return snapshotOf([call('c'), {type: 'tool.progress', callId: 'c', progress: 0, ...progress}]).calls[0];
}

test('a bar says how far a call has come', async () => {
	const row = rowOf({progress: 5, total: 20, message: 'copying'});
	const {text} = openComponent(<RunningCall call={row} width={60} now={sampleTime + 65_000} />);
	await expect.poll(text).toContain(` ${'━'.repeat(5)}${'─'.repeat(15)} 25 % · "copying"`);
	expect(text()).toContain('under way 1:05');
});

test('the bar has an ASCII form', async () => {
	const row = rowOf({progress: 10, total: 20});
	const {text} = openComponent(<RunningCall call={row} width={60} now={sampleTime} />, {ascii: true});
	await expect.poll(text).toContain(` ${'='.repeat(10)}${'-'.repeat(10)} 50 %`);
});

test.each([
	['no total', {progress: 1234}, '1,234'],
	['more than all', {progress: 30, total: 20}, '30'],
	['words alone', {progress: 3, message: 'copying'}, '3 · "copying"'],
])('numbers that are no share are shown without a bar: %s', (_, progress, words) => {
	const {text} = openComponent(<RunningCall call={rowOf(progress)} width={60} now={sampleTime} />);
	expect(text().split('\n')[1]).toBe(` ${words}`);
});

test('a call that its server has not got yet is under way, no more', () => {
	const {text} = openComponent(<RunningCall call={undefined} width={60} now={sampleTime} />);
	expect(text().trimEnd()).toBe(' .   under way');
});
