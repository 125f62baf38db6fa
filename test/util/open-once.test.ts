import {expect, test} from 'vitest';
import {openOnce} from '../../source/util/open-once.ts';

/** Fails at the first opening. */
function openSecondTime() {
	let openings = 0;
	return openOnce(async () => {
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
	const door = openSecondTime();
	const use = door.use();
	const opened = door.opened();
	await expect(use).rejects.toThrow('not now');
	expect(await opened).toBeUndefined();
	expect(await door.use()).toBe(2);
});

test('it is opened once', async () => {
	const door = openOnce(async () => ({}));
	const first = await door.use();
	expect(await door.use()).toBe(first);
	expect(await door.opened()).toBe(first);
});
