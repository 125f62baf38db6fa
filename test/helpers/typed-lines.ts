import {spawn} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, vi} from 'vitest';
import {codeBlocks} from './documentation.ts';
import {onTestFinished} from './on-test-finished.ts';
import {program} from './sluice.ts';
import {temporaryDirectory} from './temporary-directory.ts';

type Variables = Readonly<Record<string, string>>;

/** A line that a shell runs. */
export type TypedLine = {readonly output: () => string; readonly end: Promise<number | null>};

/** The outputs of the lines of a page that ended, by line, and the lines that go on, in their order. */
export type PlayedLines = {
	/** The output of the first line that begins like this. */
	readonly output: (start: string) => string;
	readonly background: readonly TypedLine[];
};

/** The lines of the shell blocks below a heading of the second level. */
export function linesBelow(text: string, heading: string): readonly string[] {
	const [, rest = ''] = text.split(`\n## ${heading}\n`);
	const [section = ''] = rest.split('\n## ');
	return codeBlocks(section, 'sh').flatMap(block => block.trim().split('\n'));
}

/** A home with the programs of the pages in its PATH: this build, and an `npx` that starts the installed file server. */
export function openShellHome(variables: Variables = {}): Variables & {readonly HOME: string} {
	const home = temporaryDirectory();
	const bin = join(home, 'bin');
	mkdirSync(bin);
	const filesystem = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'));
	const start = (...args: readonly string[]) => `#!/bin/sh\n${args.join(' ')}\n`;
	writeFileSync(
		join(bin, 'sluice'),
		start('exec', process.execPath, '--disable-warning=ExperimentalWarning', program, '"$@"'),
		{mode: 0o755},
	);
	writeFileSync(join(bin, 'npx'), start('shift 2; exec', process.execPath, filesystem, '"$@"'), {mode: 0o755});
	return {HOME: home, PATH: `${bin}:${process.env['PATH'] ?? ''}`, LANG: 'C.UTF-8', WEBHOOK_PORT: '0', ...variables};
}

/**
Types the lines of a page one after another, as a reader does. A line with `&` goes on: the next one is typed once the gateway is up, or the
call waits. `replace` gives the values that the page leaves to the reader.
*/
export async function playLines(
	lines: readonly string[],
	env: Variables,
	replace: (line: string) => Promise<string> | string = line => line,
): Promise<PlayedLines> {
	const outputs = new Map<string, string>();
	const background: TypedLine[] = [];
	let assignments = '';
	for (const line of lines) {
		const typed = await withIds(await replace(line), env);
		if (line.endsWith(' &')) {
			const started = typeLine(typed.slice(0, -2), env);
			background.push(started);
			const isThere = line.includes('gateway run')
				? () => isUp(env)
				: async () => (await runLine('sluice approvals list --json', env)).includes('"id"');
			await vi.waitFor(
				async () => expect([line, await isThere(), started.output()]).toEqual([line, true, started.output()]),
				{timeout: 60_000, interval: 100},
			);
		} else if (/^\w+=/u.test(typed)) {
			assignments += `${typed}\n`;
		} else {
			outputs.set(line, await runLine(assignments + typed, env));
		}
	}

	return {
		background,
		output(start) {
			const [, output] = [...outputs].find(([line]) => line.startsWith(start)) ?? [];
			return output ?? expect.fail(`no line begins with ${start}`);
		},
	};
}

/** True once the gateway runs and its servers are connected: before that, it does not know their tools. */
async function isUp(env: Variables): Promise<boolean> {
	const {output, end} = typeLine('sluice status --json', env);
	if ((await end) !== 0) {
		return false;
	}

	const {servers} = JSON.parse(output()) as {readonly servers: {readonly connected: number; readonly total: number}};
	return servers.connected === servers.total;
}

/** Puts the id of the newest row in the place of `ID`. There is no terminal that could be asked: the hash says which request was read. */
async function withIds(line: string, env: Variables): Promise<string> {
	const [, noun = '', verb = ''] = /^sluice (\w+) (\w+) ID\b/u.exec(line) ?? [];
	if (noun === '') {
		return line;
	}

	const listed = await runLine(`sluice ${noun} list --json`, env);
	const value = (name: string) => new RegExp(`"${name}": "([\\w-]+)"`, 'u').exec(listed)?.[1] ?? '';
	const hash = verb === 'allow' ? ` --hash ${value('arguments_hash')}` : '';
	return line.replace(/\bID\b/u, `${value('id')}${hash}`);
}

async function runLine(line: string, env: Variables): Promise<string> {
	const {output, end} = typeLine(line, env);
	expect([line, await end, output()]).toEqual([line, 0, output()]);
	return output();
}

/** Types one line into a shell of its own, which is killed when the test ends. */
export function typeLine(line: string, env: Variables): TypedLine {
	const child = spawn('sh', ['-c', `exec 2>&1; ${line}`], {env, stdio: ['ignore', 'pipe', 'inherit'], detached: true});
	onTestFinished(() => {
		try {
			process.kill(-(child.pid ?? 0), 'SIGKILL');
		} catch {
			// It has ended.
		}
	});
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => void (output += text));
	const end = new Promise<number | null>(resolve => void child.once('close', resolve));
	return {output: () => output, end};
}
