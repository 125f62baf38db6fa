import {getEventListeners} from 'node:events';
import {describe, expect, test} from 'vitest';
import {followSignal, whenAborted} from '../../source/util/abort-signal.ts';
import {neverAborted} from '../helpers/never-aborted.ts';

describe('following a signal', () => {
	test('passes an abort on with its reason', () => {
		const [followed, controller] = [new AbortController(), new AbortController()];
		followSignal(controller, followed.signal);
		expect(controller.signal.aborted).toBe(false);
		followed.abort('enough');
		expect(controller.signal.reason).toBe('enough');
	});

	test('passes a signal that has aborted before on at once', () => {
		const controller = new AbortController();
		followSignal(controller, AbortSignal.abort('enough'));
		expect(controller.signal.reason).toBe('enough');
	});

	test('passes nothing on once it has been ended', () => {
		const [followed, controller] = [new AbortController(), new AbortController()];
		followSignal(controller, followed.signal)();
		followed.abort('enough');
		expect(controller.signal.aborted).toBe(false);
	});
});

describe('waiting for an abort', () => {
	test('everybody who waits is called once', () => {
		const controller = new AbortController();
		const called: string[] = [];
		whenAborted(controller.signal, () => called.push('first'));
		whenAborted(controller.signal, () => called.push('second'));
		controller.abort();
		controller.abort();
		expect(called).toEqual(['first', 'second']);
	});

	test('who has ended waiting is not called', () => {
		const controller = new AbortController();
		const called: string[] = [];
		const end = whenAborted(controller.signal, () => called.push('first'));
		whenAborted(controller.signal, () => called.push('second'));
		end();
		end();
		controller.abort();
		expect(called).toEqual(['second']);
	});

	test('who ends waiting for another while both are called spares him', () => {
		const controller = new AbortController();
		const called: string[] = [];
		whenAborted(controller.signal, () => {
			called.push('first');
			endSecond();
		});
		const endSecond = whenAborted(controller.signal, () => called.push('second'));
		controller.abort();
		expect(called).toEqual(['first']);
	});

	test('a signal has one listener however many wait', () => {
		const signal = neverAborted();
		const ends = Array.from({length: 100}, () => whenAborted(signal, () => undefined));
		ends.forEach(end => end());
		whenAborted(signal, () => undefined);
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
	});
});
