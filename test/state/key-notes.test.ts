import {expect, test} from 'vitest';
import {type CallGateway} from '../../source/state/api.ts';
import {createKeyNotes} from '../../source/state/make-calls.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

test('a gateway is told of keys at most once in five seconds, and goes on being told after it could not be', async () => {
	const clock = createFakeClock();
	const noted: number[] = [];
	const call: CallGateway = async method => {
		expect(method).toBe('console.key');
		noted.push(clock.elapsed());
		throw new Error('the gateway is away');
	};
	const note = createKeyNotes(call, clock);
	for (let key = 0; key < 100; key++) {
		note();
		await clock.advance(100);
	}

	await clock.advance(60_000);
	note();
	expect(noted).toEqual([0, 5000, 70_000]);
});
