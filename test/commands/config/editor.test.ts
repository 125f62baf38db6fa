import {statSync} from 'node:fs';
import {dirname} from 'node:path';
import {expect, test} from 'vitest';
import {
	createPrivateCopy,
	editorCommand,
	editorWords,
	runEditor,
	shellWords,
} from '../../../source/commands/config/editor.ts';

test.each<[string, readonly string[]]>([
	['vi', ['vi']],
	['  code   --wait ', ['code', '--wait']],
	["'/opt/my editor/run' -n", ['/opt/my editor/run', '-n']],
	['"/opt/my editor/run" -n', ['/opt/my editor/run', '-n']],
	[String.raw`/opt/my\ editor/run`, ['/opt/my editor/run']],
	[String.raw`a "say \"hi\" \$x \n"`, ['a', String.raw`say "hi" $x \n`]],
	[`a '' b`, ['a', '', 'b']],
	[`emacs --eval='(x "y")'`, ['emacs', '--eval=(x "y")']],
	['a $HOME `b` ; c', ['a', '$HOME', '`b`', ';', 'c']],
])('%j has the words %j', (text, words) => {
	expect(shellWords(text)).toEqual(words);
});

test.each([`a 'b`, 'a "b', 'a \\'])('%j is refused: its quote is never closed', text => {
	expect(() => shellWords(text)).toThrow(expect.objectContaining({code: 'bad_usage'}));
});

test.each<[Record<string, string>, readonly string[]]>([
	[{VISUAL: 'a -x', EDITOR: 'b'}, ['a', '-x']],
	[{VISUAL: ' ', EDITOR: 'b'}, ['b']],
	[{EDITOR: ''}, ['vi']],
	[{}, ['vi']],
])('of %j the editor is %j', (variables, words) => {
	expect(editorWords(variables)).toEqual(words);
});

test.each<[readonly [string, ...string[]], readonly string[], readonly string[]]>([
	[['vi'], ['vi', '-c', '7', '/x'], ['vi', '/x']],
	[
		['/usr/bin/nvim', '-u', 'NONE'],
		['/usr/bin/nvim', '-u', 'NONE', '+7', '/x'],
		['/usr/bin/nvim', '-u', 'NONE', '/x'],
	],
	[['nano'], ['nano', '+7', '/x'], ['nano', '/x']],
	[
		['emacs', '-nw'],
		['emacs', '-nw', '+7', '/x'],
		['emacs', '-nw', '/x'],
	],
	[['micro'], ['micro', '+7', '/x'], ['micro', '/x']],
	[['hx'], ['hx', '/x:7'], ['hx', '/x']],
	[
		['subl', '-w'],
		['subl', '-w', '/x:7'],
		['subl', '-w', '/x'],
	],
	[['zed'], ['zed', '--wait', '/x:7'], ['zed', '--wait', '/x']],
	[['code'], ['code', '--wait', '--goto', '/x:7'], ['code', '--wait', '/x']],
	[
		['code', '--wait'],
		['code', '--wait', '--goto', '/x:7'],
		['code', '--wait', '/x'],
	],
	[['kate'], ['kate', '--block', '--line', '7', '/x'], ['kate', '/x']],
	[['my-editor'], ['my-editor', '/x'], ['my-editor', '/x']],
	[
		['sh', '-c', 'x'],
		['sh', '-c', 'x', '/x'],
		['sh', '-c', 'x', '/x'],
	],
])('the editor %j opens a file at a line with %j, and without one with %j', (words, atLine, alone) => {
	expect(editorCommand(words, '/x', 7)).toEqual(atLine);
	expect(editorCommand(words, '/x', undefined)).toEqual(alone);
});

test('an editor that is missing, or fails, is named', async () => {
	await expect(runEditor(['/no/such/editor', '/x'])).rejects.toMatchObject({
		code: 'command_not_found',
		message: 'The editor /no/such/editor was not found',
	});
	await expect(runEditor(['/bin/sh', '-c', 'exit 3'])).rejects.toMatchObject({
		code: 'cancelled',
		message: 'The editor /bin/sh ended with code 3; nothing was written',
	});
	await expect(runEditor(['/bin/sh', '-c', 'kill -9 $$'])).rejects.toThrow('ended by SIGKILL');
	await expect(runEditor(['/bin/true'])).resolves.toBeUndefined();
});

test('the copy is for this user alone, and goes with its folder', async () => {
	const copy = await createPrivateCopy('a: 1\n', 'config.yaml');
	const modes = [copy.path, dirname(copy.path)].map(path => statSync(path).mode & 0o777);
	expect([modes, await copy.read()]).toEqual([[0o600, 0o700], 'a: 1\n']);
	await copy.remove();
	expect(statSync(dirname(copy.path), {throwIfNoEntry: false})).toBeUndefined();
});
