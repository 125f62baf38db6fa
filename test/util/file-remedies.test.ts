import {execFileSync} from 'node:child_process';
import {mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {journalRemedy} from '../../source/util/file-remedies.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

test.each([
	['a journal alone', ['journal.db'], ['journal.db.broken']],
	['a -wal file whose journal is missing', ['journal.db-wal'], ['journal.db.broken-wal']],
	['both', ['journal.db', 'journal.db-shm', 'journal.db-wal'], ['journal.db.broken', 'journal.db.broken-wal']],
	['nothing', [], []],
])('the command of a damaged journal moves away %s', (_, files, left) => {
	const directory = join(temporaryDirectory(), "a person's files");
	mkdirSync(directory);
	files.forEach(file => writeFileSync(join(directory, file), file));
	const [, command = ''] = /`([^`]+)`/u.exec(journalRemedy(join(directory, 'journal.db'), 'damaged')) ?? [];
	execFileSync('sh', ['-c', command], {stdio: 'pipe'});
	expect(readdirSync(directory).toSorted()).toEqual(left);
});
