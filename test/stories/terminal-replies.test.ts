import {execFile, execFileSync} from 'node:child_process';
import {promisify} from 'node:util';
import {expect, onTestFinished, test, vi} from 'vitest';
import {runSluice} from '../helpers/run-sluice.ts';
import {
	environment,
	nodeFlags,
	openDashboard,
	pressUntil,
	program,
	readState,
	silentTerminalText,
	startSluice,
	stateDirectory,
} from '../helpers/sluice.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {addTask, garden, listTasks} from './garden.ts';

const run = promisify(execFile);

/** A dashboard in the pane of a tmux server of its own, which knows only the older position report (CPR). */
async function openPane(home: string) {
	const env = {...environment(home), TMUX_TMPDIR: temporaryDirectory()};
	const tmux = async (...words: readonly string[]) =>
		(await run('tmux', ['-L', 'sluice', '-f', '/dev/null', ...words], {env})).stdout;
	onTestFinished(async () => void (await tmux('kill-server').catch(() => undefined)));
	await tmux('new-session', '-d', '-x', '100', '-y', '30', process.execPath, ...nodeFlags, program);
	const waitFor = (text: string | RegExp) =>
		vi.waitFor(async () => expect(await tmux('capture-pane', '-p')).toMatch(text), {timeout: 25_000, interval: 50});
	return {waitFor, press: (key: string) => tmux('send-keys', '-l', key)};
}

function hasTmux(): boolean {
	try {
		return execFileSync('tmux', ['-V'], {encoding: 'utf8'}).startsWith('tmux ');
	} catch {
		return false;
	}
}

test.runIf(hasTmux())(
	'in tmux the keys of a card act once tmux has reported that it shows the card',
	async () => {
		const home = stateDirectory({mcp_servers: {garden}});
		const pane = await openPane(home);
		await pane.waitFor(/● garden +connected/);
		const call = startSluice({home}, ...addTask);
		await pane.waitFor('1 approval waiting');
		await pane.press('A');
		await pane.waitFor('APPROVAL 1 of 1');
		await pane.waitFor(/^ ready/m);
		expect((await runSluice({home}, ...listTasks)).stdout).not.toMatch(/Mow/);
		await pane.press('a');
		expect(await call.end).toMatchObject({code: 0, stdout: 'Added #4 Mow the lawn (garden)\n'});
		expect(readState(home, 'logs/sluice.log')).not.toContain(silentTerminalText);
	},
	60_000,
);

test('on a terminal that reports nothing the keys of a card act once it was sent, and the log says so', async () => {
	const home = stateDirectory({mcp_servers: {garden}});
	const dashboard = openDashboard({home}, {isSilent: true});
	await dashboard.waitFor(/● garden +connected/);
	await vi.waitFor(() => expect(readState(home, 'logs/sluice.log')).toContain(silentTerminalText), 25_000);
	const call = startSluice({home}, ...addTask);
	await dashboard.waitFor('1 approval waiting');
	await pressUntil(dashboard, 'A', 'APPROVAL 1 of 1');
	await dashboard.waitFor(/^ ready/m);
	dashboard.press('a');
	expect(await call.end).toMatchObject({code: 0, stdout: 'Added #4 Mow the lawn (garden)\n'});
	expect(dashboard.answers()).toBe(0);
});
