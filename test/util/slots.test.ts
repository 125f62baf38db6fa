import {expect, test} from 'vitest';
import {createSlots} from '../../source/util/slots.ts';
import {neverAborted} from '../helpers/never-aborted.ts';

test('slots are bounded, and who waits gets one in order or leaves', async () => {
	const slots = createSlots(1, {maxWaiting: 2, refusal: () => new Error('too many')});
	const leave = await slots.take(neverAborted());
	const controller = new AbortController();
	const order: string[] = [];
	const second = slots.take(controller.signal).catch(() => order.push('second left'));
	const third = slots.take(neverAborted()).then(leaveThird => {
		order.push('third');
		return leaveThird;
	});
	await expect(slots.take(neverAborted())).rejects.toThrow('too many');
	controller.abort();
	await second;
	leave();
	(await third)();
	expect(order).toEqual(['second left', 'third']);
	await expect(slots.take(neverAborted())).resolves.toBeTypeOf('function');
});
