import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runSluiceJson} from '../helpers/run-sluice.ts';
import {
	environment,
	nodeFlags,
	openDashboard,
	pressUntil,
	program,
	startSluice,
	stateDirectory,
} from '../helpers/sluice.ts';
import {openTerminal, type Terminal} from '../helpers/terminal.ts';
import {garden} from './garden.ts';

const line = [process.execPath, ...nodeFlags, program].join(' ');
const suspendKey = '\u001A';

function openShell(home: string): Terminal {
	const env = {...environment(home), PS1: 'prompt> '};
	return openTerminal({command: 'bash', args: ['--noprofile', '--norc', '-i'], cwd: home, env});
}

describe('Ctrl-Z', () => {
	test('hands the terminal to the shell that started the program, and fg brings the dashboard back', async () => {
		const home = stateDirectory({mcp_servers: {garden}});
		writeFileSync(join(home, 'preferences.json'), JSON.stringify({theme: 'auto', mouse: 'wheel'}));
		const terminal = openShell(home);
		await terminal.waitFor('prompt>');
		terminal.press(`${line}\r`);
		await terminal.waitFor(/● garden +connected/);
		await pressUntil(terminal, suspendKey, 'Suspend? The gateway stops answering until you resume it');
		terminal.press('y');
		await terminal.waitFor('Stopped');
		expect(terminal.isAlternate()).toBe(false);
		const lastOf = (sequence: string) => terminal.bytes().lastIndexOf(sequence);
		const modesOn = () =>
			[1004, 1000, 1006, 2031].filter(mode => lastOf(`\u001B[?${mode}h`) > lastOf(`\u001B[?${mode}l`));
		expect(modesOn()).toEqual([]);
		expect(lastOf('\u001B[?1006h')).toBeGreaterThan(0);
		terminal.press('fg\r');
		await terminal.waitFor(/● garden +connected/);
		await expect.poll(modesOn).toEqual([1004, 1000, 1006, 2031]);
		await pressUntil(terminal, '4', '4 Runs and inbox');
	});

	test('hands over a window without asking where another process has the gateway, which goes on', async () => {
		const home = stateDirectory({mcp_servers: {garden}});
		await startSluice({home}, 'gateway', 'run').waitForLine('garden connected');
		const terminal = openShell(home);
		await terminal.waitFor('prompt>');
		terminal.press(`${line}\r`);
		await terminal.waitFor(/attached[^]*● garden +connected/);
		await pressUntil(terminal, suspendKey, 'Stopped');
		expect(terminal.isAlternate()).toBe(false);
		expect(await runSluiceJson({home}, 'mcp', 'list')).toMatchObject([{name: 'garden', state: 'connected'}]);
		terminal.press('fg\r');
		await terminal.waitFor(/attached[^]*● garden +connected/);
		await pressUntil(terminal, '4', '4 Runs and inbox');
	});

	test('says that nobody could resume the program where no shell started it, and the dashboard goes on', async () => {
		const dashboard = openDashboard({home: stateDirectory({mcp_servers: {garden}})});
		await dashboard.waitFor(/● garden +connected/);
		await pressUntil(dashboard, suspendKey, 'suspending is not possible here: no shell would resume Sluice');
		expect(dashboard.screen().join('\n')).not.toContain('Suspend?');
		await pressUntil(dashboard, '4', '4 Runs and inbox');
	});

	test('says the same under a shell without job control', async () => {
		const home = stateDirectory({mcp_servers: {garden}});
		const env = environment(home);
		const terminal = openTerminal({command: 'bash', args: ['-c', `${line}; true`], cwd: home, env});
		await terminal.waitFor(/● garden +connected/);
		await pressUntil(terminal, suspendKey, 'suspending is not possible here: no shell would resume Sluice');
		await pressUntil(terminal, '4', '4 Runs and inbox');
	});
});
