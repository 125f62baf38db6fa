import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readProgramFile, writeProgramFile} from '../../../source/config/programs/program-file.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

test('a file that changes between the preview and the write is not written', async () => {
	const path = join(temporaryDirectory(), 'mcp.json');
	writeFileSync(path, '{}');
	const file = await readProgramFile(path);
	writeFileSync(path, '{"a": 1}');
	await expect(writeProgramFile(file, '{"b": 1}')).rejects.toMatchObject({code: 'config_changed'});
	await expect(writeProgramFile(file, undefined)).rejects.toMatchObject({code: 'config_changed'});
	expect(readFileSync(path, 'utf8')).toBe('{"a": 1}');
	await writeProgramFile(await readProgramFile(path), '{"b": 1}');
	expect(readFileSync(path, 'utf8')).toBe('{"b": 1}');
});

test('a file that somebody makes meanwhile is not replaced, and a new one is private', async () => {
	const path = join(temporaryDirectory(), 'new', 'mcp.json');
	const file = await readProgramFile(path);
	await writeProgramFile(file, '{}');
	expect(statSync(path).mode & 0o777).toBe(0o600);
	await expect(writeProgramFile(file, '[]')).rejects.toMatchObject({code: 'config_changed'});
	expect(readFileSync(path, 'utf8')).toBe('{}');
});
