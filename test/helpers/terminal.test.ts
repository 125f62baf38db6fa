import {describe, expect, test} from 'vitest';
import {openTerminal} from './terminal.ts';

/** A program that writes what the test says and then waits for a key. */
function openProgram(script: string) {
	return openTerminal({command: 'sh', args: ['-c', script]});
}

describe('the pseudo terminal', () => {
	test('passes keys to the program and shows its answer', async () => {
		const terminal = openProgram('read line; echo "got $line"');
		terminal.press('hello\r');
		await terminal.waitFor(/^hello\ngot hello/m);
		expect(await terminal.exit).toBe(0);
	});

	test('moves the cursor as a screen does', async () => {
		const terminal = openProgram('printf "\\033[2J\\033[3;5Hthere"; read line');
		await terminal.waitFor('there');
		expect(terminal.screen()[2]).toBe('    there');
	});

	test('has the size it was given, and signals a new one to the program', async () => {
		const terminal = openTerminal({
			command: 'bash',
			args: ['-c', 'trap "stty size" WINCH; stty size; while true; do read -t 1; done'],
			columns: 70,
			rows: 12,
		});
		await terminal.waitFor('12 70');
		terminal.resize(90, 20);
		await terminal.waitFor('20 90');
		expect(terminal.screen()).toHaveLength(20);
	});

	test('knows the alternate screen', async () => {
		const terminal = openProgram('printf "\\033[?1049hinside"; read line');
		await terminal.waitFor('inside');
		expect(terminal.isAlternate()).toBe(true);
	});

	test('records every byte', async () => {
		const terminal = openProgram('printf "\\033[31mred"');
		await terminal.exit;
		expect(terminal.bytes()).toContain('\u001B[31mred');
	});

	test('resolves with the exit code', async () => {
		expect(await openProgram('exit 7').exit).toBe(7);
	});

	test('gives the exit code that shells use for a signal', async () => {
		const terminal = openTerminal({command: 'cat'});
		terminal.kill('SIGKILL');
		expect(await terminal.exit).toBe(137);
	});

	test('rejects with the screen when the text does not come', async () => {
		const terminal = openProgram('printf almost; read line');
		await terminal.waitFor('almost');
		await expect(terminal.waitFor('everything', 50)).rejects.toThrow(/50 ms passed[\s\S]*almost/);
	});

	test('does not wait for text from a program that ended', async () => {
		await expect(openProgram('printf bye').waitFor('never')).rejects.toThrow(/ended with 0[\s\S]*bye/);
	});

	test('blocks a program whose output is not read', async () => {
		const terminal = openProgram(
			'printf ready; read line; head -c 1000000 /dev/zero | tr "\\0" x; printf "\\ndone"; read line',
		);
		await terminal.waitFor('ready');
		terminal.stall();
		terminal.press('\r');
		await expect(terminal.waitFor('done', 300)).rejects.toThrow(/300 ms passed/);
		terminal.read();
		await terminal.waitFor('done');
	});
});
