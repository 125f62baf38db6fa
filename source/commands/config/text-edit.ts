import {maskUnknownTokens} from '../../config/edit/secret-keys.ts';
import {type Problem, problemLine} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type Session} from '../cli/session.ts';
import {differenceText, textDifference} from '../setup/text-difference.ts';
import {createPrivateCopy, editorCommand, editorWords, runEditor} from './editor.ts';

/** The text that a person left in the editor, compared with the one that it opened. Its parts are safe to show. */
export type EditedText =
	| {readonly kind: 'unchanged'}
	/** Errors that the text had not before, one a line with its place; nothing may be written. */
	| {readonly kind: 'broken'; readonly errors: readonly string[]}
	/** Changed lines have `+` or `-` in front, and secrets are masked. `notes`: warnings about what is new, and what takes effect later. */
	| {readonly kind: 'valid'; readonly difference: string; readonly notes: readonly string[]};

/** A private copy of a text, and its way back. */
export type TextEdit = {
	/** The copy. */
	readonly path: string;
	/** Runs the editor on it: the first time at the entry, later at the first error. Rejects as `runEditor` does. */
	readonly edit: () => Promise<EditedText>;
	/** Writes what was valid. Rejects with `config_changed` when the original changed meanwhile, and as the writing does. */
	readonly write: () => Promise<void>;
	/** True if the copy differs from what it was made of. */
	readonly isChanged: () => Promise<boolean>;
	/** Removes the copy. */
	readonly remove: () => Promise<void>;
};

/** The check of an edited text: the errors that forbid it, or the notes beside its difference. */
type Check = (after: string) => Checked | Promise<Checked>;

type Checked = {readonly errors: readonly Problem[]; readonly notes: readonly string[]};

/** Copies a text for the editor of the person, `$VISUAL` or `$EDITOR` or vi. */
export async function openTextEdit(options: {
	readonly session: Pick<Session, 'environment' | 'clock'>;
	/** The name of the copy. */
	readonly name: string;
	readonly text: string;
	/** The line at which the editor opens, from 1. */
	readonly line: number | undefined;
	/** The folder to which the files of errors are relative. */
	readonly directory: string;
	/** Ends the editor. */
	readonly signal?: AbortSignal | undefined;
	readonly check: Check;
	/** Masks the secrets of both texts. */
	readonly mask?: (difference: string, after: string) => string;
	readonly write: (after: string) => Promise<void>;
}): Promise<TextEdit> {
	const {session, text: before, signal, check, mask = (text: string) => text} = options;
	const {environment, clock} = session;
	const editor = editorWords(environment.variables);
	const copy = await createPrivateCopy(before, options.name);
	let {line} = options;
	let after = before;
	return {
		path: copy.path,
		async edit() {
			await runEditor(editorCommand(editor, copy.path, line), {
				variables: environment.variables,
				...(signal && {ending: {signal, clock}}),
			});
			after = await copy.read();
			if (after === before) {
				return {kind: 'unchanged'};
			}

			const {errors, notes} = await check(after);
			line = errors[0]?.place?.line ?? line;
			return errors.length > 0
				? {kind: 'broken', errors: problemTexts(errors, options.directory)}
				: {
						kind: 'valid',
						difference: shownDifference(mask(differenceText(textDifference(before, after)), after)),
						notes,
					};
		},
		write: () => options.write(after),
		isChanged: async () => (await copy.read()) !== before,
		remove: copy.remove,
	};
}

/** Problems, one a line with its place. */
export function problemTexts(problems: readonly Problem[], directory: string): readonly string[] {
	return problems.map(problem => safeText(problemLine(problem, directory)));
}

const longestDifference = 20_000;

function shownDifference(difference: string): string {
	return safeText(maskUnknownTokens(difference), {multiline: true, maximumCharacters: longestDifference});
}
