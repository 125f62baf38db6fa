import {expect, test} from 'vitest';
import {createTaskBoard} from '../../source/demo/task-board.ts';

test('a full board takes no more tasks', () => {
	const board = createTaskBoard();
	for (let count = 0; count < 200; count++) {
		board.add({title: 'Weed', bed: 'path'});
	}

	expect([board.list().length, board.add({title: 'Weed', bed: 'path'})]).toEqual([100, undefined]);
});

test('a number is not used twice', () => {
	const board = createTaskBoard();
	const first = board.add({title: 'Weed', bed: 'path'});
	board.remove(first?.id ?? 0);
	expect(board.add({title: 'Weed', bed: 'path'})?.id).toBe((first?.id ?? 0) + 1);
});
