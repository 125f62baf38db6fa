import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parseCommandLine} from '../../source/commands/cli/parse-command-line.ts';
import {codeBlocks, readPages} from '../helpers/documentation.ts';
import {runSluice} from '../helpers/run-sluice.ts';
import {type ShellCommand, shellCommands} from '../helpers/shell-commands.ts';
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
	'cron edit',
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
		(words[0] === 'doctor' && !flags.offline) ||
		(words[1] === 'test' && !flags.dryRun) ||
		flags.event !== undefined ||
		flags.follow;
	return meant && !reaches;
}

/** A `.env` with every variable that a page names for a secret. */
function variablesOf(text: string): string {
	const names = [...text.matchAll(/--secret-env (\w+)|\$\{(\w+)\}/gu)].map(([, flag, reference]) => flag ?? reference);
	return [...new Set(names)].map(name => `${name}=whsec_of-the-docs\n`).join('');
}

/** A state directory with a server, a profile and a webhook receiver, and a `sluice` in the PATH that writes down the words it gets. */
function openHome(text: string) {
	const home = temporaryDirectory();
	['bin', 'profiles/work'].forEach(folder => mkdirSync(join(home, folder), {recursive: true, mode: 0o700}));
	const config = {
		mcp_servers: {tracker: {url: 'http://127.0.0.1:9/mcp', enabled: false}},
		platforms: {webhook: {enabled: true, port: 0, secret: 'of the whole receiver'}},
		gateway: {endpoint: {enabled: false}},
	};
	writeFileSync(join(home, 'config.yaml'), JSON.stringify(config), {mode: 0o600});
	writeFileSync(join(home, '.env'), variablesOf(text), {mode: 0o600});
	writeFileSync(join(home, 'bin', 'sluice'), '#!/bin/sh\nprintf "%s\\0" "$@" > "$HOME/words"\n', {mode: 0o755});
	const env = {HOME: home, PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`, LANG: 'C.UTF-8'};
	/** The words that a shell hands over when somebody types this line. */
	const wordsOf = (line: string) => {
		execFileSync('sh', ['-c', line], {env});
		return readFileSync(join(home, 'words'), 'utf8').split('\0').slice(0, -1);
	};
	return {home, wordsOf};
}

test('command lines of the docs that need nothing but a state directory do what they say', async () => {
	let count = 0;
	for (const {path, text} of readPages()) {
		const {home, wordsOf} = openHome(text);
		const lines = codeBlocks(text, 'sh').flatMap(block => shellCommands(block).filter(isHarmless));
		// A line may need the result of the one before, whatever order the reference has them in.
		const [removals, others] = [true, false].map(last => lines.filter(({words}) => words.includes('remove') === last));
		for (const {line} of [...(others ?? []), ...(removals ?? [])]) {
			const {code, stdout, stderr} = await runSluice({home}, ...wordsOf(line));
			expect([path, line, code, stdout + stderr]).toEqual([path, line, 0, stdout + stderr]);
			count++;
		}
	}

	expect(count).toBeGreaterThan(25);
});
