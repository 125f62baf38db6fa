import {describe, expect, test} from 'vitest';
import {type DemoCallTool, startDemoClient} from '../../source/demo/demo-client.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

type Call = Parameters<DemoCallTool>[0];

/** Runs the client for a while; writing calls wait for a person who does not come, unless they are answered at once. */
async function play(milliseconds: number, answers: 'at once' | 'never to writing calls') {
	const calls: Call[] = [];
	const cancelled: string[] = [];
	const clock = createFakeClock();
	const client = startDemoClient({
		clock,
		callTool(call, {signal}) {
			calls.push(call);
			if (answers === 'at once' || !/add|delete/.test(call.name)) {
				return Promise.resolve();
			}

			return new Promise(resolve =>
				signal.addEventListener('abort', () => {
					cancelled.push(call.name);
					resolve(undefined);
				}),
			);
		},
	});
	await clock.advance(milliseconds);
	return {calls, cancelled, client, clock, names: () => calls.map(call => call.name.replace(/^mcp__/, ''))};
}

describe('the scripted demo client', () => {
	test('says that it is scripted', async () => {
		const {calls, client} = await play(3000, 'at once');
		expect(new Set(calls.map(call => JSON.stringify(call.origin)))).toEqual(
			new Set(['{"kind":"demo","client":"scripted demo client"}']),
		);
		await client.stop();
	});

	test('adds, reads the tasks, reads the weather, and after a while deletes', async () => {
		const {names, client} = await play(27_000, 'at once');
		expect(names()).toEqual([
			'garden__add_task',
			'garden__list_tasks',
			'weather__forecast',
			'garden__list_tasks',
			'garden__add_task',
			'weather__forecast',
			'garden__list_tasks',
			'weather__forecast',
			'garden__delete_task',
			'garden__list_tasks',
		]);
		await client.stop();
	});

	test('has one writing call open at most, and goes on reading meanwhile', async () => {
		const {names, client} = await play(60_000, 'never to writing calls');
		const writing = names().filter(name => /add|delete/.test(name));
		expect([writing, names().length > 8]).toEqual([['garden__add_task'], true]);
		await client.stop();
	});

	test('takes its open call back when it stops', async () => {
		const {cancelled, client, clock} = await play(5000, 'never to writing calls');
		await client.stop();
		expect([cancelled, clock.open()]).toEqual([['mcp__garden__add_task'], 0]);
	});

	test('calls nothing after it stopped', async () => {
		const {calls, client, clock} = await play(5000, 'at once');
		await client.stop();
		const before = calls.length;
		await clock.advance(60_000);
		expect(calls).toHaveLength(before);
	});
});
