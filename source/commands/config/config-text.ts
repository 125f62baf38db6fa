import {assertCommandMayChange} from '../../config/edit/guarded-settings.ts';
import {literalSecretsOf, maskUnknownTokens} from '../../config/edit/secret-keys.ts';
import {valueOfText} from '../../config/edit/written-value.ts';
import {assertUnchanged} from '../../config/read/editable-file.ts';
import {parseConfigText} from '../../config/read/file.ts';
import {type KeyPath} from '../../config/values/problem-list.ts';
import {withConfigLock} from '../../config/values/file-lock.ts';
import {readTextFile, writePrivateFile} from '../../config/values/text-file.ts';
import {type Clock} from '../../util/clock.ts';
import {type Problem, problemLine} from '../../util/problem.ts';
import {createRedactor} from '../../util/redact.ts';
import {safeText} from '../../util/safe-text.ts';
import {type Session} from '../cli/session.ts';
import {differenceText, textDifference} from '../setup/text-difference.ts';
import {type ConfigVersion, readVersionCheck, startSettingsText, type VersionCheck} from './config-change.ts';
import {createPrivateCopy, editorCommand, editorWords, runEditor} from './editor.ts';

/** The text that a person left in the editor, compared with the one that it opened. Its parts are safe to show. */
export type EditedText =
	| {readonly kind: 'unchanged'}
	/** Errors that the text had not before, one a line with its place; nothing may be written. */
	| {readonly kind: 'broken'; readonly errors: readonly string[]}
	/** Changed lines have `+` or `-` in front, and secrets are masked. `notes`: warnings about what is new, and what takes effect later. */
	| {readonly kind: 'valid'; readonly difference: string; readonly notes: readonly string[]};

/** A private copy of a text of the configuration, and its way back. */
export type TextEdit = {
	/** The copy. */
	readonly path: string;
	/** Runs the editor on it: the first time at the entry, later at the first error. Rejects as `runEditor` does. */
	readonly edit: () => Promise<EditedText>;
	/** Writes what was valid. Rejects with `config_changed` when the original changed meanwhile, `commands_denied`, or `config_unreadable`. */
	readonly write: () => Promise<void>;
	/** True if the copy differs from what it was made of. */
	readonly isChanged: () => Promise<boolean>;
	/** Removes the copy. */
	readonly remove: () => Promise<void>;
};

/** What an editor is opened with. */
type TextEditOptions = Pick<Session, 'paths' | 'environment' | 'clock'> & {
	/** The value at whose key the editor opens; throws a Problem where it is not there. Default: the first line. */
	readonly entry?: (value: unknown) => KeyPath;
	/** Ends the editor. */
	readonly signal?: AbortSignal;
};

const longestDifference = 20_000;

/** Copies config.yaml of a profile for an editor, `$VISUAL` or `$EDITOR` or vi; a missing file is empty. */
export async function openConfigText(options: TextEditOptions): Promise<TextEdit> {
	const {paths, environment, clock, signal} = options;
	const editor = editorWords(environment.variables);
	const check = await readVersionCheck(options);
	const before = versionOf((await readTextFile(paths.config)) ?? '', check);
	let line = entryLine(before, options);
	const copy = await createPrivateCopy(before.text, 'config.yaml');
	let after = before;
	return {
		path: copy.path,
		async edit() {
			await runEditor(editorCommand(editor, copy.path, line), {
				variables: environment.variables,
				...(signal && {ending: {signal, clock}}),
			});
			after = versionOf(await copy.read(), check);
			const errors = check.problems(before, after).filter(isError);
			line = errors[0]?.place?.line ?? line;
			return after.text === before.text
				? {kind: 'unchanged'}
				: errors.length > 0
					? {kind: 'broken', errors: problemTexts(errors, paths.directory)}
					: validText(before, after, {check, directory: paths.directory});
		},
		async write() {
			assertCommandMayChange(before, after);
			await write({paths, clock}, before, after);
		},
		isChanged: async () => (await copy.read()) !== before.text,
		remove: copy.remove,
	};
}

function versionOf(text: string, {variable}: VersionCheck): ConfigVersion {
	return {text, value: valueOfText(text), variable};
}

/** The line of the entry; of a file that cannot be read, that of its first error. */
function entryLine({text, value}: ConfigVersion, {paths, entry}: TextEditOptions): number | undefined {
	const parsed = parseConfigText(paths.config, text);
	if (parsed.kind === 'unusable') {
		return parsed.problems[0]?.place?.line;
	}

	return entry && parsed.kind === 'read' ? parsed.locate(entry(value), 'key')?.line : undefined;
}

function isError({level}: Problem): boolean {
	return level === 'error';
}

function problemTexts(problems: readonly Problem[], directory: string): readonly string[] {
	return problems.map(problem => safeText(problemLine(problem, directory)));
}

function write(
	{paths, clock}: {readonly paths: {readonly config: string}; readonly clock: Clock},
	before: ConfigVersion,
	after: ConfigVersion,
): Promise<void> {
	return withConfigLock(paths, clock, async () => {
		await assertUnchanged(paths.config, before.text);
		await writePrivateFile(paths.config, after.text);
	});
}

function validText(
	before: ConfigVersion,
	after: ConfigVersion,
	{check, directory}: {readonly check: VersionCheck; readonly directory: string},
): EditedText {
	const redactor = createRedactor();
	[before, after].flatMap(({value}) => literalSecretsOf(value)).forEach(redactor.learn);
	const difference = maskUnknownTokens(redactor.redact(differenceText(textDifference(before.text, after.text))));
	const later = startSettingsText(before.value, after.value);
	return {
		kind: 'valid',
		difference: safeText(difference, {multiline: true, maximumCharacters: longestDifference}),
		notes: [...problemTexts(check.problems(before, after), directory), ...(later === undefined ? [] : [later])],
	};
}
