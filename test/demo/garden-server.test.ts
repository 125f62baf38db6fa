import {expect, test} from 'vitest';
import {createTaskList} from '../../source/demo/garden-server.ts';

test('a full board takes no more tasks', () => {
	const tasks = createTaskList();
	for (let count = 0; count < 200; count++) {
		tasks.add({title: 'Weed', bed: 'path'});
	}

	expect([tasks.list().length, tasks.add({title: 'Weed', bed: 'path'})]).toEqual([100, undefined]);
});

test('a number is not used twice', () => {
	const tasks = createTaskList();
	const first = tasks.add({title: 'Weed', bed: 'path'});
	tasks.remove(first?.id ?? 0);
	expect(tasks.add({title: 'Weed', bed: 'path'})?.id).toBe((first?.id ?? 0) + 1);
});
