import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {fileVersions} from '../../../source/journal/tables/schema-steps.ts';
import {openDatabase} from '../../../source/journal/sqlite/database.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

// 2 is FULL: a commit has reached the disk when it is reported, so it outlives a loss of power, which no test can cause.
test.each([
	{pragma: 'journal_mode', value: 'wal'},
	{pragma: 'synchronous', value: 2},
])('$pragma is $value', ({pragma, value}) => {
	const row = openDatabase(join(temporaryDirectory(), 'journal.db'), file => {
		const answer = file.database.prepare(`PRAGMA ${pragma}`).get();
		file.close();
		return answer;
	});
	expect(row).toEqual({[pragma]: value});
});

test('a journal of another version is refused with its path, and no connection stays open', () => {
	const path = join(temporaryDirectory(), 'journal.db');
	const other = new DatabaseSync(path);
	other.exec('PRAGMA user_version = 999');
	other.close();
	expect(() => openDatabase(path, () => 'opened')).toThrow(
		expect.objectContaining({
			code: 'schema_newer',
			message: `The journal has schema 999, which is newer than schema ${fileVersions.current} of this version of Sluice: ${path}`,
		}),
	);
	const again = new DatabaseSync(path);
	again.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
	again.close();
});
