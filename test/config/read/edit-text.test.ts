import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import {type EditableFile, readForEdit} from '../../../source/config/read/editable-file.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const written = `# Mine.

gateway:   # the process
  drain_timeout:   30      # seconds
  profiles:  [ work,  home ]    # more than one
  endpoint: {port: 8645,  enabled: true}
mcp_servers:
   # The garden.
   garden:
      command:  "node"    # in double quotes
      args:
        -   garden.js

   # The weather, which is far away.
   weather:
      url: http://127.0.0.1/mcp
      enabled:
`;

async function edited(change: (file: EditableFile) => void, text = written) {
	const path = join(temporaryDirectory(), 'config.yaml');
	writeFileSync(path, text);
	const file = await readForEdit(path);
	change(file);
	await file.save();
	const after = readFileSync(path, 'utf8');
	expect(parse(after, {merge: true})).toEqual(file.value());
	return after;
}

const changes: ReadonlyArray<readonly [string, (file: EditableFile) => void, before: string, after: string]> = [
	['a number', file => file.set(['gateway', 'drain_timeout'], 45), '30      #', '45      #'],
	['a text in quotes', file => file.set(['mcp_servers', 'garden', 'command'], 'a: b'), '"node"', '"a: b"'],
	['a value in brackets', file => file.set(['gateway', 'profiles', 1], 'a, b'), 'home ]', '"a, b" ]'],
	['a value in braces', file => file.set(['gateway', 'endpoint', 'port'], 1), '8645,  e', '1,  e'],
	['an item of a list', file => file.set(['mcp_servers', 'garden', 'args', 0], '-x'), 'garden.js', '-x'],
	[
		'a value that is missing',
		file => file.set(['mcp_servers', 'weather', 'enabled'], false),
		'bled:\n',
		'bled: false\n',
	],
	[
		'a key that is new',
		file => file.set(['gateway', 'drain_delay'], 5),
		'enabled: true}\n',
		'enabled: true}\n  drain_delay: 5\n',
	],
	[
		'a section that is new',
		file => file.set(['approvals', 'timeout'], 60),
		'enabled:\n',
		'enabled:\napprovals:\n  timeout: 60\n',
	],
	[
		'a server that is new',
		file => file.set(['mcp_servers', 'x'], {command: 'x', args: ['a']}),
		'enabled:\n',
		'enabled:\n   x:\n     command: x\n     args:\n       - a\n',
	],
	['a key that goes', file => file.remove(['gateway', 'drain_timeout']), '  drain_timeout:   30      # seconds\n', ''],
	[
		'a server that goes with the comment above it',
		file => file.remove(['mcp_servers', 'weather']),
		'   # The weather, which is far away.\n   weather:\n      url: http://127.0.0.1/mcp\n      enabled:\n',
		'',
	],
];

describe('a change of one value leaves every other byte', () => {
	test.each(changes)('%s', async (_, change, before, after) => {
		expect(written.split(before)).toHaveLength(2);
		expect(await edited(change)).toBe(written.replace(before, after));
	});

	test('two changes, one after the other', async () => {
		const after = await edited(file => {
			file.set(['gateway', 'drain_timeout'], 45_000);
			file.set(['mcp_servers', 'weather', 'enabled'], true);
		});
		expect(after).toBe(written.replace('30  ', '45000  ').replace('enabled:\n', 'enabled: true\n'));
	});

	test('a value that is the same', async () => {
		expect(await edited(file => file.set(['gateway', 'drain_timeout'], 30))).toBe(written);
	});

	test('a last line without a line break, and line breaks of Windows', async () => {
		expect(await edited(file => file.set(['b'], 2), 'a:  1')).toBe('a:  1\nb: 2\n');
		expect(await edited(file => file.set(['a'], 2), 'a:   1   # x\r\nb: 1\r\n')).toBe('a:   2   # x\r\nb: 1\r\n');
	});
});

test.each([
	['a list in place of a value', (file: EditableFile) => file.set(['gateway', 'profiles', 1], ['a'])],
	['the only member of a mapping', (file: EditableFile) => file.remove(['mcp_servers', 'garden', 'args', 0])],
	['a member of braces', (file: EditableFile) => file.remove(['gateway', 'endpoint', 'port'])],
	['a value of several lines', (file: EditableFile) => file.set(['mcp_servers', 'garden', 'command'], 'a\nb\n')],
])('%s is written by the library, with all comments', async (_, change) => {
	const after = await edited(change);
	expect(after).not.toBe(written);
	expect(after.match(/# .*/gu)).toEqual(written.match(/# .*/gu));
});
