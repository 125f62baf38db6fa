import {expect, test} from 'vitest';
import {followSignal} from '../../source/util/follow-signal.ts';

test('an abort is handed on with its reason', () => {
	const [followed, controller] = [new AbortController(), new AbortController()];
	followSignal(controller, followed.signal);
	expect(controller.signal.aborted).toBe(false);
	followed.abort('enough');
	expect(controller.signal.reason).toBe('enough');
});

test('a signal that has aborted before is handed on at once', () => {
	const controller = new AbortController();
	followSignal(controller, AbortSignal.abort('enough'));
	expect(controller.signal.reason).toBe('enough');
});

test('nothing is handed on once that has been ended', () => {
	const [followed, controller] = [new AbortController(), new AbortController()];
	followSignal(controller, followed.signal)();
	followed.abort('enough');
	expect(controller.signal.aborted).toBe(false);
});
