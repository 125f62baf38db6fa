import {spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parseCommandLine} from '../../source/commands/cli/parse-command-line.ts';
import {codeBlocks, readPages} from '../helpers/documentation.ts';
import {type ShellCommand, shellCommands} from '../helpers/shell-commands.ts';
import {program} from '../helpers/sluice.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** Commands that need no network, no gateway and no terminal, and change nothing but their state directory. */
const harmless = [
	'mcp enable',
	'mcp disable',
	'webhook subscribe',
	'webhook list',
	'webhook test',
	'webhook remove',
	'cron create',
	'cron list',
	'cron pause',
	'cron resume',
	'cron remove',
	'skills list',
	'events list',
	'approvals rules list',
	'completion bash',
	'doctor',
];

function isHarmless({words: [name, ...typed], plain}: ShellCommand): boolean {
	if (name !== 'sluice' || !plain) {
		return false;
	}

	const {words, flags} = parseCommandLine(typed);
	const meant = harmless.some(command => words.join(' ').startsWith(command));
	// A look beyond the files, a stored event of its own, or a request to a gateway.
	const reaches =
		(words[0] === 'doctor' && !flags.offline) || (words[1] === 'test' && !flags.dryRun) || flags.event !== undefined;
	return meant && !reaches;
}

/** A home with a server, a profile and a webhook receiver, and the program in its PATH. */
function openHome() {
	const home = temporaryDirectory();
	const state = join(home, '.sluice');
	['bin', '.sluice/profiles/work'].forEach(folder => mkdirSync(join(home, folder), {recursive: true, mode: 0o700}));
	const config = {
		mcp_servers: {tracker: {url: 'http://127.0.0.1:9/mcp', enabled: false}},
		platforms: {webhook: {enabled: true, port: 0, secret: 'of the whole receiver'}},
		gateway: {endpoint: {enabled: false}},
	};
	writeFileSync(join(state, 'config.yaml'), JSON.stringify(config), {mode: 0o600});
	const start = `#!/bin/sh\nexec ${process.execPath} --disable-warning=ExperimentalWarning ${program} "$@"\n`;
	writeFileSync(join(home, 'bin', 'sluice'), start, {mode: 0o755});
	return {HOME: home, PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`, LANG: 'C.UTF-8'};
}

test('command lines of the docs that need nothing but a state directory do what they say', {timeout: 180_000}, () => {
	let count = 0;
	for (const {path, text} of readPages()) {
		const env = openHome();
		const lines = codeBlocks(text, 'sh').flatMap(block => shellCommands(block).filter(isHarmless));
		// What one line makes the next may need, whatever order the reference has them in.
		const [removals, others] = [true, false].map(last => lines.filter(({words}) => words.includes('remove') === last));
		for (const {line} of [...(others ?? []), ...(removals ?? [])]) {
			const {status, stdout, stderr} = spawnSync('sh', ['-c', line], {env, encoding: 'utf8'});
			expect([path, line, status, stdout + stderr]).toEqual([path, line, 0, stdout + stderr]);
			count++;
		}
	}

	expect(count).toBeGreaterThan(25);
});
