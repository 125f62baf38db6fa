import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import xterm from '@xterm/headless';
import {frameSvg} from './frame-svg.ts';

/*
Takes pictures of the built program in a real pseudo terminal, in its demo, and writes them to assets/ for the readme.
*/

const program = new URL('../dist/bin.js', import.meta.url).pathname;
const assets = new URL('../assets/', import.meta.url).pathname;
const patienceMilliseconds = 40_000;

/** A picture: where to, how large, and the keys with what the screen must hold after each of them. */
const shots = [
	{
		name: 'dashboard-80x24',
		columns: 80,
		rows: 24,
		steps: [['', /approval\b.* waiting[\s\S]*rejected[\s\S]*ok/u]],
	},
	{
		name: 'approval-80x24',
		columns: 80,
		rows: 24,
		steps: [
			['', /approval\b.* waiting/u],
			['A', /^ ready/mu],
		],
	},
	{
		name: 'tools-80x24',
		columns: 80,
		rows: 24,
		steps: [
			['', /● garden +connected/u],
			[':', /re(?:load|connect)/u],
			['tools garden', /tools garden/u],
			['\r', /list_tasks/u],
		],
	},
	{
		name: 'dashboard-160x50',
		columns: 160,
		rows: 50,
		steps: [['', /approval\b.* waiting[\s\S]*rejected[\s\S]*ok/u]],
	},
] as const;

for (const shot of shots) {
	await takeShot(shot);
	console.log(`assets/${shot.name}.svg`);
}

async function takeShot({name, columns, rows, steps}: (typeof shots)[number]): Promise<void> {
	const home = mkdtempSync(join(tmpdir(), 'sluice-shot-'));
	const screen = new xterm.Terminal({cols: columns, rows, allowProposedApi: true});
	const child = spawn(process.execPath, ['--max-semi-space-size=8', program, '--demo'], {
		name: 'xterm-256color',
		cols: columns,
		rows,
		cwd: home,
		env: {PATH: process.env['PATH'], HOME: home, SLUICE_HOME: home, LANG: 'C.UTF-8', TERM: 'xterm-256color'},
	});
	const ended = new Promise<void>(resolve => child.onExit(() => resolve()));
	child.onData(text => screen.write(text));
	// The answers of the terminal to what it is asked: without them the dashboard says that it cannot know what was seen.
	screen.onData(text => child.write(text));
	try {
		for (const [key, text] of steps) {
			child.write(key);
			await untilShown(screen, text);
		}

		mkdirSync(assets, {recursive: true});
		writeFileSync(join(assets, `${name}.svg`), withoutPaths(frameSvg(screen)));
	} finally {
		child.kill('SIGTERM');
		await ended;
		rmSync(home, {recursive: true, force: true});
	}
}

/** Where this copy was built says nothing to a reader. The cells stay as many. */
function withoutPaths(svg: string): string {
	const server = new URL('../dist/demo-stdio-server.js', import.meta.url).pathname;
	return svg
		.replaceAll(process.execPath, 'node'.padEnd(process.execPath.length))
		.replaceAll(server, 'demo-stdio-server.js'.padEnd(server.length));
}

async function untilShown(screen: InstanceType<typeof xterm.Terminal>, text: RegExp): Promise<void> {
	const deadline = performance.now() + patienceMilliseconds;
	while (performance.now() < deadline) {
		const {active} = screen.buffer;
		const rows = Array.from({length: screen.rows}, (_, row) => active.getLine(row)?.translateToString(true) ?? '');
		if (text.test(rows.join('\n'))) {
			return;
		}

		await new Promise(resolve => setTimeout(resolve, 100));
	}

	throw new Error(`The screen never showed ${String(text)}`);
}
