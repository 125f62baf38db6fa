import {expect, test} from 'vitest';
import {loadOnce} from '../../source/util/load-once.ts';

/** Fails at the first opening. */
function openSecondTime() {
	let openings = 0;
	return loadOnce(async () => {
		openings += 1;
		if (openings === 1) {
			throw new Error('not now');
		}

		return openings;
	});
}

test('nothing is opened before the first use', async () => {
	expect(await openSecondTime().opened()).toBeUndefined();
});

test('a failed opening is told to its user alone and tried again by the next', async () => {
	const callOptions = openSecondTime();
	const use = callOptions.use();
	const opened = callOptions.opened();
	await expect(use).rejects.toThrow('not now');
	expect(await opened).toBeUndefined();
	expect(await callOptions.use()).toBe(2);
});

test('it is opened once', async () => {
	const callOptions = loadOnce(async () => ({}));
	const first = await callOptions.use();
	expect(await callOptions.use()).toBe(first);
	expect(await callOptions.opened()).toBe(first);
});
