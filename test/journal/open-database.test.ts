import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openDatabase} from '../../source/journal/open-database.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

// 2 is FULL: a commit has reached the disk when it is told, so it outlives a loss of power, which no test can cause.
test.each([
	{pragma: 'journal_mode', value: 'wal'},
	{pragma: 'synchronous', value: 2},
])('$pragma is $value', ({pragma, value}) => {
	const row = openDatabase(join(temporaryDirectory(), 'journal.db'), database => {
		const answer = database.prepare(`PRAGMA ${pragma}`).get();
		database.close();
		return answer;
	});
	expect(row).toEqual({[pragma]: value});
});
