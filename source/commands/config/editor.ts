import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmod, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {readTextFile} from '../../config/values/text-file.ts';
import {errorText, Problem, systemErrorCode} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

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

/** The editor of a person: `$VISUAL`, else `$EDITOR`, else vi. */
export function editorWords(variables: Readonly<Record<string, string>>): readonly [string, ...string[]] {
	const written = [variables['VISUAL'], variables['EDITOR']].find(text => text?.trim());
	const [program = 'vi', ...args] = shellWords(written ?? 'vi');
	return [program, ...args];
}

/** Runs an editor on a file, without a shell, on the terminal of this process. Rejects with `command_not_found`, or with `cancelled` when it fails. */
export async function runEditor([program, ...args]: readonly [string, ...string[]], path: string): Promise<void> {
	const shown = safeText(program, {maximumCharacters: 100});
	const editor = spawn(program, [...args, path], {stdio: 'inherit'});
	const [code, signal]: unknown[] = await once(editor, 'exit').catch((cause: unknown) => {
		const fault = systemErrorCode(cause) === 'ENOENT' ? 'was not found' : 'cannot be run';
		throw new Problem('command_not_found', {
			message: `The editor ${shown} ${fault}`,
			remedy: 'Set $VISUAL or $EDITOR to an editor that is installed',
			detail: errorText(cause),
			cause,
		});
	});
	if (code !== 0) {
		const end = typeof signal === 'string' ? `by ${signal}` : `with code ${String(code)}`;
		throw new Problem('cancelled', {message: `The editor ${shown} ended ${end}; nothing was written`});
	}
}

/** A copy of a text that this user alone can read. */
export type PrivateCopy = {
	readonly path: string;
	readonly read: () => Promise<string>;
	readonly remove: () => Promise<void>;
};

/** Writes a copy named config.yaml into a new folder (0700). */
export async function createPrivateCopy(text: string): Promise<PrivateCopy> {
	const folder = await mkdtemp(join(tmpdir(), 'sluice-edit-'));
	await chmod(folder, 0o700);
	const path = join(folder, 'config.yaml');
	await writeFile(path, text, {mode: 0o600, flag: 'wx'});
	return {
		path,
		// Some editors remove the file and write a new one.
		read: async () => (await readTextFile(path)) ?? '',
		remove: () => rm(folder, {recursive: true, force: true}),
	};
}
