import {readdirSync, readFileSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createMediaFolder} from '../../source/tools/media-folder.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const bytes = new TextEncoder().encode('picture');

describe('the media folder', () => {
	test('keeps the bytes for the owner alone', async () => {
		const directory = join(temporaryDirectory(), 'cache', 'media');
		const path = await createMediaFolder(directory)({bytes, mimeType: 'image/png'});
		expect(readFileSync(path, 'utf8')).toBe('picture');
		expect([statSync(path).mode & 0o777, statSync(directory).mode & 0o777]).toEqual([0o600, 0o700]);
	});

	test('keeps the same picture once, and nothing half written', async () => {
		const directory = temporaryDirectory();
		const save = createMediaFolder(directory);
		const paths = await Promise.all([save({bytes, mimeType: 'image/png'}), save({bytes, mimeType: 'image/png'})]);
		expect(new Set(paths).size).toBe(1);
		expect(readdirSync(directory)).toHaveLength(1);
	});

	test.each([
		['image/png', '.png'],
		['text/html', '.bin'],
		['../../evil', '.bin'],
		['constructor', '.bin'],
	])('ends the name of %s with %s', async (mimeType, ending) => {
		const directory = temporaryDirectory();
		const path = await createMediaFolder(directory)({bytes, mimeType});
		expect([dirname(path), path.slice(path.lastIndexOf('.'))]).toEqual([directory, ending]);
	});
});
