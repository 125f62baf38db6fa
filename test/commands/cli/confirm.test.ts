import {execFileSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {openTerminal} from '../../helpers/terminal.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const program = fileURLToPath(new URL('../../fixtures/asks-once.ts', import.meta.url));
const controlD = '\u0004';

function openAsking() {
	return openTerminal({
		command: process.execPath,
		args: [program],
		cwd: temporaryDirectory(),
		env: {PATH: process.env['PATH'] ?? ''},
	});
}

test.each([
	['y\r', 'yes'],
	['YES\r', 'yes'],
	['\r', 'no'],
	['yeah\r', 'no'],
	['n\r', 'no'],
	[controlD, 'no'],
])('%j on a terminal is %s', async (typed, answer) => {
	const terminal = openAsking();
	await terminal.waitFor('Really? [y/N]');
	terminal.press(typed);
	await terminal.waitFor(`answer: ${answer}`);
});

test.each(['y\r', 'y\r\ny', 'y'])('%j that was typed before the question answers nothing', async typed => {
	const terminal = openAsking();
	terminal.press(typed);
	await terminal.waitFor('Really? [y/N]');
	expect(terminal.screen().join('\n')).not.toContain('answer');
	terminal.press('\r');
	await terminal.waitFor('answer: no');
});

test('without a terminal nobody is asked', () => {
	const output = execFileSync(process.execPath, [program], {input: 'y\n', encoding: 'utf8'});
	expect(output).toBe('answer: no-terminal\n');
});
