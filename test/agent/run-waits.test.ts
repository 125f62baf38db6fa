import {describe, expect, test} from 'vitest';
import {type CallOptions} from '../../source/tools/validate-call.ts';
import {type RunProgress, type RunSlot} from '../../source/agent/run-task.ts';
import {createRunWaits} from '../../source/agent/run-waits.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {withModel} from './with-model.ts';
import {to} from '../helpers/destinations.ts';

/** A slot that a test gives back by hand, and what was done with it. */
function openSlot() {
	const steps: string[] = [];
	let isHeld = true;
	let waiting: Array<() => void> = [];
	const slot: RunSlot = {
		isHeld: () => isHeld,
		giveBack() {
			if (isHeld) {
				steps.push('gave it back');
			}

			isHeld = false;
		},
		takeBack() {
			steps.push('wants it');
			return new Promise(resolve => waiting.push(resolve));
		},
	};
	return {
		slot,
		steps,
		grant: () => {
			isHeld = true;
			const granted = waiting;
			waiting = [];
			granted.forEach(resolve => resolve());
		},
	};
}

function openWaits() {
	const {slot, steps, grant} = openSlot();
	const shown: string[] = [];
	return {...createRunWaits(slot, waiting => shown.push(waiting)), shown, steps, grant, slot, clock: createFakeClock()};
}

describe('the calls of one run', () => {
	test('give the slot back when all of them wait, and only then', async () => {
		const {enter, note, shown, slot} = openWaits();
		await enter('a', neverAborted());
		await enter('b', neverAborted());
		note('a', 'approval');
		expect([slot.isHeld(), shown]).toEqual([true, ['approval']]);
		note('b', 'answer');
		expect([slot.isHeld(), shown]).toEqual([false, ['approval']]);
	});

	test('give it back when the only one that did not wait is over, and not when none is left: then the model goes on', async () => {
		const {enter, note, leave, slot} = openWaits();
		await enter('a', neverAborted());
		await enter('b', neverAborted());
		note('a', 'release');
		leave('b');
		expect(slot.isHeld()).toBe(false);
		const one = openWaits();
		await one.enter('a', neverAborted());
		one.leave('a');
		expect([one.slot.isHeld(), one.steps]).toEqual([true, []]);
	});

	test('wait for the slot before one of them goes on, which is shown', async () => {
		const {enter, note, resume, shown, grant, clock} = openWaits();
		await enter('a', neverAborted());
		note('a', 'approval');
		note('a', 'nothing');
		let isOn = false;
		const resumed = resume(neverAborted()).then(() => (isOn = true));
		await clock.settle();
		expect([isOn, shown]).toEqual([false, ['approval', 'slot']]);
		grant();
		await resumed;
		expect(shown).toEqual(['approval', 'slot', 'nothing']);
	});

	test('do not begin one more without the slot', async () => {
		const {enter, note, grant, slot, clock} = openWaits();
		await enter('a', neverAborted());
		note('a', 'approval');
		let isIn = false;
		const entered = enter('b', neverAborted()).then(() => (isIn = true));
		await clock.settle();
		expect(isIn).toBe(false);
		grant();
		await entered;
		note('b', 'approval');
		expect(slot.isHeld()).toBe(false);
	});

	test('end while the slot is waited for, and leave it to others when the rest waits', async () => {
		const {enter, note, leave, resume, slot, steps, clock} = openWaits();
		await enter('a', neverAborted());
		await enter('b', neverAborted());
		note('a', 'approval');
		note('b', 'approval');
		note('a', 'nothing');
		const caller = new AbortController();
		const resumed = resume(caller.signal);
		caller.abort(new Error('left'));
		await expect(resumed).rejects.toThrow('left');
		leave('a');
		await clock.settle();
		expect(slot.isHeld()).toBe(false);
		expect(steps.at(0)).toBe('gave it back');
	});
});

test('a model is asked again only with the slot, and its run is shown as waiting for one until then', async () => {
	const {slot, grant} = openSlot();
	const denied = Promise.withResolvers<void>();
	const call = async (_: unknown, {onAsking}: CallOptions) => {
		onAsking?.(true);
		await denied.promise;
		onAsking?.(false);
		return {kind: 'error', error: {code: 'denied', message: 'not today'}} as const;
	};
	const turns = [{calls: ['a', 'b'].map(path => ({name: 'mcp__files__read', input: {path}}))}, 'Then not.'];
	const {agent, server} = await withModel(turns, {tools: {read: {call}}});
	const told: string[] = [];
	const report = (one: RunProgress) => void (one.kind === 'waiting' && told.push(one.waiting));
	const task = {id: 'run-1', route: 'r', event: 'e', deliveryId: 'd', prompt: 'Go', deliver: to('log')};
	const options = {signal: neverAborted(), slot, report};
	const answering = agent.answer({...task, skills: [], toolsets: ['files']}, options);
	await expect.poll(() => slot.isHeld()).toBe(false);
	denied.resolve();
	await expect.poll(() => told).toEqual(['approval', 'slot']);
	expect(server.requests()).toHaveLength(1);
	grant();
	expect((await answering).text).toBe('Then not.');
	expect([told, slot.isHeld()]).toEqual([['approval', 'slot', 'nothing'], true]);
});
