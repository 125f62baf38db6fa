import {expect, test} from 'vitest';
import {loadOnce} from '../../source/util/lazy.ts';

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

test('a failed opening rejects for its user alone, and the next one tries again', async () => {
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
