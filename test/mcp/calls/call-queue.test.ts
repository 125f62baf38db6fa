import {expect, test} from 'vitest';
import {createCallQueue} from '../../../source/mcp/calls/call-queue.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';

function createLatch() {
	let open: () => void = () => {};
	const opened = new Promise<void>(resolve => {
		open = resolve;
	});
	return {open, opened};
}

test('a queue of one runs one call at a time, in order', async () => {
	const queue = createCallQueue(1);
	const events: string[] = [];
	const first = createLatch();
	const work = async (name: string, wait: Promise<void>) => {
		events.push(`${name} begins`);
		await wait;
		events.push(`${name} ends`);
	};
	const both = Promise.all([
		queue.run(() => work('a', first.opened), neverAborted()),
		queue.run(() => work('b', Promise.resolve()), neverAborted()),
	]);
	first.open();
	await both;
	expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

test('a queue of two runs calls side by side', async () => {
	const queue = createCallQueue(2);
	const latch = createLatch();
	const first = queue.run(() => latch.opened, neverAborted());
	await expect(queue.run(async () => 'through', neverAborted())).resolves.toBe('through');
	latch.open();
	await first;
});

test('a call that is called off while it waits gives up its slot', async () => {
	const queue = createCallQueue(1);
	const latch = createLatch();
	const controller = new AbortController();
	const first = queue.run(() => latch.opened, neverAborted());
	const second = queue.run(async () => 'second', controller.signal);
	const third = queue.run(async () => 'third', neverAborted());
	controller.abort(new Error('gone'));
	await expect(second).rejects.toThrow('gone');
	latch.open();
	await first;
	await expect(third).resolves.toBe('third');
});

test('a failed call frees its slot', async () => {
	const queue = createCallQueue(1);
	await expect(queue.run(() => Promise.reject(new Error('no')), neverAborted())).rejects.toThrow('no');
	await expect(queue.run(async () => 'next', neverAborted())).resolves.toBe('next');
});

test('a running call that is called off keeps its slot until it has ended', async () => {
	const queue = createCallQueue(1);
	const latch = createLatch();
	const controller = new AbortController();
	const events: string[] = [];
	const first = queue.run(() => latch.opened.then(() => events.push('first ends')), controller.signal);
	const second = queue.run(async () => events.push('second begins'), neverAborted());
	controller.abort(new Error('gone'));
	await new Promise(resolve => setImmediate(resolve));
	expect(events).toEqual([]);
	latch.open();
	await expect(first).resolves.toBe(1);
	await second;
	expect(events).toEqual(['first ends', 'second begins']);
});

test('a call that is called off before is not run', async () => {
	const queue = createCallQueue(1);
	const run = queue.run(async () => 'through', AbortSignal.abort(new Error('gone')));
	await expect(run).rejects.toThrow('gone');
});

test('at most 1000 calls wait, and one that gives up makes room', async () => {
	const queue = createCallQueue(1);
	const latch = createLatch();
	const controller = new AbortController();
	const first = queue.run(() => latch.opened, neverAborted());
	const waiting = Array.from({length: 999}, (_, index) => queue.run(async () => index, neverAborted()));
	const last = queue.run(async () => 'last', controller.signal);
	await expect(queue.run(async () => 'more', neverAborted())).rejects.toMatchObject({
		code: 'server_unavailable',
		message: '1000 calls are already waiting for this server',
	});
	controller.abort(new Error('gone'));
	await expect(last).rejects.toThrow('gone');
	const next = queue.run(async () => 'next', neverAborted());
	latch.open();
	await first;
	expect(await Promise.all(waiting)).toEqual(Array.from({length: 999}, (_, index) => index));
	await expect(next).resolves.toBe('next');
});
