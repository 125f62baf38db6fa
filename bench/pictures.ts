import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import xterm, {type Terminal} from '@xterm/headless';

/** A picture of the demo in assets/: its size, and keys with the text that the screen holds after them. */
export type Picture = {
	readonly name: string;
	readonly columns: number;
	readonly rows: number;
	readonly steps: ReadonlyArray<readonly [keys: string, shown: RegExp]>;
};

/** The program at work: a rejected event, an answered one, and everything that waits for a person. */
const settled = /1 approval, 1 login, 1 inbox item waiting[\s\S]* 3 Events[\s\S]*rejected[\s\S]*ok/u;
const small = {columns: 80, rows: 24} as const;

export const pictures: readonly Picture[] = [
	{name: 'dashboard-80x24', ...small, steps: [['', settled]]},
	{
		name: 'approval-80x24',
		...small,
		steps: [
			['', /approval\b.* waiting/u],
			['A', /^ ready/mu],
		],
	},
	{
		name: 'trace-80x24',
		...small,
		steps: [
			['', /approval\b.* waiting/u],
			['A', /^ ready/mu],
			['a', /approved/u],
			['3', /p pause\/follow/u],
			['/', /word key:value/u],
			['add_task', /● ok +garden +add_task[\s\S]*\/ add_task/u],
			['\r', /● ok +garden +add_task[\s\S]*enter open/u],
			['\r', /where .+ went/u],
		],
	},
	{
		name: 'tools-80x24',
		...small,
		steps: [
			['', /● garden +connected/u],
			[':', /re(?:load|connect)/u],
			['tools garden', /tools garden/u],
			['\r', /list_tasks/u],
		],
	},
	{name: 'dashboard-160x50', columns: 160, rows: 50, steps: [['', settled]]},
];

const program = new URL('../dist/bin.js', import.meta.url).pathname;
const patienceMilliseconds = 40_000;
const repeatMilliseconds = 2000;

/** Opens the demo of the built program in a pseudo terminal, presses the keys of a picture and hands over the screen; ends the demo afterwards. */
export async function takePicture(
	{columns, rows, steps}: Picture,
	look: (screen: Terminal) => Promise<void> | void,
): Promise<void> {
	const home = mkdtempSync(join(tmpdir(), 'sluice-shot-'));
	const screen = new xterm.Terminal({cols: columns, rows, allowProposedApi: true});
	const child = spawn(process.execPath, ['--max-semi-space-size=8', program, '--demo'], {
		name: 'xterm-256color',
		cols: columns,
		rows,
		cwd: home,
		env: {PATH: process.env['PATH'], HOME: home, SLUICE_HOME: home, LANG: 'C.UTF-8', TERM: 'xterm-256color'},
	});
	const ended = new Promise<void>(resolve => void child.onExit(() => resolve()));
	child.onData(text => screen.write(text));
	// The dashboard asks its terminal for the position of the cursor, and decides nothing without the answers.
	screen.onData(text => child.write(text));
	try {
		for (const [keys, shown] of steps) {
			await pressUntil({screen, press: text => child.write(text)}, keys, shown);
		}

		await look(screen);
	} finally {
		child.kill('SIGTERM');
		await ended;
		rmSync(home, {recursive: true, force: true});
	}
}

/** Presses until the text is shown: a dashboard ignores the keys of its first moments, and a card those that come before it is ready. */
async function pressUntil(
	{screen, press}: {readonly screen: Terminal; readonly press: (keys: string) => void},
	keys: string,
	shown: RegExp,
): Promise<void> {
	const deadline = performance.now() + patienceMilliseconds;
	let pressedAt = performance.now();
	press(keys);
	while (!shown.test(rowsOf(screen).join('\n'))) {
		if (performance.now() > deadline) {
			throw new Error(`The screen never showed ${String(shown)}:\n${rowsOf(screen).join('\n')}`);
		}

		if (/^[\w:/]$/u.test(keys) && performance.now() - pressedAt > repeatMilliseconds) {
			pressedAt = performance.now();
			press(keys);
		}

		await new Promise(resolve => setTimeout(resolve, 50));
	}
}

/** The visible rows of a terminal, without blanks at their ends. */
export function rowsOf(screen: Terminal): readonly string[] {
	const {active} = screen.buffer;
	return Array.from(
		{length: screen.rows},
		(_, row) =>
			active
				.getLine(active.viewportY + row)
				?.translateToString(true)
				.trimEnd() ?? '',
	);
}

/** The text of a screen without the directory of this build, which is of no use to a reader. The cells stay as many. */
export function withoutPaths(text: string): string {
	const server = new URL('../dist/demo-stdio-server.js', import.meta.url).pathname;
	const whole = text
		.replaceAll(process.execPath, 'node'.padEnd(process.execPath.length))
		.replaceAll(server, 'demo-stdio-server.js'.padEnd(server.length));
	return whole.replaceAll(/(\/[^\s<]*)…/gu, (cut, path: string) =>
		process.execPath.startsWith(path) ? `${'node'.padEnd(path.length)}…` : cut,
	);
}
