import {spawn} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, onTestFinished, test, vi} from 'vitest';
import {program} from '../helpers/sluice.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const readme = readFileSync(new URL('../../readme.md', import.meta.url), 'utf8');
const tour = /\n## Five-minute tour\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? '';
const lines = [...tour.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'));

/** A home with the programs of the tour in its PATH: this build, and an `npx` that starts what is installed here. */
function openHome() {
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
	return {HOME: home, PATH: `${bin}:${process.env['PATH'] ?? ''}`, LANG: 'C.UTF-8', WEBHOOK_PORT: '0'};
}

/** Types one line into a shell. */
function typeLine(line: string, env: Readonly<Record<string, string>>) {
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

async function run(line: string, env: Readonly<Record<string, string>>): Promise<string> {
	const {output, end} = typeLine(line, env);
	expect([line, await end, output()]).toEqual([line, 0, output()]);
	return output();
}

test('every line of the tour does what the tour says', {timeout: 180_000}, async () => {
	expect(lines.length).toBeGreaterThan(8);
	const env = openHome();
	const outputs = new Map<string, string>();
	const background: Array<ReturnType<typeof typeLine>> = [];
	for (const line of lines) {
		if (line.endsWith(' &')) {
			const started = typeLine(line.slice(0, -2), env);
			background.push(started);
			const isThere = line.includes('gateway run')
				? () => started.output().includes('files connected')
				: async () => (await run('sluice approvals list --json', env)).includes('write_file');
			await vi.waitFor(async () => expect(await isThere()).toBe(true), {timeout: 60_000, interval: 100});
		} else {
			// There is no terminal here that could be asked: the hash says which request was read.
			const listed = line.includes(' ID') ? await run('sluice approvals list --json', env) : '';
			const value = (name: string) => new RegExp(`"${name}": "([\\w-]+)"`, 'u').exec(listed)?.[1] ?? '';
			const typed = line.replace(' ID', ` ${value('id')} --hash ${value('arguments_hash')}`);
			outputs.set(line, await run(typed, env));
		}
	}

	const said = (start: string) => [...outputs].find(([line]) => line.startsWith(start))?.[1];
	expect(said('sluice mcp call mcp__files__read_text_file')).toContain('water the garden');
	expect(said('sluice webhook test')).toMatch(/^202 .*"accepted"/);
	expect(said('sluice events')).toMatch(/202 +alerts +"alert"/);
	expect(said('sluice doctor')).not.toMatch(/^error/m);
	const [, call] = background;
	expect(await call?.end).toBe(0);
	expect(readFileSync(join(env.HOME, 'notes/new.txt'), 'utf8')).toBe('sow');
});
