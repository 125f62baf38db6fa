import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	environment,
	nodeFlags,
	openDashboard,
	pressUntil,
	program,
	readState,
	startSluice,
	stateDirectory,
} from '../helpers/sluice.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const config = `gateway:
  endpoint: {port: 0}
mcp_servers:
  spare:
    command: node
    args: [spare.js]
    enabled: false
`;

/** An editor that runs each line that is typed into it as a command of the shell; \`$last\` is the file. */
function editorIn(folder: string): string {
	const path = join(folder, 'my tools');
	mkdirSync(path);
	const lines = [
		"trap '' INT QUIT",
		'for last; do :; done',
		`printf '\\033[?1049h\\033[2J\\033[HEDITOR %s %s\\r\\n' "$1" "$2"`,
		'while IFS= read -r line; do eval "$line"; done',
	];
	writeFileSync(join(path, 'vi'), `#!/bin/sh\n${lines.join('\n')}\n`, {mode: 0o700});
	return `'${join(path, 'vi')}'`;
}

test('an editor gets the terminal with every key, and the dashboard takes it back as it was, also after one that was killed', async () => {
	const home = stateDirectory(config);
	const folder = temporaryDirectory();
	const env = {...environment(home), PS1: 'prompt> ', VISUAL: editorIn(folder), TMPDIR: folder};
	const terminal = openTerminal({command: 'bash', args: ['--noprofile', '--norc', '-i'], cwd: home, env});
	await terminal.waitFor('prompt>');
	terminal.press(`stty -g > before; ${[process.execPath, ...nodeFlags, program].join(' ')}; stty -g > after\r`);
	await terminal.waitFor(/– spare +disabled/u);
	await pressUntil(terminal, '5', '─ 5 Jobs');
	await pressUntil(terminal, '1', /– spare +disabled/u);

	terminal.press('e');
	await terminal.waitFor('EDITOR -c 4');
	terminal.resize(70, 20);
	// Keys that would stop the dashboard belong to the editor.
	terminal.press('\u0003\u001C');
	const name = 'x'.repeat(1000);
	terminal.press(`sed -i 's/spare.js/${name}/' "$last"; exit\r`);
	await terminal.waitFor('w write it');
	await pressUntil(terminal, 'w', 'Reloaded');
	expect(readState(home, 'config.yaml')).toBe(config.replace('spare.js', name));

	terminal.press('e');
	await terminal.waitFor('EDITOR -c 4');
	terminal.press(`stty raw -echo; printf '\\033[?1000h\\033[?25l'; kill -9 $$\r`);
	await terminal.waitFor(/ended\s+by\s+SIGKILL/u);
	expect(terminal.bytes().lastIndexOf('\u001B[?1000l')).toBeGreaterThan(terminal.bytes().lastIndexOf('\u001B[?1000h'));
	await pressUntil(terminal, '5', '─ 5 Jobs');
	terminal.press('q');
	await terminal.waitFor('prompt>');
	await expect.poll(() => readState(home, 'after')).not.toBe('');
	expect(readState(home, 'after')).toBe(readState(home, 'before'));
	expect(terminal.isAlternate()).toBe(false);
}, 60_000);

test('an attached dashboard has them too: a text that was not written stays when it ends, and a command runs without .env', async () => {
	const home = stateDirectory(config, 'STORED_SECRET=of-dotenv\n');
	const folder = temporaryDirectory();
	const command = ['sh', '-c', 'echo "[$STORED_SECRET] $0"; printf "\\033[2J"; tty', '{server}'];
	writeFileSync(join(home, 'preferences.json'), JSON.stringify({keys: [{key: 'J', title: 'look', command}]}), {
		mode: 0o600,
	});
	await startSluice({home}, 'gateway', 'run').waitForLine('endpoint');
	const dashboard = openDashboard({home, env: {VISUAL: editorIn(folder), TMPDIR: folder}});
	await dashboard.waitFor(/attached[^]*– spare +disabled/u);
	await pressUntil(dashboard, 'J', '[] spare');
	await dashboard.waitFor('␛[2J');
	await dashboard.waitFor('not a tty');
	dashboard.press('\u001B');
	await dashboard.waitFor(/– spare +disabled/u);
	dashboard.press('e');
	await dashboard.waitFor('EDITOR -c 4');
	dashboard.press(`echo '# mine' >> "$last"; echo written\r`);
	await dashboard.waitFor(/^written/mu);
	dashboard.kill('SIGTERM');
	await dashboard.exit;
	const [, path = ''] = /Your text is in (\S+)\./u.exec(dashboard.screen().join('')) ?? [];
	expect(readFileSync(path, 'utf8')).toBe(`${config}# mine\n`);
	expect(readState(home, 'config.yaml')).toBe(config);
	expect(dashboard.isAlternate()).toBe(false);
}, 60_000);
