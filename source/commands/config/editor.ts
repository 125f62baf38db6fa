import {spawn, type SpawnOptions} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, openSync} from 'node:fs';
import {chmod, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {readTextFile} from '../../config/values/text-file.ts';
import {type Clock} from '../../util/clock.ts';
import {errorText, Problem, systemErrorCode} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {ignoreKeySignals} from '../cli/stop-signals.ts';

/** The words of a command as a shell splits them: blanks separate, quotes and backslashes protect; nothing is expanded. Throws `bad_usage` for an open quote. */
export function shellWords(text: string): readonly string[] {
	const words: string[] = [];
	const piece = /\s+|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\]+)/uy;
	let word: string | undefined;
	while (piece.lastIndex < text.length) {
		const found = piece.exec(text);
		if (!found) {
			throw new Problem('bad_usage', {
				message: `The editor ${safeText(text, {maximumCharacters: 100})} has a quote that is never closed`,
				remedy: 'Correct $VISUAL or $EDITOR',
			});
		}

		const [, single, double, escaped, plain] = found;
		const part = single ?? double?.replaceAll(/\\(["\\$`])/gu, '$1') ?? escaped ?? plain;
		if (part === undefined) {
			words.push(...(word === undefined ? [] : [word]));
			word = undefined;
		} else {
			word = (word ?? '') + part;
		}
	}

	return word === undefined ? words : [...words, word];
}

/** A program and its arguments. */
export type CommandWords = readonly [string, ...string[]];

/** The editor of a person: `$VISUAL`, else `$EDITOR`, else vi. */
export function editorWords(variables: Readonly<Record<string, string>>): CommandWords {
	const written = [variables['VISUAL'], variables['EDITOR']].find(text => text?.trim());
	const [program = 'vi', ...args] = shellWords(written ?? 'vi');
	return [program, ...args];
}

/** The forms in which editors take a file and a line. Those of `--wait` return at once without it. */
const lineForms: ReadonlyArray<{
	readonly programs: readonly string[];
	readonly words: (path: string, line: string) => readonly string[];
	readonly wait?: '--wait';
}> = [
	// POSIX has `-c`, and a small vi takes `+LINE` for a file.
	{programs: ['vi', 'ex', 'view', 'nvi'], words: (path, line) => ['-c', line, path]},
	{
		programs: 'vim nvim vis kak nano pico micro joe jed ne mg zile emacs emacsclient mcedit'.split(' '),
		words: (path, line) => [`+${line}`, path],
	},
	{programs: ['hx', 'helix'], words: (path, line) => [`${path}:${line}`]},
	{programs: ['subl', 'zed', 'zeditor'], words: (path, line) => [`${path}:${line}`], wait: '--wait'},
	{
		programs: ['code', 'code-insiders', 'codium', 'vscodium', 'cursor', 'windsurf'],
		words: (path, line) => ['--goto', `${path}:${line}`],
		wait: '--wait',
	},
	{programs: ['kate'], words: (path, line) => ['--block', '--line', line, path]},
];

/** The command line that opens a file at a line, counted from 1; an editor that is not in the table, or without a line, gets the file alone. */
export function editorCommand([program, ...args]: CommandWords, path: string, line: number | undefined): CommandWords {
	const form = lineForms.find(({programs}) => programs.includes(basename(program)));
	const wait = form?.wait !== undefined && !args.some(word => word === '--wait' || word === '-w') ? [form.wait] : [];
	return [program, ...args, ...wait, ...(form && line !== undefined ? form.words(path, String(line)) : [path])];
}

/** Circumstances of an editor: its environment, and what ends it; without them those of this process, and nothing. */
type EditorOptions = {
	readonly variables?: Readonly<Record<string, string>>;
	readonly ending?: {readonly signal: AbortSignal; readonly clock: Clock};
};

/** The time in which an editor saves what it can after SIGHUP. */
const endMilliseconds = 1000;

/**
Runs an editor, without a shell, on the terminal of this process, which keeps the settings that it had where the editor fails. Rejects with
`command_not_found`, or with `cancelled` when it fails; the abort of the signal ends it.
*/
export async function runEditor(command: CommandWords, options: EditorOptions = {}): Promise<void> {
	const terminal = openTerminal();
	const endSignals = ignoreKeySignals();
	try {
		const settings = await terminalSettings(terminal);
		const end = await runOnTerminal(command, terminal, options);
		if (end !== 'done') {
			await restoreSettings(terminal, settings);
			const shown = safeText(command[0], {maximumCharacters: 100});
			throw new Problem('cancelled', {message: `The editor ${shown} ended ${end}; nothing was written`});
		}
	} finally {
		endSignals();
		if (terminal !== undefined) {
			closeSync(terminal);
		}
	}
}

async function runOnTerminal(
	[program, ...args]: CommandWords,
	terminal: number | undefined,
	{variables, ending}: EditorOptions,
): Promise<string> {
	const stdio: SpawnOptions['stdio'] = terminal === undefined ? 'inherit' : [terminal, terminal, terminal];
	const editor = spawn(program, args, {stdio, ...(variables && {env: variables})});
	const kill = () => {
		editor.kill('SIGHUP');
		ending?.clock.after(endMilliseconds, () => editor.kill('SIGKILL'));
	};
	ending?.signal.addEventListener('abort', kill, {once: true});
	const [code, signal]: unknown[] = await once(editor, 'exit')
		.catch((cause: unknown) => {
			const fault = systemErrorCode(cause) === 'ENOENT' ? 'was not found' : 'cannot be run';
			throw new Problem('command_not_found', {
				message: `The editor ${safeText(program, {maximumCharacters: 100})} ${fault}`,
				remedy: 'Set $VISUAL or $EDITOR to an editor that is installed',
				detail: errorText(cause),
				cause,
			});
		})
		.finally(() => ending?.signal.removeEventListener('abort', kill));
	return code === 0 ? 'done' : typeof signal === 'string' ? `by ${signal}` : `with code ${String(code)}`;
}

/** A descriptor of its own for a program: one that it shares with this process would lose the mode in which writes do not wait. */
function openTerminal(): number | undefined {
	try {
		return process.stdout.isTTY ? openSync('/dev/tty', 'r+') : undefined;
	} catch {
		return undefined;
	}
}

/** The settings of a terminal (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/stty.html); empty where they cannot be read. */
async function terminalSettings(terminal: number | undefined): Promise<string> {
	if (terminal === undefined) {
		return '';
	}

	const program = spawn('stty', ['-g'], {stdio: [terminal, 'pipe', 'ignore']});
	let text = '';
	program.stdout?.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk));
	await once(program, 'close').catch(() => undefined);
	return text.trim();
}

/** An editor that was killed leaves its own settings, such as no echo. */
async function restoreSettings(terminal: number | undefined, settings: string): Promise<void> {
	if (terminal !== undefined && settings !== '') {
		await once(spawn('stty', [settings], {stdio: [terminal, 'ignore', 'ignore']}), 'exit').catch(() => undefined);
	}
}

/** A copy of a text that this user alone can read. */
export type PrivateCopy = {
	readonly path: string;
	readonly read: () => Promise<string>;
	readonly remove: () => Promise<void>;
};

/** Writes a copy with this file name into a new folder (0700). */
export async function createPrivateCopy(text: string, name: string): Promise<PrivateCopy> {
	const folder = await mkdtemp(join(tmpdir(), 'sluice-edit-'));
	await chmod(folder, 0o700);
	const path = join(folder, name);
	await writeFile(path, text, {mode: 0o600, flag: 'wx'});
	return {
		path,
		// Some editors remove the file and write a new one.
		read: async () => (await readTextFile(path)) ?? '',
		remove: () => rm(folder, {recursive: true, force: true}),
	};
}
