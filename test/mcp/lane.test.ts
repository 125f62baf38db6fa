import {expect, test} from 'vitest';
import {createLane} from '../../source/mcp/lane.ts';

const never = new AbortController().signal;

function createGate() {
	let open: () => void = () => {};
	const passed = new Promise<void>(resolve => {
		open = resolve;
	});
	return {open, passed};
}

test('a serial lane runs one call at a time, in order', async () => {
	const lane = createLane(1);
	const told: string[] = [];
	const first = createGate();
	const work = async (name: string, wait: Promise<void>) => {
		told.push(`${name} begins`);
		await wait;
		told.push(`${name} ends`);
	};
	const both = Promise.all([
		lane.run(() => work('a', first.passed), never),
		lane.run(() => work('b', Promise.resolve()), never),
	]);
	first.open();
	await both;
	expect(told).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

test('a wide lane runs calls side by side', async () => {
	const lane = createLane(2);
	const gate = createGate();
	const first = lane.run(() => gate.passed, never);
	await expect(lane.run(async () => 'through', never)).resolves.toBe('through');
	gate.open();
	await first;
});

test('a call that is called off while it waits gives up its place', async () => {
	const lane = createLane(1);
	const gate = createGate();
	const controller = new AbortController();
	const first = lane.run(() => gate.passed, never);
	const second = lane.run(async () => 'second', controller.signal);
	const third = lane.run(async () => 'third', never);
	controller.abort(new Error('gone'));
	await expect(second).rejects.toThrow('gone');
	gate.open();
	await first;
	await expect(third).resolves.toBe('third');
});

test('a failed call frees the lane', async () => {
	const lane = createLane(1);
	await expect(lane.run(() => Promise.reject(new Error('no')), never)).rejects.toThrow('no');
	await expect(lane.run(async () => 'next', never)).resolves.toBe('next');
});
